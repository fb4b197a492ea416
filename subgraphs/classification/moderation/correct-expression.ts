import { z } from 'zod'
import type { AnalyticsStore, ExpressionRecord } from '../../../engines/analytics-store/analytics-store.ts'
import type { ModerationCases } from '../../../engines/analytics-store/moderation-cases.ts'
import type { AuditedRequest, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { type Clock, rfc3339 } from '../../../foundation/clock.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { EngineUnavailable, Fault, InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { labelOf, saveWithCurrentDomains } from '../expression/current-domains.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { indexedOf, queuedOf, recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'

const storeLimitMs = 2000
const storePollMs = 100

export interface ModerationDependencies {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly index: SearchIndex
  /** model of the vectors in the index */
  readonly model: string
  readonly retries: StepRetries
  readonly cases: Pick<ModerationCases, 'find'>
  readonly audit: AuditTrail
  readonly topics: Pick<TopicTrainer, 'model' | 'tree'>
  readonly clock: Clock
  readonly log: Log
}

/** The request of an administrator. */
export interface ModerationRequest extends AuditedRequest {
  readonly deadline: CommitWindow
}

/** Values that replace those of the pipeline; an absent member stays unchanged. */
export interface Correction {
  /** id of a domain or sub-domain; null removes the domain */
  readonly domain?: string | null | undefined
  /** name of that member in the input, for errors */
  readonly domainMember?: string
  readonly sentiment?: 'positive' | 'neutral' | 'negative' | null | undefined
}

/**
 * Erases an expression, also one that is queued, withheld or a dead letter; the audit record is written first. The change log notifies all consumers,
 * which drop the expression.
 * @returns false when it does not exist @throws {EngineUnavailable} also when its existence is unknown
 */
export async function withdrawExpression(parts: ModerationDependencies, id: string, request: ModerationRequest): Promise<boolean> {
  const { store, audit, cases } = parts
  const isUnwritten = (await store.findExpressions([id])).length === 0
  const isWithheld = isUnwritten && (await cases.find([id])).some(({ content }) => content !== null)
  if (isUnwritten && !isWithheld && !(await isUnderWay(parts, id))) return false
  await audit.record(request, [{ action: 'expression.withdraw', outcome: 'done', target: id }])
  const isWithdrawn = await store.withdrawExpression(id, { evenUnwritten: isUnwritten, window: request.deadline })
  if (!isWithdrawn && !isWithheld) return false
  await removeFromQueuesAndIndex(parts, id)
  return true
}

interface Queues {
  readonly retries: Pick<StepRetries, 'remove'>
  readonly store: Pick<ModerationDependencies['store'], 'removeDeadLetters'>
  readonly index: Pick<SearchIndex, 'remove'>
  readonly log: Log
}

/** Removes a withdrawn expression from the retries, the dead letters and the index. */
export async function removeFromQueuesAndIndex(parts: Queues, id: string): Promise<void> {
  const { retries, store, index } = parts
  await retries.remove([id])
  await store.removeDeadLetters([id])
  await updateIndex(parts, () => index.remove([id]))
}

/**
 * Replaces values of the pipeline by those of an administrator. The audit trail contains the previous and new values; the change log
 * announces the change.
 * @throws {NotFound} @throws {InvalidInput} @throws {EngineUnavailable}
 * @throws {Fault} CONFLICT when it is queued for longer than 2 s, or was changed or withdrawn concurrently
 */
export async function correctClassification(
  parts: ModerationDependencies,
  id: string,
  correction: Correction,
  request: ModerationRequest,
): Promise<ExpressionDocument> {
  const { store, audit, clock } = parts
  const record = await storedExpression(parts, id)
  const document = ExpressionDocument.parse(record.enrichment)
  const { classification, sentiment } = document
  const corrected: ExpressionDocument = {
    ...document,
    // higher than any revision that a concurrent retry or re-classification may write
    revision: Math.max(clock.now(), document.revision + 2),
    classification:
      correction.domain === undefined
        ? classification
        : await classificationBy(parts, correction.domain, document, correction.domainMember),
    sentiment:
      correction.sentiment == null ? sentiment : { label: correction.sentiment, score: scores[correction.sentiment], confidence: 1 },
    indexedAt: null,
  }
  await audit.record(request, [
    { action: 'expression.correct', outcome: 'done', target: id, details: { before: decided(document), after: decided(corrected) } },
  ])
  const changed = recordOf(queuedOf(record, corrected, record.embedding))
  const { updated } = await (correction.domain === undefined
    ? store.saveExpressions([changed], request.deadline)
    : saveWithCurrentDomains(store, [changed], request.deadline))
  if (updated === 0)
    throw new Fault('CONFLICT', 'The expression was changed or withdrawn at the same time; try again', { retryAfterMs: 1000 })
  const indexedAt = rfc3339(clock.now())
  const isDone = await putInIndex(parts, changed, indexedAt)
  return isDone ? { ...corrected, indexedAt } : corrected
}

interface ExpressionSources {
  readonly store: Pick<ModerationDependencies['store'], 'findExpressions' | 'hasDeadLetter'>
  readonly index: Pick<ModerationDependencies['index'], 'find'>
}

/** Waits for an expression that was accepted a moment ago. @throws {NotFound} @throws {Fault} CONFLICT when it is queued for longer than 2 s */
export async function storedExpression(parts: ExpressionSources, id: string): Promise<ExpressionRecord<ExpressionDocument>> {
  for (const until = performance.now() + storeLimitMs; ; await pause(storePollMs)) {
    const [record] = await parts.store.findExpressions([id])
    if (record !== undefined) return record
    if (!(await isUnderWay(parts, id))) throw new NotFound('Expression not found')
    if (performance.now() > until) throw new Fault('CONFLICT', 'The expression is still being written; try again', { retryAfterMs: 1000 })
  }
}

const scores = { positive: 1, neutral: 0, negative: -1 } as const

async function classificationBy(
  { topics, clock }: Pick<ModerationDependencies, 'topics' | 'clock'>,
  id: string | null,
  { classification, lang }: ExpressionDocument,
  member = 'domainId',
): Promise<NonNullable<ExpressionDocument['classification']>> {
  // a domain that was published a moment ago is known before the model is trained
  const [model, tree] = [await topics.model(), await topics.tree()]
  const before = {
    candidates: classification?.candidates ?? [],
    model: classification?.model ?? `taxonomy-${model.taxonomyVersion}`,
    taxonomyNumber: model.taxonomyNumber,
    correctedAt: rfc3339(clock.now()),
  }
  if (id === null) return { ...before, domain: null, subDomain: null, method: 'abstained' }
  // a retired domain stands for its successor
  const current = tree.currentOf(id)
  if (current == null) throw new InvalidInput(`${member} is unknown`, [{ code: 'unknown', path: [member], message: 'Unknown domain' }])
  const decided = (each: string) => ({ id: each, label: labelOf(each, tree, lang?.code ?? 'und'), score: 1 })
  const domain = tree.domainOf(current)
  return { ...before, domain: decided(domain), subDomain: current === domain ? null : decided(current), method: 'hint' }
}

const decided = ({ classification, sentiment }: ExpressionDocument) => ({
  domain: classification?.domain?.id ?? null,
  subDomain: classification?.subDomain?.id ?? null,
  sentiment: sentiment?.label ?? null,
})

/** Returns whether an expression missing in the store was accepted: the index has it, or it is a dead letter. */
async function isUnderWay({ store, index }: ExpressionSources, id: string): Promise<boolean> {
  if (!z.guid().safeParse(id).success) return false
  return (await store.hasDeadLetter(id)) || (await index.find([id])).size > 0
}

interface IndexUpdateParts {
  readonly store: Pick<ModerationDependencies['store'], 'findExpressions'>
  readonly index: Pick<SearchIndex, 'put' | 'remove'>
  readonly model: string
  readonly log: Log
}

/** Writes a changed expression to the index, unless it is withdrawn meanwhile. @returns whether the index was reached */
export function putInIndex(parts: IndexUpdateParts, record: ExpressionRecord<ExpressionDocument>, indexedAt: string): Promise<boolean> {
  const { store, index, model } = parts
  return updateIndex(parts, async () => {
    await index.put([indexedOf(record, indexedAt, model)])
    // a withdrawal that was committed before this write may have removed it from the index too early
    if ((await store.findExpressions([record.id])).length === 0) await index.remove([record.id])
  })
}

/** Updates the index at once; a failure is harmless, because the index follows the change log. */
export async function updateIndex({ log }: { readonly log: Log }, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    log.warn({ reason: error.message }, 'the search index will receive a change later')
    return false
  }
}
