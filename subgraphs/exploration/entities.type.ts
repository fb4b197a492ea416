import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A domain or sub-domain of civic life' })
export class Domain {
  @Field(() => ID, { description: 'Id of the domain' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType('Expression', { description: 'What a citizen has said' })
export class VotedExpression {
  @Field(() => ID, { description: 'Id of the expression' })
  id!: string
}
