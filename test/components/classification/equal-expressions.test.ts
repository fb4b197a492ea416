import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { v5 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { gazetteer } from '../../../engines/geocoder/gazetteer.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { silentLog } from '../../../foundation/log.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import { type ExpressionDocument, readQueued } from '../../../subgraphs/classification/expression/expression-document.ts'
import { recordOf } from '../../../subgraphs/classification/expression/expression-mapping.ts'
import { authorOf, type Sender } from '../../../subgraphs/classification/intake/expression-key.ts'
import { IngestExpression } from '../../../subgraphs/classification/intake/ingest-expression.ts'
import { ingestMetrics } from '../../../subgraphs/classification/intake/ingest-metrics.ts'
import { RecentlyIndexed } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { newExpression } from '../../support/samples/expression-document.ts'

const anonymous: Sender = { kind: 'anonymous' }
const service = (name: string): Sender => ({ kind: 'service', name })
const user = (subject: string, issuer = 'https://issuer.test'): Sender => ({ kind: 'user', issuer, subject })
const pseudonymKey = randomBytes(32)

describe('expressions', () => {
  let ingest: IngestExpression
  let store: AnalyticsStore<ExpressionDocument>
  /** An intake whose callers have a short deadline. */
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
    store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
    await seedTaxonomy(store)
    const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
    const index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
    ends.push(() => index.stop().then(() => rm(folder, { recursive: true, force: true })))
    const encoder = projectionEncoder()
    const sentiment = sentimentModel(['cpu'])
    const languageModel = { name: 'slow', limitMs: 9000, ask: () => sleep(slowMs).then(() => Promise.reject(new Error('no idea'))) }
    const topics = new TopicTrainer(store, encoder, ['cpu'])
    // on a busy machine learning takes longer than the limit of a step
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
    const keys = { pseudonymKey, expressionKey: randomBytes(32) }
    const waitingFor = (requestLimitMs: number) =>
      new IngestExpression(engines, pipeline, { ...keys, requestLimitMs }, ingestMetrics(new Registry(), queue))
    ingest = waitingFor(60_000)
    hurried = waitingFor(1000)
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  const expression = newExpression(randomUUID(), 'Le pont est cassé')

  it('that are equal and arrive at the same time are accepted once, also when the first one is slow', { timeout: 60_000 }, async () => {
    sent.length = 0
    slowMs = 1000
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => ingest.ingest(expression, anonymous, new Deadline({ timeoutMs: 60_000 }))),
    )
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(outcomes.map(({ document: { id, indexedAt } }) => `${id} ${indexedAt}`)).size).toBe(1)
    expect(sent).toHaveLength(1)
  })

  it('are refused and not queued when their findings arrive after the deadline; then they can be sent again', {
    timeout: 60_000,
  }, async () => {
    const late = { ...expression, externalId: randomUUID() }
    sent.length = 0
    slowMs = 1000
    await expect(hurried.ingest(late, anonymous, new Deadline({ timeoutMs: 10_000 }))).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await sleep(1000)
    expect(sent).toEqual([])
    slowMs = 0
    expect(await ingest.ingest(late, anonymous, new Deadline({ timeoutMs: 60_000 }))).toMatchObject({ created: true })
    expect(sent).toHaveLength(1)
  })

  it('are refused with all others while the write queue is full', { timeout: 30_000 }, async () => {
    slowMs = 0
    sent.length = 0
    waiting = 10_001
    later += 2000
    const another = { ...expression, externalId: randomUUID() }
    for (const refused of [expression, another])
      await expect(ingest.ingest(refused, anonymous, new Deadline({ timeoutMs: 60_000 }))).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        details: { retryAfterMs: 5000 },
      })
    expect(sent).toEqual([])
    waiting = 10_000
    later += 2000
    expect(await ingest.ingest(another, anonymous, new Deadline({ timeoutMs: 60_000 }))).toMatchObject({ created: true })
  })

  /** @returns whether it is new, its id and the queued row; for a refusal the code */
  const outcomeOf = async (expression: Parameters<IngestExpression['ingest']>[0], sender: Sender) => {
    sent.length = 0
    try {
      const { created, document } = await ingest.ingest(expression, sender, new Deadline({ timeoutMs: 60_000 }))
      const rows = sent.flatMap((content) => (content as { readonly rows: readonly unknown[] }).rows).map(readQueued)
      return { created, id: document.id, queued: rows.find((row) => row.document.id === document.id) }
    } catch (error) {
      return { code: (error as { readonly code: string }).code }
    }
  }

  it('have ids in the namespace of their sender: no response depends on the requests of another sender', { timeout: 60_000 }, async () => {
    slowMs = 0
    const first = { ...expression, externalId: randomUUID() }
    const other = { ...first, text: 'Un autre texte' }
    const senders = [anonymous, service('one'), service('two'), user('one'), user('two'), user('one', 'https://other.test')]
    const ids = new Set<string | undefined>()
    for (const [n, sender] of senders.entries()) {
      const text = `Le pont est cassé ${n}`
      const outcome = await outcomeOf({ ...first, text }, sender)
      expect(outcome, JSON.stringify(sender)).toMatchObject({ created: true })
      ids.add(outcome.id)
      expect(await outcomeOf({ ...first, text }, sender)).toMatchObject({ created: false, id: outcome.id })
      expect(await outcomeOf(other, sender)).toEqual({ code: 'CONFLICT' })
    }
    expect(ids.size).toBe(senders.length)
  })

  it('reveal no author to an anonymous caller, and ignore an author without a verified sender', { timeout: 60_000 }, async () => {
    const twin = { ...expression, externalId: null, text: `Le bus est en retard ${randomUUID()}`, authorRef: 'citizen 17' }
    const author = authorOf('citizen 17', pseudonymKey)
    const verified = await outcomeOf(twin, service('one'))
    expect(verified).toMatchObject({ created: true, queued: { author, unverifiedAuthor: null } })
    expect(await outcomeOf({ ...twin, text: twin.text.toUpperCase() }, service('one'))).toMatchObject({ created: false, id: verified.id })
    for (const sender of [anonymous, anonymous])
      for (const authorRef of ['citizen 17', 'citizen 18'])
        expect(await outcomeOf({ ...twin, authorRef }, sender)).toMatchObject({
          created: true,
          queued: { author: null, unverifiedAuthor: authorOf(authorRef, pseudonymKey) },
        })
    expect(await outcomeOf(twin, service('two'))).toMatchObject({ created: true, queued: { author } })
    const own = await outcomeOf(twin, user('one'))
    expect(own).toMatchObject({ created: true, queued: { author: null, unverifiedAuthor: author } })
    expect(await outcomeOf(twin, user('one'))).toMatchObject({ created: false, id: own.id })
    expect(await outcomeOf(twin, user('two'))).toMatchObject({ created: true })
  })

  it('of releases before 2.0 retain their ids, and other texts may use their external ids', { timeout: 60_000 }, async () => {
    const expression = { ...newExpression(randomUUID(), 'Le marché est fermé'), source: 'former' }
    const formerId = v5(JSON.stringify(['external', 'former', expression.externalId]), '6f1c7d0a-3b0e-5b7e-9c9f-0d6a4c1e8b52')
    const { queued } = await outcomeOf({ ...expression, externalId: randomUUID() }, anonymous)
    if (queued === undefined) throw new Error('nothing was queued')
    const former = { ...queued, externalId: expression.externalId, document: { ...queued.document, id: formerId } }
    await store.saveExpressions([recordOf(former)])
    for (const sender of [service('one'), anonymous])
      expect(await outcomeOf(expression, sender)).toMatchObject({ created: false, id: formerId })
    const other = await outcomeOf({ ...expression, text: 'Un autre texte' }, service('one'))
    expect(other).toMatchObject({ created: true })
    expect(other.id).not.toBe(formerId)
    expect(await outcomeOf(expression, service('one'))).toMatchObject({ created: false, id: formerId })
    expect(await outcomeOf({ ...expression, text: 'Un troisième' }, service('one'))).toEqual({ code: 'CONFLICT' })
    await store.withdrawExpression(formerId)
    expect(await outcomeOf(expression, service('two'))).toEqual({ code: 'CONFLICT' })
  })
})
