import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'Whose tree of content it is' })
export class Tenant {
  @Field(() => ID, { description: 'Its name: 1 to 63 of a-z, 0-9 and -' })
  readonly id!: string
}
