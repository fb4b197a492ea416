import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A group in which delegations are valid and whose administrators can read them.' })
export class Group {
  @Field(() => ID, { description: 'Id of the group.' })
  id!: string
}
