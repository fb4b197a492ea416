import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { byEnumName } from '../../../foundation/graphql/enum-names.ts'
import { type IngestRefusalCode, ingestRefusalCodes } from '../intake/refusal-codes.ts'
import { SentimentLabel } from './expression.enum.ts'
import { IngestExpressionInput } from './expression.input.ts'
import { Expression } from './expression.type.ts'
import { InputEntry } from './input-entry.type.ts'

@InputType({ description: 'Expressions that come together' })
export class IngestExpressionsInput {
  @Field(() => [IngestExpressionInput], { description: '1 to 200' })
  expressions!: IngestExpressionInput[]
}

const RefusalCode = byEnumName(ingestRefusalCodes)
registerEnumType(RefusalCode, { name: 'IngestRefusalCode', description: 'Why an expression is refused' })

@ObjectType({ description: 'Why an expression was not taken in' })
export class IngestRefusal {
  @Field(() => RefusalCode, { description: 'Its code, as that of an error would be' })
  code!: IngestRefusalCode
  @Field(() => String, { description: 'The reason' })
  message!: string
  @Field(() => [InputEntry], { description: 'BAD_USER_INPUT: which members of the expression break which rules' })
  entries!: readonly InputEntry[]
}

@ObjectType({ description: 'What became of one of several expressions' })
export class IngestedExpression {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was refused' })
  expression!: Expression | null
  @Field(() => Boolean, { description: 'false: it was here already, or refused' })
  created!: boolean
  @Field(() => IngestRefusal, { nullable: true, description: 'Why it was refused' })
  refusal!: IngestRefusal | null
}

@ObjectType({ description: 'What became of expressions that came together' })
export class IngestExpressionsPayload {
  @Field(() => [IngestedExpression], { description: 'In the order in which they came' })
  results!: IngestedExpression[]
  @Field(() => Int, { description: 'New ones' })
  created!: number
  @Field(() => Int, { description: 'Those that were here already' })
  known!: number
  @Field(() => Int, { description: 'Refused ones' })
  refused!: number
}

@InputType({ description: 'An expression that is to go' })
export class WithdrawExpressionInput {
  @Field(() => ID, { description: 'Its id' })
  id!: string
}

@ObjectType({ description: 'An expression that is gone' })
export class WithdrawExpressionPayload {
  @Field(() => ID, { description: 'Its id, which stays taken' })
  id!: string
  @Field(() => ID, { description: 'Its node id: what caches give up' })
  deletedNodeId!: string
}

@InputType({ description: 'What is decided instead of the pipeline; an absent member stays as it is' })
export class CorrectClassificationInput {
  @Field(() => ID, { description: 'Id of the expression' })
  id!: string
  @Field(() => ID, { nullable: true, description: 'Id of a domain or sub-domain; null: of none' })
  domain?: string | null
  @Field(() => SentimentLabel, { nullable: true, description: 'Sentiment' })
  sentiment?: `${SentimentLabel}` | null
}

@ObjectType({ description: 'An expression that was corrected' })
export class CorrectClassificationPayload {
  @Field(() => Expression, { description: 'The expression as it is now' })
  expression!: Expression
}

@ObjectType({ description: 'What the pipeline and its queue do now' })
export class PipelineMetrics {
  @Field(() => String, { description: 'Version of the steps' })
  version!: string
  @Field(() => Int, { description: 'Messages that wait to be written, each of up to 500 expressions' })
  queueMessages!: number
  @Field(() => Float, { description: 'How long the oldest of them waits, in seconds' })
  queueOldestSeconds!: number
  @Field(() => Int, { description: 'Expressions of which a failed step is to be tried again' })
  retriesWaiting!: number
  @Field(() => Int, {
    description: 'Expressions that could not be written or completed; `redriveDeadLetters` tries them again',
  })
  deadLetters!: number
  @Field(() => Int, {
    description: 'Messages that hold no expressions that could be read; `redriveDeadLetters` gives them to the workers again',
  })
  deadMessages!: number
  @Field(() => Int, { description: 'Expressions in the analytics store' })
  expressions!: number
}
