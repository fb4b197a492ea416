import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { CasePlace, ModerationCaseRow, StoredReport } from '../../../engines/analytics-store/moderation-cases.ts'
import { NotFound } from '../../../foundation/fault.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import { type PageRequest, pageArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { ExpressionDocument, readQueued } from '../expression/expression-document.ts'
import { type CaseDependencies, decideCase, undoWithdrawal } from '../moderation/decide-case.ts'
import { type ReportDependencies, reportExpression } from '../moderation/report-expression.ts'
import type { Expression } from './expression.type.ts'
import {
  DecideModerationCaseInput,
  DecideModerationCasePayload,
  ExpressionReport,
  ModerationCase,
  ModerationCaseConnection,
  ModerationDecisionFilterInput,
  ModerationQueueFilterInput,
  ReportExpressionInput,
  ReportExpressionPayload,
  UndoWithdrawalInput,
  UndoWithdrawalPayload,
} from './moderation-case.type.ts'

const casesOfPage = { defaultSize: 20, maxSize: 100 } as const
const reportsOfCase = 20
export const moderators = userWith('super_admin')

@ArgsType()
class CasesArgs extends pageArguments(casesOfPage) {}

export interface ModerationCaseDependencies extends CaseDependencies, Omit<ReportDependencies, 'cases'> {
  /** returns an expression by id, batched per request */
  readonly find: (id: string, context: RequestContext) => Promise<Expression | null>
}

/** Reports of readers, and the decisions of moderators about expressions. */
@Resolver(() => ModerationCase)
export class ModerationCaseResolver {
  readonly #parts: ModerationCaseDependencies

  constructor(parts: ModerationCaseDependencies) {
    this.#parts = parts
  }

