import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'

export enum DeadLetterKind {
  EXPRESSION = 'expression',
  MESSAGE = 'message',
}
registerEnumType(DeadLetterKind, {
  name: 'DeadLetterKind',
  description:
    'EXPRESSION: one that could not be written or completed, by its own id; MESSAGE: one of up to 500 expressions that no worker could read',
})

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({ description: 'What waits for an operator, and why; never what it holds, which is about people' })
export class DeadLetter {
  @Field(() => ID, { description: 'Id of the expression; number of the message' })
  id!: string
  @Field(() => DeadLetterKind, { description: 'What it is' })
  kind!: `${DeadLetterKind}`
  @Field(() => String, { description: 'Why it was given up' })
  reason!: string
  @Field(() => DateTime, { description: 'When it was given up last' })
  at!: Date
}

@ObjectType({ description: 'A dead letter in a list' })
export class DeadLetterEdge {
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
  @Field(() => DeadLetter, { description: 'The dead letter' })
  node!: DeadLetter
}

@ObjectType({ description: 'A page of dead letters' })
export class DeadLetterConnection implements Counted {
  @Field(() => [DeadLetterEdge], { description: 'The dead letters with their places' })
  edges!: readonly DeadLetterEdge[]
  @Field(() => [DeadLetter], { description: 'The dead letters' })
  nodes!: readonly DeadLetter[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Dead letters that are to have another chance' })
export class RedriveDeadLettersInput {
  @Field(() => DeadLetterKind, { description: 'Of which kind' })
  kind!: `${DeadLetterKind}`
  @Field(() => [ID], { nullable: true, description: '1 to 100 ids; null: all of the kind, as many as there is time for' })
  ids?: readonly string[] | null
}

@ObjectType({ description: 'What became of dead letters that were given another chance' })
export class RedriveDeadLettersPayload {
  @Field(() => Int, { description: 'Expressions that are written now' })
  written!: number
  @Field(() => Int, { description: 'Expressions whose failed steps a worker tries again, and messages that wait for one' })
  waiting!: number
  @Field(() => Int, { description: 'Expressions that failed again: they stay, with the new reason' })
  failed!: number
  @Field(() => [ID], { description: 'Ids of those that are dead letters no longer, the first thousand: what caches give up' })
  redrivenIds!: readonly string[]
  @Field(() => Int, { description: 'Those of `ids` that are no dead letters any more' })
  unknown!: number
  @Field(() => Int, { description: 'Dead letters of the kind that there are now' })
  remaining!: number
}
