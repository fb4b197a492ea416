import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "tenantId id")')
@ObjectType({ description: 'A node of a tenant’s content tree' })
export class ContentNode {
  @Field(() => ID, { description: 'Id of the node, unique within its tenant' })
  id!: string
  @Field(() => String, { description: 'The tenant it belongs to' })
  tenantId!: string
}
