import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'What a citizen has said' })
export class Expression {
  @Field(() => ID, { description: 'Id of the expression' })
  id!: string
}
