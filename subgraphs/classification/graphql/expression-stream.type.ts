import { Field, ID, Int, ObjectType } from 'type-graphql'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { FeedPosition } from '../../../foundation/graphql/event-position.ts'
import { Domain, Expression } from './expression.type.ts'

export enum ExpressionEventKind {
  ADDED = 'added',
  UPDATED = 'updated',
  WITHDRAWN = 'withdrawn',
  LAGGED = 'lagged',
}
registerEnum(ExpressionEventKind, {
  name: 'ExpressionEventKind',
  description: 'Kind of an event of `expressionAdded`.',
  values: {
    ADDED: 'The expression is new.',
    UPDATED: 'The expression has changed.',
    WITHDRAWN: 'The expression was withdrawn.',
    LAGGED: 'Events before this position were omitted.',
  },
})

@ObjectType({ description: 'An event of `expressionAdded`.' })
export class ExpressionAdded extends FeedPosition {
  @Field(() => ExpressionEventKind, { description: 'Kind of the event.' })
  kind!: `${ExpressionEventKind}`
  @Field(() => Int, {
    nullable: true,
    description: 'Number of omitted events when the kind is LAGGED; null when it is unknown and for other kinds.',
  })
  dropped!: number | null
  @Field(() => Expression, { nullable: true, description: 'The expression; null when the kind is WITHDRAWN or LAGGED.' })
  expression!: Expression | null
  @Field(() => [Domain], {
    description: 'Retired domains that the domains of the expression replace; a filter by one of them matches the expression as well.',
  })
  formerDomains!: Domain[]
  @Field(() => ID, { nullable: true, description: 'Id of the withdrawn expression when the kind is WITHDRAWN; otherwise null.' })
  withdrawnId!: string | null
}

@ObjectType({ description: 'State of the expression stream.' })
export class ExpressionStreamState extends FeedPosition {
  @Field(() => [Domain], { description: 'Domains and sub-domains that a filter accepts, retired ones included.' })
  domains!: Domain[]
}
