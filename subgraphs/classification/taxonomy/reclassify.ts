import type { AnalyticsStore, ExpressionRecord, ScanConditions } from '../../../engines/analytics-store/analytics-store.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { leader } from '../../../engines/relational/leadership/leader.ts'
import { LeaseLost } from '../../../engines/relational/leadership/lease.ts'
import type { SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { classificationOf, decide } from '../analysis/pipeline.ts'
import { nearestExamples } from '../analysis/topic/nearest-examples.ts'
import type { TopicModel } from '../analysis/topic/topic-model.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { saveWithCurrentDomains, withCurrentDomains, withDocument } from '../expression/current-domains.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import type { ReclassificationFilter, TaxonomyJob, TaxonomyJobs } from './taxonomy-jobs.ts'

export interface ReclassificationParts {
  readonly database: Database
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly jobs: TaxonomyJobs
  readonly topics: Pick<TopicTrainer, 'model' | 'refresh'>
  readonly encoder: SentenceEncoder
  readonly log: Log
  /** interval between looks for new jobs; a second when absent */
  readonly everyMs?: number
}

const usualEveryMs = 1000
/** expressions that are examined for the filter at once */
const scanned = 2000
const maxBatch = 50
/** batches per second, so that other writers take turns */
const batchesPerSecond = 5
/** attempts to write an expression that others change at the same time */
const maxAttempts = 5
const taxonomyEveryMs = 5000

/** Re-classifies stored expressions, the oldest job first; one of several workers is active, another one continues where it ended. */
export function reclassifying(parts: ReclassificationParts): Part {
  const { database, jobs, log, everyMs = usualEveryMs } = parts
  return leader({
    name: 're-classification',
    database,
    log,
    tryEveryMs: Math.min(everyMs, 2000),
    async work(lease, signal) {
      for (; !signal.aborted; await pause(everyMs, signal)) {
        const job = await jobs.next(['outdated', 'reclassify'])
        if (job !== undefined) await runJob(parts, job, lease.check, signal)
      }
    },
  })
}

/** Does a job from where it stopped. @param mayWrite - throws LeaseLost when another process does this work */
export async function runJob(parts: ReclassificationParts, job: TaxonomyJob, mayWrite: () => void, signal: AbortSignal): Promise<void> {
  const { jobs, store, topics, log } = parts
  try {
    await topics.refresh()
    let refreshedAt = performance.now()
    const conditions = conditionsOf(job)
    if (job.state === 'waiting') await jobs.start(job.id, job.kind === 'outdated' ? null : await countMatching(store, conditions, signal))
    let after = job.afterId ?? undefined
    do {
      const { ids, upTo } = await store.scanExpressions(after, scanned, conditions)
      for (const batch of batchesOf(ids, job.rate)) {
        signal.throwIfAborted()
        if (performance.now() - refreshedAt > taxonomyEveryMs) {
          await topics.refresh()
          refreshedAt = performance.now()
        }
        const begun = performance.now()
        mayWrite()
        const { changed, kept } = await reclassifyAll(parts, batch, job.kind === 'outdated')
        after = batch.at(-1)
        if (!(await jobs.progress(job.id, { afterId: after ?? null, examined: batch.length, changed, kept }))) return
        await pause(Math.max(0, (batch.length * 1000) / job.rate - (performance.now() - begun)), signal)
      }
      after = upTo
      if (after !== undefined && !(await jobs.progress(job.id, { afterId: after, examined: 0, changed: 0, kept: 0 }))) return
    } while (after !== undefined && !signal.aborted)
    signal.throwIfAborted()
    await jobs.finish(job.id, 'done', null)
  } catch (error) {
    // another process continues, or this one when the engine is back
    if (signal.aborted || error instanceof EngineUnavailable || error instanceof LeaseLost) throw error
    log.error({ err: error, jobId: job.id }, 'a re-classification failed')
    await jobs.finish(job.id, 'failed', { reason: messageOf(error) })
  }
}

function conditionsOf({ kind, filter, version }: Pick<TaxonomyJob, 'kind' | 'filter' | 'version'>): ScanConditions {
  if (kind === 'outdated') return { isOutdated: true }
  const { domains, lang, from, to, outdatedOnly = false }: ReclassificationFilter = filter
  return {
    ...(domains !== undefined && { domains }),
    ...(lang !== undefined && { lang }),
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    ...(outdatedOnly && { before: version }),
  }
}

async function countMatching(
  store: Pick<AnalyticsStore, 'scanExpressions'>,
  conditions: ScanConditions,
  signal: AbortSignal,
): Promise<number> {
  let total = 0
  let after: string | undefined
  do {
    signal.throwIfAborted()
    const { ids, upTo } = await store.scanExpressions(after, scanned, conditions)
    total += ids.length
    after = upTo
  } while (after !== undefined)
  return total
}

function* batchesOf(ids: readonly string[], rate: number): Generator<readonly string[]> {
  const size = Math.min(maxBatch, Math.max(1, Math.floor(rate / batchesPerSecond)))
  for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size)
}

