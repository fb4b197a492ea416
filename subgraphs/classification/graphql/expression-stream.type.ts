import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Domain } from './domain.type.ts'
import { Expression } from './expression.type.ts'

export enum ExpressionEventKind {
  ADDED = 'added',
  UPDATED = 'updated',
  WITHDRAWN = 'withdrawn',
  LAGGED = 'lagged',
}
registerEnumType(ExpressionEventKind, {
  name: 'ExpressionEventKind',
  description: 'ADDED: it is new; UPDATED: it has changed; WITHDRAWN: it is no more; LAGGED: some before this place were left out',
})

@ObjectType({ description: 'An expression that was written, with its place in the change log' })
export class ExpressionAdded {
  @Field(() => Int, { description: 'Its place; give it as `after` to go on from here' })
  seq!: number
  @Field(() => ExpressionEventKind, { description: 'What has happened' })
  kind!: `${ExpressionEventKind}`
  @Field(() => Int, { nullable: true, description: 'LAGGED: how many were left out; null when nobody knows' })
  dropped!: number | null
  @Field(() => Expression, { nullable: true, description: 'The expression; null when WITHDRAWN or LAGGED' })
  expression!: Expression | null
  @Field(() => ID, { nullable: true, description: 'WITHDRAWN: which one; null otherwise' })
  withdrawnId!: string | null
}

@ObjectType({ description: 'Where the stream of expressions stands' })
export class ExpressionStreamState {
  @Field(() => Int, { description: 'The latest place in the change log; what comes after it is new' })
  seq!: number
  @Field(() => [Domain], { description: 'Domains and sub-domains that a filter may name' })
  domains!: Domain[]
}
