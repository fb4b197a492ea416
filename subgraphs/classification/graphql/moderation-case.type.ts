import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { type CaseState, caseStates, type ReportReason, reportReasons } from '../../../engines/analytics-store/moderation-cases.ts'
import { Administrator } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import { type CaseDecisionKind, caseDecisions } from '../moderation/decide-case.ts'
import { Expression, ExpressionToxicity, RateLimit } from './expression.type.ts'

export const ModerationReason = byEnumName(reportReasons)
registerEnum(ModerationReason, {
  name: 'ModerationReason',
  description: 'Reason for a report or a withdrawal.',
  values: {
    INSULT: 'It insults a person.',
    THREAT: 'It threatens violence.',
    HATE: 'It incites hatred against a group.',
    PERSONAL_DATA: 'It contains personal data.',
    SPAM: 'It is advertising or repeated.',
    OTHER: 'Another reason, which the note states.',
  },
})

const ModerationState = byEnumName(caseStates)
registerEnum(ModerationState, {
  name: 'ModerationState',
  description: 'State of a case of moderation.',
  values: {
    OPEN: 'It waits for a decision.',
    LEFT: 'The expression stays public.',
    RELEASED: 'The expression was held and is public now.',
    WITHDRAWN: 'The expression is withdrawn; this can be undone until `undoableUntil`.',
    RESTORED: 'The expression was withdrawn and is public again.',
  },
})

const ModerationDecision = byEnumName(caseDecisions)
registerEnum(ModerationDecision, {
  name: 'ModerationDecision',
  description: 'Decision about a case of moderation.',
  values: {
    LEAVE: 'A public expression stays.',
    WITHDRAW: 'The expression is withdrawn.',
    RELEASE: 'A held expression is published.',
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
  @Field(() => String, { nullable: true, description: 'Note of the reader; null without one.' })
  note!: string | null
  @Field(() => DateTime, { description: 'Time of the report.' })
  at!: Date
}

@ObjectType({ description: 'An expression that was reported, is above MODERATION_THRESHOLD, or was withdrawn.' })
export class ModerationCase {
  @Field(() => ID, { description: 'Id of the expression.' })
  id!: string
  @Field(() => ModerationState, { description: 'State of the case.' })
  state!: CaseState
  @Field(() => Boolean, { description: 'Whether the expression is held: no query and no stream returns it until it is released.' })
  isHeld!: boolean
  @Field(() => DateTime, {
    description:
      'Time at which the case was opened: by the first report, by the acceptance of a text above MODERATION_THRESHOLD, or by the report that reopened it.',
  })
  openedAt!: Date
  @Field(() => String, { nullable: true, description: 'The text, without personal data; null when it was erased.' })
  text!: string | null
  @Field(() => String, { nullable: true, description: 'Language of the text: ISO 639-1, otherwise 639-3; null when unknown.' })
  lang!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the statement; null without a text.' })
  createdAt!: Date | null
  @Field(() => ExpressionToxicity, { nullable: true, description: 'Toxicity of the text; null when it was not computed.' })
  toxicity!: ExpressionToxicity | null
  @Field(() => Int, { description: 'Number of readers who reported the expression.' })
  reportCount!: number
  @Field(() => ModerationReason, { nullable: true, description: 'Reason for the withdrawal; null for other decisions.' })
  reason!: string | null
  @Field(() => String, { nullable: true, description: 'Note of the decision; null without one.' })
  note!: string | null
  @Field(() => Administrator, { nullable: true, description: 'Who decided; null while the case is open.' })
  administrator!: Administrator | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the decision; null while the case is open.' })
  decidedAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time until which a withdrawal can be undone (MODERATION_UNDO_DAYS); then the text is deleted. Null for other states.',
  })
  undoableUntil!: Date | null
}

@ObjectType({ description: 'A case of moderation and its cursor.' })
export class ModerationCaseEdge {
  @Field(() => String, { description: 'Cursor of the case.' })
  cursor!: string
  @Field(() => ModerationCase, { description: 'The case.' })
  node!: ModerationCase
}

@ObjectType({ description: 'A page of cases of moderation.' })
export class ModerationCaseConnection implements Counted {
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
  @Field(() => Boolean, { nullable: true, description: 'Returns only held expressions, or only public ones.' })
  isHeld?: boolean | null
  @Field(() => ModerationCause, { nullable: true, description: 'Returns only cases with this cause.' })
  cause?: `${ModerationCause}` | null
  @Field(() => ModerationReason, { nullable: true, description: 'Returns only cases with a report for this reason.' })
  reportReason?: ReportReason | null
}

@InputType({ description: 'Filter for decided cases of moderation.' })
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
  @Field(() => String, { nullable: true, description: 'What a moderator should know, at most 1,000 characters.' })
  note?: string | null
}

@ObjectType({ description: 'The report that was stored.' })
export class ReportExpressionPayload {
  @Field(() => Expression, { nullable: true, description: 'The expression; null when it was withdrawn meanwhile.' })
  expression!: Expression | null
  @Field(() => Boolean, { description: 'Whether the report is new; false when this reader had reported the expression before.' })
  created!: boolean
  @Field(() => RateLimit, { nullable: true, description: 'Rate limit of the client address; null when no limit applies.' })
  rateLimit!: RateLimit | null
}

@InputType({ description: 'A decision about a case of moderation.' })
export class DecideModerationCaseInput {
  @Field(() => ID, { description: 'Id of the case: that of the expression.' })
  id!: string
  @Field(() => ModerationDecision, { description: 'The decision.' })
  decision!: CaseDecisionKind
  @Field(() => ModerationReason, { nullable: true, description: 'Reason; required for a withdrawal.' })
  reason?: ReportReason | null
  @Field(() => String, { nullable: true, description: 'Note for other moderators, at most 1,000 characters.' })
  note?: string | null
}

@ObjectType({ description: 'The case that was decided.' })
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

@ObjectType({ description: 'The expression that is public again.' })
export class UndoWithdrawalPayload {
  @Field(() => ModerationCase, { description: 'Its case.' })
  case!: ModerationCase
}
