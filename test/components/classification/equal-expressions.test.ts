import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { TopicLearner } from '../../../subgraphs/classification/analysis/topic/topic-learner.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { IngestExpression } from '../../../subgraphs/classification/intake/ingest-expression.ts'
import { ingestMetrics } from '../../../subgraphs/classification/intake/ingest-metrics.ts'
import { RecentlyIndexed } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { postgresAnalyticsStore } from '../../../subgraphs/engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../subgraphs/engines/event-feed/relay-event-feed.ts'
import { gazetteer } from '../../../subgraphs/engines/geocoder/gazetteer.ts'
import { memoryKeyValue } from '../../../subgraphs/engines/key-value/memory-key-value.ts'
import { lanceSearchIndex } from '../../../subgraphs/engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../subgraphs/engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../subgraphs/foundation/clock.ts'
import { Deadline } from '../../../subgraphs/foundation/concurrency/deadline.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { saidAs } from '../../support/samples/expression-document.ts'

describe('expressions', () => {
  let ingest: IngestExpression
  /** whose callers do not wait long */
  let hurried: IngestExpression
  let waiting = 0
  let later = 0
  let slowMs = 0
  const sent: unknown[] = []
  const ends: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const opened = await openMigrated(embeddedEngine)
    ends.push(async () => opened[Symbol.asyncDispose]())
    const { database, url } = opened
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log: silentLog })
    const store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
    await seedTaxonomy(store)
    const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
    const index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
    ends.push(() => index.stop().then(() => rm(folder, { recursive: true, force: true })))
    const encoder = projectionEncoder()
    const sentiment = sentimentModel(['cpu'])
    const languageModel = { name: 'slow', limitMs: 9000, ask: () => sleep(slowMs).then(() => Promise.reject(new Error('no idea'))) }
    const topics = new TopicLearner(store, encoder, ['cpu'])
    // on a busy machine they take longer to learn than a step may
    await Promise.all([topics.model(), sentiment()])
    const pipeline = new Pipeline({
      topics,
      encoder,
      geocoder: gazetteer({ preferredCountries: [] }),
      sentiment,
      languageModel,
    })
    const queue = {
      engine: 'test',
      depth: async () => waiting,
      oldestAgeMs: async () => 0,
      newer: async () => 0,
      send: async (_kind: string, content: object) => void sent.push(content),
    }
    const recent = new RecentlyIndexed()
    const engines = {
      queue,
      index,
      store,
      recent,
      keyValue: memoryKeyValue(),
      clock: { now: () => systemClock.now() + later },
      log: silentLog,
    }
    const pseudonymKey = randomBytes(32)
    const waitingFor = (requestLimitMs: number) =>
      new IngestExpression(engines, pipeline, { pseudonymKey, requestLimitMs }, ingestMetrics(new Registry(), queue))
    ingest = waitingFor(60_000)
    hurried = waitingFor(1000)
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  const expression = saidAs(randomUUID(), 'Le pont est cassé')

  it('that come at one moment and are equal are taken in once, also when the first of them takes long', { timeout: 60_000 }, async () => {
    sent.length = 0
    slowMs = 1000
    const taken = await Promise.all(Array.from({ length: 50 }, () => ingest.ingest(expression, new Deadline({ timeoutMs: 60_000 }))))
    expect(taken.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(taken.map(({ document: { id, indexedAt } }) => `${id} ${indexedAt}`)).size).toBe(1)
    expect(sent).toHaveLength(1)
  })

  it('are refused, and not queued, when their findings come too late for the answer; then nothing keeps them from being sent again', {
    timeout: 60_000,
  }, async () => {
    const late = { ...expression, externalId: randomUUID() }
    sent.length = 0
    slowMs = 1000
    await expect(hurried.ingest(late, new Deadline({ timeoutMs: 10_000 }))).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await sleep(1000)
    expect(sent).toEqual([])
    slowMs = 0
    expect(await ingest.ingest(late, new Deadline({ timeoutMs: 60_000 }))).toMatchObject({ created: true })
    expect(sent).toHaveLength(1)
  })

  it('are put off, with all others, while more waits to be written than can be', { timeout: 30_000 }, async () => {
    slowMs = 0
    sent.length = 0
    waiting = 10_001
    later += 2000
    const another = { ...expression, externalId: randomUUID() }
    for (const refused of [expression, another])
      await expect(ingest.ingest(refused, new Deadline({ timeoutMs: 60_000 }))).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        details: { retryAfterMs: 5000 },
      })
    expect(sent).toEqual([])
    waiting = 10_000
    later += 2000
    expect(await ingest.ingest(another, new Deadline({ timeoutMs: 60_000 }))).toMatchObject({ created: true })
  })
})