interface Reclassified {
  readonly changed: number
  /** corrections by people */
  readonly kept: number
}

/** @param isFollowing - only moves expressions out of retired and moved domains */
async function reclassifyAll(parts: ReclassificationParts, ids: readonly string[], isFollowing: boolean): Promise<Reclassified> {
  const model = await parts.topics.model()
  let changed = 0
  let kept = 0
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const records = (await parts.store.findExpressions(ids)).map((record) =>
      withDocument(record, ExpressionDocument.parse(record.enrichment)),
    )
    kept = records.filter(({ enrichment: { classification } }) => classification?.correctedAt !== undefined).length
    const next: ExpressionRecord<ExpressionDocument>[] = []
    for (const record of records) {
      const document = await reclassified(record, model, parts.encoder, isFollowing)
      if (document !== record.enrichment) next.push(withDocument(record, document))
    }
    if (next.length === 0) break
    const { updated } = await saveWithCurrentDomains(parts.store, next, undefined, { onlyNewer: true })
    changed += updated
    // the others were changed or withdrawn meanwhile: they are read again
    if (updated === next.length) break
  }
  return { changed, kept }
}

/** Returns the document as the model classifies it; the same object if that changes nothing. A correction or a hint only follows its domain. */
export async function reclassified(
  { enrichment: document, embedding, embeddingModel }: ExpressionRecord<ExpressionDocument>,
  model: TopicModel,
  encoder: SentenceEncoder,
  isFollowing = false,
): Promise<ExpressionDocument> {
  const settled = withCurrentDomains(document, model.tree)
  const before = settled.classification
  if (before?.correctedAt !== undefined || before?.method === 'hint' || before?.method === 'llm') return settled
  const decided = document.classification?.subDomain ?? document.classification?.domain
  // a domain without a successor is not followed
  if (isFollowing && (decided == null || model.tree.currentOf(decided.id) !== null)) return settled
  const vector = embedding !== null && embeddingModel === encoder.model ? embedding : undefined
  const classification = await classify(document, vector, model, encoder)
  const isSame =
    before !== null &&
    settled === document &&
    before.taxonomyNumber === classification.taxonomyNumber &&
    before.domain?.id === classification.domain?.id &&
    before.subDomain?.id === classification.subDomain?.id
  return isSame ? document : { ...document, revision: document.revision + 1, classification, indexedAt: null }
}

/** Classifies a text by model and nearest examples, without a language model. */
export async function classify(
  { text, lang }: Pick<ExpressionDocument, 'text' | 'lang'>,
  vector: Float32Array | undefined,
  model: TopicModel,
  encoder: SentenceEncoder,
): Promise<NonNullable<ExpressionDocument['classification']>> {
  const neural = await model.neural.classify(text)
  const neighbours = await nearestExamples(vector ?? (await encoder.encode(text, AbortSignal.timeout(encodeLimitMs))), model.examples)
  return classificationOf(null, decide({ neural, neighbours }, model.tree), model, lang?.code ?? 'und')
}

const encodeLimitMs = 10_000