  @Mutation(() => ReportExpressionPayload, {
    description: 'Reports an expression to the moderators, once per account or, without signing in, per client network (REPORT_RATE).',
  })
  async reportExpression(
    @Arg('input', () => ReportExpressionInput) { expressionId, reason, note = null }: ReportExpressionInput,
    @Ctx() context: RequestContext,
  ): Promise<ReportExpressionPayload> {
    const { isNew, rateLimit } = await reportExpression(this.#parts, { expressionId, reason, note }, context)
    return { expression: await this.#parts.find(expressionId, context), created: isNew, rateLimit }
  }

  @Query(() => ModerationCaseConnection, { description: 'Expressions that wait for a moderator, longest waiting first.' })
  @Authorise(moderators)
  async moderationQueue(
    @Args(() => CasesArgs) args: CasesArgs,
    @Arg('filter', () => ModerationQueueFilterInput, { nullable: true, description: 'Restricts the list; without it, all are returned.' })
    filter?: ModerationQueueFilterInput | null,
  ): Promise<ModerationCaseConnection> {
    const { cases } = this.#parts
    const cursors = new Cursors(['moderationQueue'], filter)
    const window = windowOf(args, cursors)
    const wanted = {
      isHeld: filter?.isHeld ?? undefined,
      cause: filter?.cause ?? undefined,
      reason: filter?.reportReason ?? undefined,
    }
    const page = pageOf(await cases.queue(window, wanted), window, ({ openedAt, id }) => cursors.ofMoment(openedAt, id))
    return connectionOf(page, () => cases.countQueue(wanted))
  }

  @Query(() => ModerationCaseConnection, {
    description: 'Decided cases, latest decision first; each is deleted MODERATION_UNDO_DAYS after its decision.',
  })
  @Authorise(moderators)
  async moderationDecisions(
    @Args(() => CasesArgs) args: CasesArgs,
    @Arg('filter', () => ModerationDecisionFilterInput, {
      nullable: true,
      description: 'Restricts the list; without it, all are returned.',
    })
    filter?: ModerationDecisionFilterInput | null,
  ): Promise<ModerationCaseConnection> {
    const { cases } = this.#parts
    const cursors = new Cursors(['moderationDecisions'], filter)
    const window = windowOf(args, cursors)
    const states = filter?.states ?? undefined
    const rows = await cases.decisions(window, states)
    const page = pageOf(rows, window, ({ decidedAt, openedAt, id }) => cursors.ofMoment(decidedAt ?? openedAt, id))
    return connectionOf(page, () => cases.countDecisions(states))
  }

  @Query(() => ModerationCase, { nullable: true, description: 'Returns one moderation case; null when the expression has none.' })
  @Authorise(moderators)
  async moderationCase(@Arg('id', () => ID, { description: 'Id of the expression.' }) id: string): Promise<ModerationCase | null> {
    const [row] = await this.#parts.cases.find([id])
    return row === undefined ? null : typeOfCase(row)
  }

  @Mutation(() => DecideModerationCasePayload, { description: 'Decides an open moderation case; later decisions are refused.' })
  @Authorise(moderators)
  async decideModerationCase(
    @Arg('input', () => DecideModerationCaseInput) { id, decision, reason, note }: DecideModerationCaseInput,
    @Ctx() context: RequestContext,
  ): Promise<DecideModerationCasePayload> {
    await decideCase(this.#parts, id, decision, { reason, note }, context)
    return { case: await this.#caseOf(id), deletedNodeId: decision === 'withdraw' ? nodeIdOf('Expression', id) : null }
  }

  @Mutation(() => UndoWithdrawalPayload, {
    description: 'Publishes a withdrawn expression again, with its votes, while its text is retained (MODERATION_UNDO_DAYS).',
  })
  @Authorise(moderators)
  async undoWithdrawal(
    @Arg('input', () => UndoWithdrawalInput) { id }: UndoWithdrawalInput,
    @Ctx() context: RequestContext,
  ): Promise<UndoWithdrawalPayload> {
    await undoWithdrawal(this.#parts, id, context)
    return { case: await this.#caseOf(id) }
  }

  @FieldResolver(() => [ExpressionReport], { nullable: true, description: 'The latest reports, at most 20.' })
  @Authorise(moderators)
  reports(@Root() { id }: ModerationCase, @Ctx() context: RequestContext): Promise<readonly StoredReport[]> {
    return loader<string, readonly StoredReport[]>(context, 'reports of cases', async (ids) => {
      const reports = await this.#parts.cases.reportsOf(ids, reportsOfCase)
      return ids.map((each) => reports.get(each) ?? [])
    }).load(id)
  }

  async #caseOf(id: string): Promise<ModerationCase> {
    const [row] = await this.#parts.cases.find([id])
    if (row === undefined) throw new NotFound('Case not found')
    return typeOfCase(row)
  }
}

const windowOf = (args: PageRequest, cursors: Cursors): PageWindow<CasePlace> =>
  pageWindow(args, casesOfPage, (cursor, argument) => {
    const { moment: at, id } = cursors.momentOf(cursor, argument, isUuid)
    return { at, id }
  })

function connectionOf(
  { edges, pageInfo }: ReturnType<typeof pageOf<ModerationCaseRow>>,
  count: () => Promise<number>,
): ModerationCaseConnection {
  const shown = edges.map(({ node, cursor }) => ({ node: typeOfCase(node), cursor }))
  return { edges: shown, nodes: shown.map(({ node }) => node), pageInfo, count }
}

function typeOfCase({ content, enrichment, reports, subject, eraseAt, ...row }: ModerationCaseRow): ModerationCase {
  const withheld = content == null ? undefined : readQueued(content).document
  const document = withheld ?? (enrichment == null ? undefined : ExpressionDocument.parse(enrichment))
  return {
    ...row,
    isHeld: row.state === 'open' && withheld !== undefined,
    text: document?.text ?? null,
    lang: document?.lang?.code ?? null,
    createdAt: document === undefined ? null : new Date(document.createdAt),
    toxicity: document?.toxicity ?? null,
    reportCount: reports,
    administrator: subject === null ? null : { id: subject },
    undoableUntil: row.state === 'withdrawn' && withheld !== undefined ? eraseAt : null,
  }
}
