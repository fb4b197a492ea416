import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { gazetteer } from '../../../engines/geocoder/gazetteer.ts'
import { type Database, openDatabase } from '../../../engines/relational/database.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { compose } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import type { ExpressionDocument, QueuedExpression } from '../../../subgraphs/classification/expression/expression-document.ts'
import { BatchWriter } from '../../../subgraphs/classification/intake/batch-writer.ts'
import { enrich, identify } from '../../../subgraphs/classification/intake/enrich-expression.ts'
import { workerMetrics } from '../../../subgraphs/classification/intake/worker-metrics.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { temporaryCluster } from '../../support/engines/databases.ts'
import { wholeSchema } from '../../support/engines/schema.ts'
import type { Benchmark } from '../support/harness.ts'
import { frenchSentences } from './sentences.ts'

const messages = 20
const rowsInMessage = 500
/** for the share of the counter of positions: rows per second, writers that share them, rows of a transaction */
const offered = { rows: 1000, writers: 4, rowsInMessage: 25, seconds: 10 }

export const batchWriter: Benchmark = {
  name: 'batch-writer',
  about: `${messages} messages of ${rowsInMessage} expressions with their vectors, from the queue's format into the embedded PostgreSQL with their events; and ${offered.rows} a second by ${offered.writers} writers in transactions of ${offered.rowsInMessage}: the share of their time in which they wait for the counter of positions and append`,
  target: '5,000 rows a second; append under 20 % of a transaction',
  rounds: 2,
  async start(print) {
    const fresh = await temporaryCluster()
    const { url } = fresh
    const database = openDatabase({ name: 'batch-writer', url: () => url, poolSize: 5, log: silentLog })
    const parts = compose('database', [database, wholeSchema(database)])
    await parts.start(AbortSignal.timeout(60_000))
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log: silentLog })
    const store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
    const retries = new StepRetries(database)
    const metrics = workerMetrics(new Registry(), {
      retries: () => retries.waiting(),
      deadLetters: () => store.countDeadLetters(),
      deadMessages: async () => 0,
    })
    const writer = new BatchWriter({ store, retries, log: silentLog, metrics })
    await seedTaxonomy(store)
    const encoder = projectionEncoder()
    const [topics, sentiment] = [new TopicTrainer(store, encoder, ['cpu']), sentimentModel(['cpu'])]
    await Promise.all([topics.model(), sentiment()])
    const pipeline = new Pipeline({ topics, encoder, geocoder: gazetteer({ preferredCountries: [] }), sentiment })
    const batch = await Promise.all(
      frenchSentences.map((text) => {
        const keys = { pseudonymKey: new Uint8Array(32), expressionKey: new Uint8Array(32) }
        const members = {
          text,
          lang: null,
          position: null,
          address: null,
          domainHint: null,
          externalId: null,
          authorRef: null,
          source: 'bench',
          createdAt: null,
        }
        const identified = identify(members, { kind: 'anonymous' }, new Date(), keys)
        return enrich(pipeline, identified, new Date(), AbortSignal.timeout(60_000))
      }),
    )
    const another = (index: number): QueuedExpression => {
      const queued = batch[index % batch.length] as QueuedExpression
      return { ...queued, document: { ...queued.document, id: randomUUID() } }
    }
    let open = 2
    return [
      {
        name: 'Civigraph',
        async measure() {
          const work = Array.from({ length: messages }, () => ({
            rows: Array.from({ length: rowsInMessage }, (_, index) => another(index)),
          }))
          const from = performance.now()
          await writer.take(work)
          const seconds = (performance.now() - from) / 1000
          print(
            `load of the machine ${loadavg()
              .map((load) => load.toFixed(1))
              .join(' ')}`,
          )
          return { 'rows a second': (messages * rowsInMessage) / seconds }
        },
        async stop() {
          if (--open > 0) return
          await parts.stop()
          await fresh[Symbol.asyncDispose]()
        },
      },
      {
        name: `${offered.rows} rows a second`,
        async measure() {
          const times = { transactions: 0, append: 0, count: 0 }
          const timedFeed: EventFeed = {
            ...feed,
            async append(...words) {
              const from = performance.now()
              const position = await feed.append(...words)
              times.append += performance.now() - from
              return position
            },
          }
          const timedDatabase: Database = {
            ...database,
            async transaction(work, window) {
              const from = performance.now()
              const result = await database.transaction(work, window)
              times.transactions += performance.now() - from
              times.count++
              return result
            },
          }
          const timedStore = postgresAnalyticsStore<ExpressionDocument>({ database: timedDatabase, feed: timedFeed })
          const everyMs = (offered.rowsInMessage * offered.writers * 1000) / offered.rows
          const begun = performance.now()
          const writers = Array.from({ length: offered.writers }, async (_, index) => {
            const own = new BatchWriter({ store: timedStore, retries, log: silentLog, metrics })
            for (let due = begun + (index * everyMs) / offered.writers; due < begun + offered.seconds * 1000; due += everyMs) {
              await sleep(Math.max(0, due - performance.now()))
              await own.take([{ rows: Array.from({ length: offered.rowsInMessage }, (_, row) => another(row)) }])
            }
          })
          await Promise.all(writers)
          return {
            'rows a second': (times.count * offered.rowsInMessage * 1000) / (performance.now() - begun),
            'transaction ms': times.transactions / times.count,
            'append ms': times.append / times.count,
            'append, share in %': (100 * times.append) / times.transactions,
          }
        },
        async stop() {
          if (--open > 0) return
          await parts.stop()
          await fresh[Symbol.asyncDispose]()
        },
      },
    ]
  },
}
