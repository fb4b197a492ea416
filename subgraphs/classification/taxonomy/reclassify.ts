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

const defaultEveryMs = 1000
/** expressions that are examined for the filter at once */
const scanSize = 2000
const maxBatch = 50
/** batches per second, so that other writers take turns */
const batchesPerSecond = 5
/** attempts to write an expression that others change at the same time */
const maxAttempts = 5
const taxonomyEveryMs = 5000

/** Re-classifies stored expressions, the oldest job first; one of several workers is active, another one continues where it ended. */
export function reclassifying(parts: ReclassificationParts): Part {
  const { database, jobs, log, everyMs = defaultEveryMs } = parts
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
      const { ids, upTo } = await store.scanExpressions(after, scanSize, conditions)
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
    const { ids, upTo } = await store.scanExpressions(after, scanSize, conditions)
    total += ids.length
    after = upTo
  } while (after !== undefined)
  return total
}

function* batchesOf(ids: readonly string[], rate: number): Generator<readonly string[]> {
  const size = Math.min(maxBatch, Math.max(1, Math.floor(rate / batchesPerSecond)))
  for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size)
}

interface ReclassificationCounts {
  readonly changed: number
  /** corrections by people */
  readonly kept: number
}

/** @param isFollowing - only moves expressions out of retired and moved domains */
async function reclassifyAll(parts: ReclassificationParts, ids: readonly string[], isFollowing: boolean): Promise<ReclassificationCounts> {
  const model = await parts.topics.model()
  let changed = 0
  let kept = 0
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const records = (await parts.store.findExpressions(ids)).map((record) =>
      withDocument(record, ExpressionDocument.parse(record.enrichment)),
    )
    kept = records.filter(({ enrichment: { classification } }) => classification?.correctedAt !== undefined).length
    const documents = await reclassified(records, model, parts.encoder, isFollowing)
    const next = records.flatMap((record, index) => {
      const document = documents[index] ?? record.enrichment
      return document === record.enrichment ? [] : [withDocument(record, document)]
    })
    if (next.length === 0) break
    const { updated } = await saveWithCurrentDomains(parts.store, next, undefined, { onlyNewer: true })
    changed += updated
    // the others were changed or withdrawn meanwhile: they are read again
    if (updated === next.length) break
  }
  return { changed, kept }
}

type ClassifiedRecord = ExpressionRecord<ExpressionDocument>

/**
 * Returns the documents as the model classifies them, in order; the same object if that changes nothing. A correction or a hint only follows its
 * domain.
 */
export async function reclassified(
  records: readonly ClassifiedRecord[],
  model: TopicModel,
  encoder: SentenceEncoder,
  isFollowing = false,
): Promise<readonly ExpressionDocument[]> {
  const settled = records.map(({ enrichment }) => withCurrentDomains(enrichment, model.tree))
  const isDecided = (index: number): boolean => {
    const before = settled[index]?.classification
    if (before?.correctedAt !== undefined || before?.method === 'hint' || before?.method === 'llm') return true
    const { classification } = records[index]?.enrichment ?? {}
    const decided = classification?.subDomain ?? classification?.domain
    // a domain without a successor is not followed
    return isFollowing && (decided == null || model.tree.currentOf(decided.id) !== null)
  }
  const undecided = [...records.keys()].filter((index) => !isDecided(index))
  const classifications = await classify(
    undecided.flatMap((index) => records[index] ?? []),
    model,
    encoder,
  )
  const documents = [...settled]
  for (const [place, index] of undecided.entries()) {
    const [document, classification] = [records[index]?.enrichment, classifications[place]]
    if (document === undefined || classification === undefined) continue
    const isSame = settled[index] === document && isEqual(document.classification, classification)
    documents[index] = isSame ? document : { ...document, revision: document.revision + 1, classification, indexedAt: null }
  }
  return documents
}

type Classification = NonNullable<ExpressionDocument['classification']>

const isEqual = (before: Classification | null, next: Classification): boolean =>
  before !== null &&
  before.taxonomyNumber === next.taxonomyNumber &&
  before.domain?.id === next.domain?.id &&
  before.subDomain?.id === next.subDomain?.id

/** Classifies texts by model and nearest examples, without a language model; in order. */
export async function classify(
  records: readonly Pick<ClassifiedRecord, 'enrichment' | 'embedding' | 'embeddingModel'>[],
  model: TopicModel,
  encoder: SentenceEncoder,
): Promise<readonly Classification[]> {
  const vectors: Float32Array[] = []
  for (const { enrichment, embedding, embeddingModel } of records)
    vectors.push(
      embedding !== null && embeddingModel === encoder.model
        ? embedding
        : await encoder.encode(enrichment.text, AbortSignal.timeout(encodeLimitMs)),
    )
  const neighbours = await nearestExamples(vectors, model.examples)
  const classifications: Classification[] = []
  for (const [index, { enrichment }] of records.entries()) {
    const [neural, near] = [await model.neural.classify(enrichment.text), neighbours[index]]
    const decision = decide({ neural, ...(near && { neighbours: near }) }, model.tree)
    classifications.push(classificationOf(null, decision, model, enrichment.lang?.code ?? 'und'))
  }
  return classifications
}

const encodeLimitMs = 10_000
