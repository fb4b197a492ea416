import type { AnalyticsStore, ExpressionRecord } from '../../../engines/analytics-store/analytics-store.ts'
import type { CaseDecision, ModerationCases, ReportReason } from '../../../engines/analytics-store/moderation-cases.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { type Clock, rfc3339 } from '../../../foundation/clock.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { required } from '../../../foundation/validation/violation.ts'
import { saveWithCurrentDomains } from '../expression/current-domains.ts'
import { ExpressionDocument, readQueued } from '../expression/expression-document.ts'
import { queuedOf, recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'
import { type ModerationRequest, putInIndex, removeFromQueuesAndIndex } from './correct-expression.ts'
import { noteViolations } from './report-expression.ts'

export interface CaseDependencies {
  readonly cases: ModerationCases
  readonly store: Pick<AnalyticsStore<ExpressionDocument>, 'findExpressions' | 'readTaxonomy' | 'removeDeadLetters'>
  readonly index: Pick<SearchIndex, 'put' | 'remove'>
  /** model of the vectors in the index */
  readonly model: string
  readonly retries: Pick<StepRetries, 'schedule' | 'remove'>
  readonly audit: Pick<AuditTrail, 'record'>
  readonly clock: Clock
  readonly log: Log
  /** days in which a withdrawal can be undone */
  readonly undoDays: number
}

export const caseDecisions = ['leave', 'withdraw', 'release'] as const
export type CaseDecisionKind = (typeof caseDecisions)[number]

export interface DecisionReason {
  readonly reason?: ReportReason | null | undefined
  readonly note?: string | null | undefined
}

/** Returns a public expression as the queue of expressions holds it. */
export const contentOf = (record: ExpressionRecord): unknown =>
  queuedOf(record, ExpressionDocument.parse(record.enrichment), record.embedding)

/**
 * Decides an open case, with its audit record.
 * @throws {InvalidInput} for a withdrawal without a reason  @throws {NotFound} for an unknown case
 * @throws {Fault} CONFLICT if another person decided it, its text was erased, or the decision does not fit it
 */
export async function decideCase(
  parts: CaseDependencies,
  id: string,
  kind: CaseDecisionKind,
  why: DecisionReason,
  request: ModerationRequest,
): Promise<void> {
  refuseViolations([...(kind === 'withdraw' && why.reason == null ? [required(['reason'])] : []), ...noteViolations(why.note)])
  const decision = decisionOf(parts, why, request)
  const options = {
    window: request.deadline,
    within: recording(parts, { action: 'moderation.decide', id, details: { decision: kind, reason: decision.reason } }, request),
  }
  if (kind === 'leave') return parts.cases.leave(id, decision, options)
  if (kind === 'release') return publish(parts, id, decision, { ...options, from: 'open' })
  await parts.cases.withdraw(id, decision, true, options)
  await removeFromQueuesAndIndex(parts, id)
}

/**
 * Withdraws a public expression and retains it for the days in which this can be undone.
 * @throws {NotFound} @throws {Fault} CONFLICT if it is withdrawn already
 */
export async function withdrawRestorable(
  parts: CaseDependencies,
  id: string,
  why: DecisionReason,
  request: ModerationRequest,
): Promise<void> {
  const decision = decisionOf(parts, why, request)
  const details = { restorable: true, reason: decision.reason }
  const within = recording(parts, { action: 'expression.withdraw', id, details }, request)
  await parts.cases.withdraw(id, decision, false, { window: request.deadline, within })
  await removeFromQueuesAndIndex(parts, id)
}

/** Publishes a withdrawn expression again. @throws {NotFound} @throws {Fault} CONFLICT if it is not withdrawn, or was erased */
export async function undoWithdrawal(parts: CaseDependencies, id: string, request: ModerationRequest): Promise<void> {
  const within = recording(parts, { action: 'expression.restore', id, details: {} }, request)
  await publish(parts, id, decisionOf(parts, {}, request), { window: request.deadline, within, from: 'withdrawn' })
}

function decisionOf(
  { undoDays, clock }: CaseDependencies,
  { reason, note }: DecisionReason,
  { principal }: ModerationRequest,
): CaseDecision {
  refuseViolations(noteViolations(note))
  const { issuer = null, subject = null } = principal.user ?? {}
  return { issuer, subject, reason: reason ?? null, note: note?.trim() || null, eraseAt: new Date(clock.now() + undoDays * 86_400_000) }
}

const recording =
  (
    { audit }: CaseDependencies,
    {
      action,
      id,
      details,
    }: {
      readonly action: 'moderation.decide' | 'expression.withdraw' | 'expression.restore'
      readonly id: string
      readonly details: object
    },
    request: ModerationRequest,
  ) =>
  (tx: Transaction): Promise<void> =>
    audit.record(request, [{ action, outcome: 'done', target: id, details: { ...details } }], tx)

interface PublishOptions {
  readonly from: 'open' | 'withdrawn'
  readonly window: CommitWindow
  readonly within: (tx: Transaction) => Promise<void>
}

async function publish(parts: CaseDependencies, id: string, decision: CaseDecision, options: PublishOptions): Promise<void> {
  const { cases, store, retries, clock } = parts
  const queued = readQueued(await cases.contentFor(id, options.from))
  const { document, given } = queued
  // higher than what any reader or index has seen
  const revision = Math.max(clock.now(), document.revision + 2)
  const record = recordOf({ ...queued, document: { ...document, revision, indexedAt: null } })
  let published = record
  await saveWithCurrentDomains(
    {
      readTaxonomy: () => store.readTaxonomy(),
      async saveExpressions([current = record], _, { onlyCurrentDomains = false } = {}) {
        published = current
        await cases.publish(current, decision, { ...options, onlyCurrentDomains })
        return { added: 1, updated: 0 }
      },
    },
    [record],
  )
  if (given != null) await retries.schedule([{ id, given }])
  await putInIndex(parts, published, rfc3339(clock.now()))
}
