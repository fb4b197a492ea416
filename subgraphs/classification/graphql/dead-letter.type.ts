import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'

export enum DeadLetterKind {
  EXPRESSION = 'expression',
  MESSAGE = 'message',
}
registerEnum(DeadLetterKind, {
  name: 'DeadLetterKind',
  description: 'Kind of a dead letter.',
  values: {
    EXPRESSION: 'An expression that could not be written or completed; its id is that of the expression.',
    MESSAGE: 'A message of up to 500 expressions that no worker could read.',
  },
})

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({
  description: 'An item that could not be processed and waits for an operator. Its content is never returned, because it is personal.',
})
export class DeadLetter {
  @Field(() => ID, { description: 'Id of the expression, or number of the message.' })
  id!: string
  @Field(() => DeadLetterKind, { description: 'Kind of the dead letter.' })
  kind!: `${DeadLetterKind}`
  @Field(() => String, { description: 'Reason for which processing was abandoned.' })
  reason!: string
  @Field(() => DateTime, { description: 'Time of the most recent failure.' })
  at!: Date
}

@ObjectType({ description: 'An edge of `DeadLetterConnection`: a dead letter and its cursor.' })
export class DeadLetterEdge {
  @Field(() => String, { description: 'Cursor of the dead letter.' })
  cursor!: string
  @Field(() => DeadLetter, { description: 'The dead letter.' })
  node!: DeadLetter
}

@ObjectType({ description: 'A page of dead letters.' })
export class DeadLetterConnection implements CountablePage {
  @Field(() => [DeadLetterEdge], { description: 'The dead letters of the page with their cursors.' })
  edges!: readonly DeadLetterEdge[]
  @Field(() => [DeadLetter], { description: 'The dead letters of the page.' })
  nodes!: readonly DeadLetter[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Filter for dead letters.' })
export class DeadLetterFilterInput {
  @Field(() => DeadLetterKind, { defaultValue: DeadLetterKind.EXPRESSION, description: 'Returns only dead letters of this kind.' })
  kind!: `${DeadLetterKind}`
}

@InputType({ description: 'The dead letters to process again.' })
export class RedriveDeadLettersInput {
  @Field(() => DeadLetterKind, { description: 'Kind of the dead letters.' })
  kind!: `${DeadLetterKind}`
  @Field(() => [ID], {
    nullable: true,
    description: '1 to 100 ids; null selects all dead letters of the kind, as far as the time limit of the request allows.',
  })
  ids?: readonly string[] | null
}

@ObjectType({ description: 'Result of `redriveDeadLetters`.' })
export class RedriveDeadLettersPayload {
  @Field(() => Int, { description: 'Number of expressions that were written.' })
  written!: number
  @Field(() => Int, {
    description: 'Number of expressions whose failed steps a worker will retry, and of messages that were queued again.',
  })
  waiting!: number
  @Field(() => Int, { description: 'Number of expressions that failed again; they remain dead letters with the new reason.' })
  failed!: number
  @Field(() => [ID], { description: 'Ids that are no longer dead letters, at most 1,000.' })
  redrivenIds!: readonly string[]
  @Field(() => [ID], { description: 'Global ids (Node) of the dead letters in `redrivenIds`, for cache invalidation.' })
  deletedNodeIds!: readonly string[]
  @Field(() => Int, { description: 'Number of `ids` that are not dead letters.' })
  unknown!: number
  @Field(() => Int, { description: 'Number of dead letters of the kind after the call.' })
  remaining!: number
}
