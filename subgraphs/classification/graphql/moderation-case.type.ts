import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { type CaseState, caseStates, type ReportReason, reportReasons } from '../../../engines/analytics-store/moderation-cases.ts'
import { Administrator } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import { type CaseDecisionKind, caseDecisions } from '../moderation/decide-case.ts'
import { Expression, ExpressionToxicity, RateLimit } from './expression.type.ts'

export const ModerationReason = byEnumName(reportReasons)
registerEnum(ModerationReason, {
  name: 'ModerationReason',
  description: 'Reason for a report or a withdrawal.',
  values: {
    INSULT: 'The expression insults a person.',
    THREAT: 'The expression threatens violence.',
    HATE: 'The expression incites hatred against a group.',
    PERSONAL_DATA: 'The expression contains personal data.',
    SPAM: 'The expression is advertising or a repetition.',
    OTHER: 'Another reason, which the note states.',
  },
})

const ModerationState = byEnumName(caseStates)
registerEnum(ModerationState, {
  name: 'ModerationState',
  description: 'State of a moderation case.',
  values: {
    OPEN: 'The case waits for a decision.',
    LEFT: 'The expression stays public.',
    RELEASED: 'The expression was held and is public now.',
    WITHDRAWN: 'The expression is withdrawn; this can be undone until `undoableUntil`.',
    RESTORED: 'The expression was withdrawn and is public again.',
  },
})

const ModerationDecision = byEnumName(caseDecisions)
registerEnum(ModerationDecision, {
  name: 'ModerationDecision',
  description: 'Decision on a moderation case.',
  values: {
    LEAVE: 'The expression stays public.',
    WITHDRAW: 'The expression is withdrawn.',
    RELEASE: 'The held expression becomes public.',
  },
})

export enum ModerationCause {
  REPORTED = 'reported',
  TOXIC = 'toxic',
}
registerEnum(ModerationCause, {
  name: 'ModerationCause',
  description: 'Why an expression is in the moderation queue.',
  values: { REPORTED: 'Readers reported it.', TOXIC: 'Its toxicity reached MODERATION_THRESHOLD.' },
})

@ObjectType({ description: 'A report of a reader; the reader is not identified.' })
export class ExpressionReport {
  @Field(() => ModerationReason, { description: 'Reason that the reader chose.' })
  reason!: ReportReason
  @Field(() => String, { nullable: true, description: 'Note of the reader; null when the reader wrote no note.' })
  note!: string | null
  @Field(() => DateTime, { description: 'Time of the report.' })
  at!: Date
}

@ObjectType({ description: 'An expression that was reported, whose toxicity reached MODERATION_THRESHOLD, or that was withdrawn.' })
export class ModerationCase {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
  @Field(() => ModerationState, { description: 'State of the case.' })
  state!: CaseState
  @Field(() => Boolean, { description: 'Whether the expression is held: no query and no stream returns it until it is released.' })
  isHeld!: boolean
  @Field(() => DateTime, {
    description: 'Time at which the case was opened or last reopened, by a report or because the toxicity reached MODERATION_THRESHOLD.',
  })
  openedAt!: Date
  @Field(() => String, { nullable: true, description: 'The text, without personal data; null when it was erased.' })
  text!: string | null
  @Field(() => String, { nullable: true, description: 'Language of the text: ISO 639-1, otherwise 639-3; null when unknown.' })
  lang!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the statement; null when the text was erased.' })
  createdAt!: Date | null
  @Field(() => ExpressionToxicity, { nullable: true, description: 'Toxicity of the text; null when it was not computed.' })
  toxicity!: ExpressionToxicity | null
  @Field(() => Int, { description: 'Number of readers who reported the expression.' })
  reportCount!: number
  @Field(() => ModerationReason, { nullable: true, description: 'Reason for the withdrawal; null unless the expression was withdrawn.' })
  reason!: string | null
  @Field(() => String, { nullable: true, description: 'Note of the decision; null when the decision has no note.' })
  note!: string | null
  @Field(() => Administrator, { nullable: true, description: 'The administrator who decided; null while the case is open.' })
  administrator!: Administrator | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the decision; null while the case is open.' })
  decidedAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time until which a withdrawal can be undone (MODERATION_UNDO_DAYS); afterwards the text is deleted. Null unless the state is WITHDRAWN.',
  })
  undoableUntil!: Date | null
}

