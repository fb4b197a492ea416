import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { ReportReason } from '../../../engines/analytics-store/moderation-cases.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { type IngestRefusalCode, ingestRefusalCodes } from '../intake/refusal-codes.ts'
import { Moderation, SentimentLabel } from './expression.enum.ts'
import { IngestExpressionInput } from './expression.input.ts'
import { Expression } from './expression.type.ts'
import { InputEntry } from './input-entry.type.ts'
import { ModerationReason } from './moderation-case.type.ts'

@InputType({ description: 'Several expressions to ingest.' })
export class IngestExpressionsInput {
  @Field(() => [IngestExpressionInput], { description: 'The expressions, 1 to 200.' })
  expressions!: IngestExpressionInput[]
}

const RefusalCode = byEnumName(ingestRefusalCodes)
registerEnum(RefusalCode, {
  name: 'IngestRefusalCode',
  description: 'Reason for which an expression is refused.',
  values: {
    BAD_USER_INPUT: 'A field of the expression is invalid.',
    CONFLICT: 'Another text is stored under this external id, or the expression was withdrawn.',
    DEADLINE_EXCEEDED: 'The time limit of the request was reached before this expression.',
    ENGINE_UNAVAILABLE: 'A required service is unavailable; retry later.',
    OUTCOME_UNKNOWN: 'It is unknown whether the expression was stored; check before sending it again.',
    RATE_LIMITED: 'The rate limit of the client address was exceeded.',
  },
})

@ObjectType({ description: 'Why an expression of a batch was refused.' })
export class IngestRefusal {
  @Field(() => RefusalCode, { description: 'Code of the refusal, the same as that of an error.' })
  code!: IngestRefusalCode
  @Field(() => String, { description: 'Description of the refusal.' })
  message!: string
  @Field(() => [InputEntry], { description: 'Violated rules by field when the code is BAD_USER_INPUT; otherwise empty.' })
  entries!: readonly InputEntry[]
}

@ObjectType({ description: 'Result of one of several expressions.' })
export class IngestedExpression {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was refused.' })
  expression!: Expression | null
  @Field(() => Boolean, { description: 'Whether the expression is new; false when it was already stored or refused.' })
  created!: boolean
  @Field(() => Moderation, { nullable: true, description: 'HELD when the expression is not public until it is released; null otherwise.' })
  moderation!: `${Moderation}` | null
  @Field(() => IngestRefusal, { nullable: true, description: 'The refusal; null when the expression was accepted.' })
  refusal!: IngestRefusal | null
}

@ObjectType({ description: 'Result of `ingestExpressions`.' })
export class IngestExpressionsPayload {
  @Field(() => [IngestedExpression], { description: 'Results in the order of the request.' })
  results!: IngestedExpression[]
  @Field(() => Int, { description: 'Number of new expressions.' })
  created!: number
  @Field(() => Int, { description: 'Number of expressions that were already stored.' })
  known!: number
  @Field(() => Int, { description: 'Number of refused expressions.' })
  refused!: number
}

@InputType({ description: 'The expression to withdraw.' })
export class WithdrawExpressionInput {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether `undoWithdrawal` can undo this for MODERATION_UNDO_DAYS; otherwise the expression is erased at once.',
  })
  isRestorable?: boolean
  @Field(() => ModerationReason, { nullable: true, description: 'Reason, for the list of withdrawals; needs `isRestorable`.' })
  reason?: ReportReason | null
  @Field(() => String, { nullable: true, description: 'Note for other moderators, at most 1,000 characters; needs `isRestorable`.' })
  note?: string | null
}

@ObjectType({ description: 'Result of `withdrawExpression`.' })
export class WithdrawExpressionPayload {
  @Field(() => ID, { description: 'Id of the expression; it is not reused.' })
  id!: string
  @Field(() => ID, { description: 'Global id (Node) of the expression, for cache invalidation.' })
  deletedNodeId!: string
}

@InputType({ description: 'Values that replace those of the pipeline; omitted fields keep their values.' })
export class CorrectClassificationInput {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
  @Field(() => ID, { nullable: true, description: 'Id of a domain or sub-domain; null removes the domain.' })
  domainId?: string | null
  @Field(() => ID, { nullable: true, description: 'Former name of `domainId`.', ...deprecated('domainId') })
  domain?: string | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment.' })
  sentiment?: `${SentimentLabel}` | null
}

@ObjectType({ description: 'Result of `correctClassification`.' })
export class CorrectClassificationPayload {
  @Field(() => Expression, { description: 'The expression after the correction.' })
  expression!: Expression
}

@ObjectType({ description: 'Current figures of the pipeline and its queue.' })
export class PipelineMetrics {
  @Field(() => String, { description: 'Version of the pipeline.' })
  version!: string
  @Field(() => Int, { description: 'Number of messages that wait to be written; a message holds up to 500 expressions.' })
  queueMessages!: number
  @Field(() => Float, { description: 'Waiting time of the oldest message in seconds.' })
  queueOldestSeconds!: number
  @Field(() => Int, { description: 'Number of expressions with a failed step that will be retried.' })
  retriesWaiting!: number
  @Field(() => Int, {
    description: 'Number of expressions that could not be written or completed; `redriveDeadLetters` processes them again.',
  })
  deadLetters!: number
  @Field(() => Int, {
    description: 'Number of queue messages that could not be parsed as expressions; `redriveDeadLetters` queues them again.',
  })
  deadMessages!: number
  @Field(() => Int, { description: 'Number of expressions in the analytics database.' })
  expressions!: number
}
