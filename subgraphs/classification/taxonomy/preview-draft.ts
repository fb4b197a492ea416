import { z } from 'zod'
import type { AnalyticsStore, ExpressionRecord, TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { resolvedSuccessors } from '../../../engines/analytics-store/domain-tree.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { leader } from '../../../engines/relational/leadership/leader.ts'
import { encodeAll, type SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { sharedTraining } from '../../../engines/text-classifier/shared-training.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { examplesOf, type TopicModel, trainTopicModel } from '../analysis/topic/topic-model.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { withDocument } from '../expression/current-domains.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { classify, reclassified } from './reclassify.ts'
import { comparablePhrase } from './taxonomy-content.ts'
import type { TaxonomyDrafts } from './taxonomy-drafts.ts'
import type { TaxonomyJob, TaxonomyJobs } from './taxonomy-jobs.ts'

/** latest expressions that a preview classifies */
const maxPreviewed = 10_000
/** latest corrections by which the accuracy is measured */
const maxCorrections = 1000
const maxExamples = 20
const pageSize = 200
const trainingLimitMs = 600_000

/** A wrong answer on corrections: how often the published version (`before`) and the draft (`after`) give it. */
const Confusion = z.object({ truth: z.string(), predicted: z.string().nullable(), before: z.int(), after: z.int() })
type Confusion = z.output<typeof Confusion>
const Flow = z.object({ from: z.string().nullable(), to: z.string().nullable(), count: z.int() })
/** What a draft would change, as it is stored with the job. */
export const PreviewResult = z.object({
  examined: z.int(),
  changed: z.int(),
  /** moves between domains or sub-domains, most frequent first */
  flows: z.array(Flow),
  examples: z.array(z.object({ expression: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  /** accuracy on the latest corrections by people; null without any. `examples` of them are phrases of the draft, as it has learned */
  accuracy: z
    .object({
      corrections: z.int(),
      before: z.number(),
      after: z.number(),
      examples: z.int().default(0),
      /** most frequent by the draft first */
      confusions: z.array(Confusion).default([]),
    })
    .nullable(),
})
export type PreviewResult = z.output<typeof PreviewResult>

export interface PreviewParts {
  readonly database: Database
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly jobs: TaxonomyJobs
  readonly drafts: TaxonomyDrafts
  readonly topics: Pick<TopicTrainer, 'model' | 'refresh'>
  readonly encoder: SentenceEncoder
  readonly executionProviders: readonly string[]
  readonly log: Log
  /** interval between looks for new previews; a second when absent */
  readonly everyMs?: number
}

/** Makes the previews that administrators request; one of several workers is active. */
export function previewing(parts: PreviewParts): Part {
  const { database, jobs, log, everyMs = 1000 } = parts
  return leader({
    name: 'preview of the taxonomy',
    database,
    log,
    tryEveryMs: Math.min(everyMs, 2000),
    async work(_, signal) {
      let embedded = -1
      for (; !signal.aborted; await pause(everyMs, signal)) {
        const job = await jobs.next(['preview'])
        if (job !== undefined) await preview(parts, job, signal)
        else embedded = await embedDraft(parts, embedded, signal)
      }
    },
  })
}

/** Computes the vectors of new phrases while administrators edit, so that a publication need not. @returns the revision that is done */
async function embedDraft({ drafts, encoder }: PreviewParts, done: number, signal: AbortSignal): Promise<number> {
  const revision = await drafts.revision()
  if (revision === done) return done
  const { content } = await drafts.read()
  await encodeAll(
    encoder,
    examplesOf(content.domains).map(({ text }) => text),
    signal,
  )
  return revision
}

async function preview(parts: PreviewParts, job: TaxonomyJob, signal: AbortSignal): Promise<void> {
  const { jobs, drafts, topics, encoder, executionProviders, log } = parts
  try {
    if (job.state === 'waiting') await jobs.start(job.id, null)
    const { revision, content, base } = await drafts.read()
    if (revision !== job.version)
      return await jobs.finish(job.id, 'failed', { reason: 'The draft was changed meanwhile: preview it again' })
    await topics.refresh()
    const current = await topics.model()
    const { domains } = content
    const successors = resolvedSuccessors(content.successors, new Set(domains.map(({ id }) => id)))
    const limit = AbortSignal.any([signal, AbortSignal.timeout(trainingLimitMs)])
    const taxonomy = { version: `draft-${revision}`, number: base, domains, successors }
    const draft = await trainTopicModel(taxonomy, encoder, executionProviders, limit, sharedTraining(parts.database, 'draft'))
    const result = {
      ...(await changesBy(parts, draft, job, signal)),
      accuracy: await accuracies(parts, { current, draft, domains }, signal),
    }
    await jobs.finish(job.id, 'done', result satisfies PreviewResult)
  } catch (error) {
    if (signal.aborted || error instanceof EngineUnavailable) throw error
    log.error({ err: error, jobId: job.id }, 'a preview of the taxonomy failed')
    await jobs.finish(job.id, 'failed', { reason: messageOf(error) })
  }
}

async function changesBy(
  { store, encoder, jobs }: PreviewParts,
  draft: TopicModel,
  { id }: TaxonomyJob,
  signal: AbortSignal,
): Promise<Omit<PreviewResult, 'accuracy'>> {
  const flows = new Map<string, z.output<typeof Flow>>()
  const examples: PreviewResult['examples'] = []
  let [examined, changed] = [0, 0]
  let beyond: Awaited<ReturnType<typeof store.newestExpressions>>[number] | undefined
  while (examined < maxPreviewed) {
    signal.throwIfAborted()
    const places = await store.newestExpressions({ filter: {}, limit: pageSize, beyond })
    const counted = { examined: 0, changed: 0 }
    const records = await parsed(
      store,
      places.map((place) => place.id),
    )
    const documents = await reclassified(records, draft, encoder)
    for (const [index, record] of records.entries()) {
      const [from, to] = [decidedIn(record.enrichment), decidedIn(documents[index] ?? record.enrichment)]
      counted.examined++
      if (from === to) continue
      counted.changed++
      const flow = flows.get(`${from} ${to}`) ?? { from, to, count: 0 }
      flows.set(`${from} ${to}`, { ...flow, count: flow.count + 1 })
      // the first of each kind of move, then others
      if (examples.length < maxExamples) examples.push({ expression: record.id, from, to })
    }
    examined += counted.examined
    changed += counted.changed
    if (!(await jobs.progress(id, { afterId: null, ...counted, kept: 0 })) || places.length < pageSize) break
    beyond = places.at(-1)
  }
  return { examined, changed, flows: [...flows.values()].sort((a, b) => b.count - a.count), examples }
}

/** Classifies corrected expressions without their corrections, by both models, and compares. */
async function accuracies(
  { store, encoder }: PreviewParts,
  { current, draft, domains }: { readonly current: TopicModel; readonly draft: TopicModel; readonly domains: readonly TaxonomyDomain[] },
  signal: AbortSignal,
): Promise<PreviewResult['accuracy']> {
  const phrases = new Set(domains.flatMap(({ examples }) => Object.values(examples).flat().map(comparablePhrase)))
  const corrections = (await store.correctedExpressions({ limit: maxCorrections })).filter(({ domain }) => domain !== null)
  if (corrections.length === 0) return null
  const wrong = { before: 0, after: 0 }
  const confusions = new Map<string, Confusion>()
  const compare = async (when: 'before' | 'after', records: readonly ExpressionRecord<ExpressionDocument>[]): Promise<void> => {
    for (const { truth, predicted } of await wrongAnswers(records, when === 'before' ? current : draft, encoder)) {
      wrong[when]++
      const key = `${truth} ${predicted}`
      const known = confusions.get(key) ?? { truth, predicted, before: 0, after: 0 }
      confusions.set(key, { ...known, [when]: known[when] + 1 })
    }
  }
  let [count, examples] = [0, 0]
  for (let from = 0; from < corrections.length; from += pageSize) {
    signal.throwIfAborted()
    const records = await parsed(
      store,
      corrections.slice(from, from + pageSize).map(({ id }) => id),
    )
    const decided = records.filter(({ enrichment }) => decidedIn(enrichment) !== null)
    count += decided.length
    examples += decided.filter(({ text }) => phrases.has(comparablePhrase(text))).length
    await compare('before', decided)
    await compare('after', decided)
  }
  if (count === 0) return null
  return {
    corrections: count,
    before: 1 - wrong.before / count,
    after: 1 - wrong.after / count,
    examples,
    confusions: [...confusions.values()].sort((a, b) => b.after - a.after || b.before - a.before),
  }
}

/** Returns the corrections that a model does not agree with: what the person has chosen, as a current domain, and what the model finds. */
async function wrongAnswers(
  records: readonly ExpressionRecord<ExpressionDocument>[],
  model: TopicModel,
  encoder: SentenceEncoder,
): Promise<readonly Pick<Confusion, 'truth' | 'predicted'>[]> {
  const classifications = await classify(records, model, encoder)
  return records.flatMap(({ enrichment }, index) => {
    const chosen = decidedIn(enrichment)
    const truth = chosen === null ? null : (model.tree.currentOf(chosen) ?? chosen)
    const { domain, subDomain } = classifications[index] ?? {}
    if (truth === null || domain?.id === truth || subDomain?.id === truth) return []
    // only a sub-domain is compared with sub-domains
    const predicted = model.tree.domainOf(truth) === truth ? domain : (subDomain ?? domain)
    return [{ truth, predicted: predicted?.id ?? null }]
  })
}

async function parsed(
  store: AnalyticsStore<ExpressionDocument>,
  ids: readonly string[],
): Promise<readonly ExpressionRecord<ExpressionDocument>[]> {
  const records = await store.findExpressions(ids)
  return records.map((record) => withDocument(record, ExpressionDocument.parse(record.enrichment)))
}

const decidedIn = ({ classification }: ExpressionDocument): string | null =>
  classification?.subDomain?.id ?? classification?.domain?.id ?? null
