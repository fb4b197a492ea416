import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import type { TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { encodeAll } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { withStoredVectors } from '../../../engines/sentence-encoder/stored-vectors.ts'
import { sharedTraining } from '../../../engines/text-classifier/shared-training.ts'
import { compose } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { examplesOf, trainTopicModel } from '../../../subgraphs/classification/analysis/topic/topic-model.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import { withDocument } from '../../../subgraphs/classification/expression/current-domains.ts'
import { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { publishContent } from '../../../subgraphs/classification/taxonomy/published-content.ts'
import { reclassified, runJob } from '../../../subgraphs/classification/taxonomy/reclassify.ts'
import { TaxonomyJobs } from '../../../subgraphs/classification/taxonomy/taxonomy-jobs.ts'
import { expressionRecord } from '../../contracts/analytics-store/analytics-store.contract.ts'
import { temporaryCluster } from '../../support/engines/databases.ts'
import { wholeSchema } from '../../support/engines/schema.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'
import type { Benchmark } from '../support/harness.ts'
import { frenchSentences } from './sentences.ts'

const [domainCount, subDomains, phrases] = [50, 9, 20_000]
const languages = ['fr', 'en', 'ar', 'es', 'pt']
const expressions = 2000
const previewed = 10_000
const signal = AbortSignal.timeout(1_800_000)

/** 50 domains with 9 sub-domains each, and the phrases in five languages, each of which has words of its own sub-domain. */
function largeTaxonomy(): readonly TaxonomyDomain[] {
  const of = (
    id: string,
    parentId: string | null,
    position: number,
    examples: Readonly<Record<string, readonly string[]>>,
  ): TaxonomyDomain => ({
    ...{ id, parentId, position, examples, slug: id, descriptions: {}, words: {} },
    labels: { fr: `Domaine ${id}` },
  })
  const each = Math.ceil(phrases / (domainCount * subDomains * languages.length))
  const phrase = (id: string, lang: string, n: number): string =>
    `${frenchSentences[(n * 7 + id.length) % frenchSentences.length]} ${lang} ${id} mot${n} sujet${(n * 31) % 997}`
  return Array.from({ length: domainCount }, (_, index) => index).flatMap((index) => [
    of(`d${index}`, null, index, {}),
    ...Array.from({ length: subDomains }, (_, at) => {
      const id = `d${index}-${at}`
      const examples = languages.map((lang) => [lang, Array.from({ length: each }, (_, n) => phrase(id, lang, n))])
      return of(id, `d${index}`, at, Object.fromEntries(examples))
    }),
  ])
}

export const largeTaxonomyBench: Benchmark = {
  name: 'large-taxonomy',
  about: `a taxonomy of ${domainCount * (subDomains + 1)} domains with ${phrases} phrases in ${languages.length} languages on the embedded PostgreSQL, and ${expressions} expressions that are classified again`,
  target: 'publication and training under 120 s; 200 expressions a second; a preview of 10,000 under 60 s',
  rounds: 1,
  async start(print) {
    const fresh = await temporaryCluster()
    const { url } = fresh
    const database = openDatabase({ name: 'large-taxonomy', url: () => url, poolSize: 5, log: silentLog })
    const parts = compose('database', [database, wholeSchema(database)])
    await parts.start(AbortSignal.timeout(60_000))
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log: silentLog })
    const store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
    const encoder = withStoredVectors(database, projectionEncoder())
    const jobs = new TaxonomyJobs(database)
    const domains = largeTaxonomy()
    /** Returns the result, the seconds, and the seconds of processor time of this process: other programs on the machine do not change those much. */
    const timed = async <Result>(work: () => Promise<Result>): Promise<readonly [Result, number, number]> => {
      const [from, used] = [performance.now(), process.cpuUsage()]
      const result = await work()
      const { user, system } = process.cpuUsage(used)
      return [result, (performance.now() - from) / 1000, (user + system) / 1e6]
    }
    return [
      {
        name: 'Civigraph',
        async measure() {
          const texts = examplesOf(domains).map(({ text }) => text)
          const [, embedding] = await timed(() => encodeAll(encoder, texts, signal))
          const [, publication] = await timed(() =>
            publishContent(
              { store, database },
              { content: { domains, successors: {} }, note: 'large', author: 'bench' },
              async () => undefined,
            ),
          )
          const taxonomy = await store.readTaxonomy()
          // as on machines that share no files
          const shared = sharedTraining(database, 'published', (task, train) => train(task))
          const [, training, trainingProcessor] = await timed(() => trainTopicModel(taxonomy, encoder, ['cpu'], signal, shared))
          // another process loads the vectors and the classifier
          const [draft, start, startProcessor] = await timed(() => trainTopicModel(taxonomy, encoder, ['cpu'], signal, shared))
          const of = (id: string) => ({ id, label: id, score: 1 })
          for (let from = 0; from < expressions; from += 500)
            await store.saveExpressions(
              Array.from({ length: 500 }, (_, n) => {
                const [id, text] = [randomUUID(), `${frenchSentences[n % frenchSentences.length]} d${n % 50}-${n % 9} ${from}`]
                const classification = { domain: of('d0'), subDomain: null, method: 'neural' as const, candidates: [], model: 'm' }
                const enrichment = expressionDocument({ id, text, classification })
                return { ...expressionRecord(), id, text, domain: 'd0', subDomain: null, enrichment, embedding: null, embeddingModel: null }
              }),
            )
          const topics = new TopicTrainer(store, encoder, ['cpu'], shared)
          await topics.model()
          const id = await jobs.begin(database.orm, { kind: 'reclassify', author: 'bench', version: 2, rate: 1000 })
          const [job] = await jobs.find([id])
          if (job === undefined) throw new Error('the job is missing')
          const [, reclassification, reclassificationProcessor] = await timed(() =>
            runJob({ database, store, jobs, topics, encoder, log: silentLog }, job, () => undefined, signal),
          )
          const [record] = await store.findExpressions((await store.newestExpressions({ filter: {}, limit: 1 })).map(({ id }) => id))
          if (record === undefined) throw new Error('the expressions are missing')
          const some = Array.from({ length: 200 }, () => withDocument(record, ExpressionDocument.parse(record.enrichment)))
          const [, preview, previewProcessor] = await timed(async () => {
            for (let from = 0; from < previewed; from += some.length) await reclassified(some, draft, encoder)
          })
          print(`load of the machine ${loadavg().map((load) => load.toFixed(1))}`)
          return {
            's to embed all phrases': embedding,
            's to publish': publication,
            's to train': training,
            's of processor time to train': trainingProcessor,
            's to load in another process': start,
            's of processor time to load': startProcessor,
            'expressions a second': expressions / reclassification,
            'expressions per second of processor time': expressions / reclassificationProcessor,
            [`s to classify ${previewed} for a preview`]: preview,
            's of processor time for that': previewProcessor,
          }
        },
        async stop() {
          await parts.stop()
          await fresh[Symbol.asyncDispose]()
        },
      },
    ]
  },
}
