import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'Whose tree of content it is' })
export class Tenant {
  @Field(() => ID, { description: 'Its name: 1 to 63 of a-z, 0-9 and -' })
  readonly id!: string
}

@ObjectType({ description: 'How large a tree of content is' })
export class TenantStatistics {
  @Field(() => Int, { description: 'Nodes, the root among them' })
  readonly nodes!: number
  @Field(() => Int, { description: 'Depth of the deepest; 0 for a root alone' })
  readonly depth!: number
  @Field(() => Int, { description: 'Version of the tree that was counted' })
  readonly version!: number
  @Field(() => DateTime, { description: 'When that version was made' })
  readonly changedAt!: Date
}
