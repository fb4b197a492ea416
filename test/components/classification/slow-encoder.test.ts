import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { gazetteer } from '../../../engines/geocoder/gazetteer.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { type OutboxQueue, outboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { silentLog } from '../../../foundation/log.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { ExpressionResolver } from '../../../subgraphs/classification/graphql/expression.resolver.ts'
import { ExpressionStreamResolver } from '../../../subgraphs/classification/graphql/expression-stream.resolver.ts'
import { BatchWriter } from '../../../subgraphs/classification/intake/batch-writer.ts'
import { IngestExpression } from '../../../subgraphs/classification/intake/ingest-expression.ts'
import { ingestMetrics } from '../../../subgraphs/classification/intake/ingest-metrics.ts'
import { workerMetrics } from '../../../subgraphs/classification/intake/worker-metrics.ts'
import { PinnedRankings } from '../../../subgraphs/classification/search/pinned-rankings.ts'
import { RecentIndexTimes } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { stepRetrying } from '../../../subgraphs/classification/step-retries/retry-steps.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { newExpression } from '../../support/samples/expression-document.ts'

/** A large encoder on a slow machine: learning the phrases of the taxonomy takes minutes. */
const projection = projectionEncoder()
let phraseMs = 100
const encoder: typeof projection = {
  ...projection,
  async encode(text, signal, role) {
    if (phraseMs > 0) await sleep(phraseMs)
    return projection.encode(text, signal, role)
  },
}
const signal = AbortSignal.timeout(120_000)
const context = { signal, principal: {}, address: '192.0.2.1' } as never

describe('while the taxonomy is being learned', () => {
  let database: Database
  let store: AnalyticsStore<ExpressionDocument>
  let topics: TopicTrainer
  let pipeline: Pipeline
  let ingest: IngestExpression
  let resolver: ExpressionResolver
  let streamResolver: ExpressionStreamResolver
  const sent: object[] = []
  const ends: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const opened = await openMigrated(embeddedEngine)
    database = opened.database
    ends.push(async () => opened[Symbol.asyncDispose]())
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
    await feed.start(signal)
    ends.push(() => feed.stop())
    store = postgresAnalyticsStore({ database, feed })
    await seedTaxonomy(store)
    const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
    const index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
    ends.push(() => index.stop().then(() => rm(folder, { recursive: true, force: true })))
    const sentiment = sentimentModel(['cpu'])
    await sentiment()
    topics = new TopicTrainer(store, encoder, ['cpu'])
    pipeline = new Pipeline({
      topics,
      encoder,
      geocoder: gazetteer({ preferredCountries: [] }),
      sentiment,
      // learning does not delay an expression; the other limits suit a busy machine
      timeouts: { stepMs: 20_000, taxonomyMs: 300 },
    })
    const outbox = outboxQueue({ name: 'expressions', database, announcer: feed })
    const queue: OutboxQueue = {
      ...outbox,
      sendWithin(tx, kind, content, position) {
        sent.push(content)
        return outbox.sendWithin(tx, kind, content, position)
      },
    }
    const common = { index, store, keyValue: memoryKeyValue(), log: silentLog }
    ingest = new IngestExpression(
      { ...common, database, queue, recent: new RecentIndexTimes(), clock: systemClock },
      pipeline,
      { pseudonymKey: randomBytes(32), expressionKey: randomBytes(32), requestLimitMs: 60_000 },
      ingestMetrics(new Registry(), queue),
    )
    // without what neither searches nor stream positions use
    resolver = new ExpressionResolver({ ...common, encoder, topics, rankings: new PinnedRankings(memoryKeyValue()) } as never)
    streamResolver = new ExpressionStreamResolver({ feed, topics } as never)
    void topics.model()
  })
  afterAll(async () => {
    phraseMs = 0
    for (const end of ends.reverse()) await end()
  })

  const countIn = async (domain: string) =>
    (await resolver.searchExpressions({ text: 'pont', mode: 'text', filter: { domains: [domain] } } as never, { first: 5 }, context)).nodes

  it('its ids are available: searches with a filter return results, and the stream has a position', { timeout: 60_000 }, async () => {
    expect(await countIn('transport')).toEqual([])
    await expect(countIn('aliens')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    expect((await streamResolver.expressionStream(context)).domains).toContainEqual({ id: 'transport/roads-bridges' })
  })

  it('expressions are accepted without a topic, and receive one as soon as it is learned', async () => {
    const expression = newExpression(randomUUID(), 'Le pont est cassé')
    const { document, created } = await ingest.ingest(expression, { kind: 'anonymous' }, new Deadline({ timeoutMs: 60_000 }))
    expect(created).toBe(true)
    expect(document).toMatchObject({
      lang: { code: 'fr' },
      classification: null,
      sentiment: { label: 'negative' },
      embedding: { dims: 768 },
    })
    expect(document.pipeline.steps.find(({ name }) => name === 'taxonomy')?.status).toBe('failed')

    phraseMs = 0
    await topics.model()
    const retries = new StepRetries(database)
    const metrics = workerMetrics(new Registry(), {
      retries: () => retries.waiting(),
      deadLetters: () => store.countDeadLetters(),
      deadMessages: async () => 0,
    })
    await new BatchWriter({ store, retries, log: silentLog, metrics }).take(sent)
    await database.orm.execute(sql`update expression_retry set next_at = now()`)
    const retrying = stepRetrying({ store, retries, pipeline, log: silentLog, everyMs: 30, onRetried: () => undefined })
    await retrying.start(signal)
    await expect.poll(async () => (await store.findExpressions([document.id]))[0]?.enrichment.classification?.domain?.id).toBe('transport')
    await retrying.stop()
  })
})