@ObjectType({ description: 'An edge of `ModerationCaseConnection`: a moderation case and its cursor.' })
export class ModerationCaseEdge {
  @Field(() => String, { description: 'Cursor of the case.' })
  cursor!: string
  @Field(() => ModerationCase, { description: 'The case.' })
  node!: ModerationCase
}

@ObjectType({ description: 'A page of moderation cases.' })
export class ModerationCaseConnection implements CountablePage {
  @Field(() => [ModerationCaseEdge], { description: 'The cases of the page with their cursors.' })
  edges!: readonly ModerationCaseEdge[]
  @Field(() => [ModerationCase], { description: 'The cases of the page.' })
  nodes!: readonly ModerationCase[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Filter for the moderation queue.' })
export class ModerationQueueFilterInput {
  @Field(() => Boolean, { nullable: true, description: 'true: returns only held expressions; false: returns only public expressions.' })
  isHeld?: boolean | null
  @Field(() => ModerationCause, { nullable: true, description: 'Returns only cases with this cause.' })
  cause?: `${ModerationCause}` | null
  @Field(() => ModerationReason, { nullable: true, description: 'Returns only cases with a report for this reason.' })
  reportReason?: ReportReason | null
}

@InputType({ description: 'Filter for decided moderation cases.' })
export class ModerationDecisionFilterInput {
  @Field(() => [ModerationState], { nullable: true, description: 'Returns only cases in these states.' })
  states?: CaseState[] | null
}

@InputType({ description: 'The expression to report.' })
export class ReportExpressionInput {
  @Field(() => ID, { description: 'Id of the expression.' })
  expressionId!: string
  @Field(() => ModerationReason, { description: 'Reason for the report.' })
  reason!: ReportReason
  @Field(() => String, { nullable: true, description: 'Note for the moderators, at most 1,000 characters.' })
  note?: string | null
}

@ObjectType({ description: 'Result of `reportExpression`.' })
export class ReportExpressionPayload {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was withdrawn meanwhile.' })
  expression!: Expression | null
  @Field(() => Boolean, { description: 'Whether the report is new; false when this reader had reported the expression before.' })
  created!: boolean
  @Field(() => RateLimit, { nullable: true, description: 'Rate limit of the client address; null when no limit applies.' })
  rateLimit!: RateLimit | null
}

@InputType({ description: 'A decision on a moderation case.' })
export class DecideModerationCaseInput {
  @Field(() => ID, { description: 'Id of the case, equal to the id of the expression.' })
  id!: string
  @Field(() => ModerationDecision, { description: 'The decision.' })
  decision!: CaseDecisionKind
  @Field(() => ModerationReason, { nullable: true, description: 'Reason; required for a withdrawal.' })
  reason?: ReportReason | null
  @Field(() => String, { nullable: true, description: 'Note for other moderators, at most 1,000 characters.' })
  note?: string | null
}

@ObjectType({ description: 'Result of `decideModerationCase`.' })
export class DecideModerationCasePayload {
  @Field(() => ModerationCase, { description: 'The case after the decision.' })
  case!: ModerationCase
  @Field(() => ID, {
    nullable: true,
    description: 'Global id (Node) of the withdrawn expression, for cache invalidation; null for another decision.',
  })
  deletedNodeId!: string | null
}

@InputType({ description: 'The withdrawal to undo.' })
export class UndoWithdrawalInput {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
}

@ObjectType({ description: 'Result of `undoWithdrawal`.' })
export class UndoWithdrawalPayload {
  @Field(() => ModerationCase, { description: 'The moderation case of the expression.' })
  case!: ModerationCase
}
