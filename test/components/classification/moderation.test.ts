import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { ModerationCases } from '../../../engines/analytics-store/moderation-cases.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { type OutboxQueue, outboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { project, projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { silentLog } from '../../../foundation/log.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import type { ExpressionDocument, QueuedExpression } from '../../../subgraphs/classification/expression/expression-document.ts'
import { recordOf, vectorText } from '../../../subgraphs/classification/expression/expression-mapping.ts'
import { ModerationResolver } from '../../../subgraphs/classification/graphql/moderation.resolver.ts'
import { IngestExpression } from '../../../subgraphs/classification/intake/ingest-expression.ts'
import { ingestMetrics } from '../../../subgraphs/classification/intake/ingest-metrics.ts'
import { redriveDeadLetters } from '../../../subgraphs/classification/intake/redrive.ts'
import { contentOf } from '../../../subgraphs/classification/moderation/decide-case.ts'
import { RecentIndexTimes } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'

const requestLimitMs = 4000
const encoder = projectionEncoder()
const sentiment = sentimentModel(['cpu'])
const text = 'Le pont est cassé'
/** Whether the index is available, and how long the pipeline takes. */
const state = { indexIsAway: false, slowMs: 0 }
/** Runs between the read and the write of a use case. */
let meanwhile: (id: string) => Promise<unknown> = async () => undefined

let store: AnalyticsStore<ExpressionDocument>
let index: SearchIndex
let retries: StepRetries
let moderation: ModerationResolver
const sent: unknown[] = []
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  const { database, url } = opened
  ends.push(async () => opened[Symbol.asyncDispose]())
  const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log: silentLog })
  store = postgresAnalyticsStore({ database, feed })
  retries = new StepRetries(database)
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
  const lance = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
  ends.push(() => lance.stop().then(() => rm(folder, { recursive: true, force: true })))
  index = {
    ...lance,
    find: (ids) => (state.indexIsAway ? Promise.reject(new EngineUnavailable('search index')) : lance.find(ids)),
  }
  const outbox = outboxQueue({ name: 'expressions', database, announcer: feed })
  const queue: OutboxQueue = {
    ...outbox,
    sendWithin(tx, kind, content, position) {
      sent.push(...('rows' in content && Array.isArray(content.rows) ? content.rows : []))
      return outbox.sendWithin(tx, kind, content, position)
    },
  }
  const notLearnt = () => Promise.reject(new Error('not learnt'))
  const topics = { model: notLearnt, tree: notLearnt }
  const geocoder = { source: 'none', locate: async () => undefined, find: async () => undefined }
  const ingest = new IngestExpression(
    { queue, index, database, recent: new RecentIndexTimes(), clock: systemClock, log: silentLog },
    new Pipeline({ topics, encoder, geocoder, sentiment: () => sleep(state.slowMs).then(sentiment) }),
    { pseudonymKey: randomBytes(32), expressionKey: randomBytes(32), requestLimitMs },
    ingestMetrics(new Registry(), queue),
  )
  const reading: typeof store = {
    ...store,
    async findExpressions(ids) {
      const records = await store.findExpressions(ids)
      for (const { id } of records) await meanwhile(id)
      return records
    },
  }
  moderation = new ModerationResolver(ingest, queue, {
    store: reading,
    index,
    model: encoder.model,
    retries,
    cases: new ModerationCases({ database, feed }, contentOf),
    audit: new AuditTrail(database),
    topics,
    clock: systemClock,
    log: silentLog,
    undoDays: 30,
  })
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})
beforeEach(() => {
  Object.assign(state, { indexIsAway: false, slowMs: 0 })
  meanwhile = async () => undefined
  sent.length = 0
})

const context = (timeoutMs = 60_000): RequestContext => {
  const deadline = new Deadline({ timeoutMs })
  return { principal: {}, requestId: randomUUID(), deadline, signal: deadline.signal, log: silentLog, loaders: new Map() }
}

function queuedOf({ id = randomUUID() as string, model = encoder.model } = {}): QueuedExpression {
  const at = new Date().toISOString()
  const document = expressionDocument({ id, revision: Date.now(), text, embedding: { model, dims: 768 }, createdAt: at })
  const sent = { source: 'test', externalId: null, author: null, unverifiedAuthor: null, receivedAt: at }
  return { document, ...sent, vector: vectorText(project(text)) }
}
async function storedExpression(members: Parameters<typeof queuedOf>[0] = {}): Promise<string> {
  const queued = queuedOf(members)
  await store.saveExpressions([recordOf(queued)])
  return queued.document.id
}
const correct = (id: string) => moderation.correctClassification({ id, sentiment: 'positive' }, context())
const withdraw = (id: string) => moderation.withdrawExpression({ id }, context())

describe('an expression that is withdrawn', () => {
  it('stays public if the request has a reason or a note, which an erasure would lose', async () => {
    const id = await storedExpression()
    const erase = (members: object) => moderation.withdrawExpression({ id, ...members }, context())
    const refused = (member: string) => ({ code: 'BAD_USER_INPUT', details: { entries: [{ path: [member] }] } })
    await expect(erase({ reason: 'hate' })).rejects.toMatchObject(refused('reason'))
    await expect(erase({ note: 'seen twice', isRestorable: false })).rejects.toMatchObject(refused('note'))
    expect(await store.findExpressions([id])).toHaveLength(1)
    await erase({ reason: 'hate', note: 'seen twice', isRestorable: true })
    expect(await store.findExpressions([id])).toHaveLength(0)
  })

  it('is not restored by a redrive when it could not be written before', async () => {
    const queued = queuedOf()
    const { id } = queued.document
    await store.storeDeadLetters([{ id, content: queued, reason: 'refused' }])
    expect(await withdraw(id)).toEqual({ id, deletedNodeId: nodeIdOf('Expression', id) })
    expect(await store.countDeadLetters()).toBe(0)
    expect(await redriveDeadLetters({ store, retries })).toMatchObject({ written: 0, waiting: 0, failed: 0 })
    expect(await store.saveExpressions([recordOf(queued)])).toEqual({ added: 0, updated: 0 })
  })

  it('is not reported as unknown while the store is unavailable', async () => {
    state.indexIsAway = true
    await expect(withdraw(randomUUID())).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await expect(correct(randomUUID())).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    // strings that are not ids
    const unknown = ['unheard-of', '\u0000', '']
    for (const id of unknown) await expect(withdraw(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    state.indexIsAway = false
    for (const id of [...unknown, randomUUID(), randomUUID().toUpperCase()]) {
      await expect(withdraw(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(correct(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('an expression that is corrected', () => {
  it('is found with the corrected classification, but not by the vector of another encoder', async () => {
    const [own, foreign] = [await storedExpression(), await storedExpression({ model: 'another' })]
    for (const id of [own, foreign]) {
      const { expression } = await correct(id)
      expect(expression).toMatchObject({ id, sentiment: { label: 'positive' }, indexedAt: expect.any(Date) })
    }
    const request = { filter: { sentiment: 'positive' as const }, limit: 10 }
    expect((await index.match(text, request)).map(({ id }) => id).sort()).toEqual([own, foreign].sort())
    const near = (await index.near(project(text), request)).filter(({ score }) => score > 0.5)
    expect(near.map(({ id }) => id)).toEqual([own])
  })

  it('is not searchable when it is withdrawn at the same time', async () => {
    const id = await storedExpression()
    meanwhile = (read) => {
      meanwhile = async () => undefined
      return withdraw(read)
    }
    await expect(correct(id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await index.find([id])).size).toBe(0)
  })
})

describe('expressions of one batch', () => {
  it('are refused individually with the names of the invalid GraphQL members', async () => {
    const again = { source: 'test', externalId: randomUUID() }
    const expressions = [
      { text: '' },
      { text, location: { lat: 91, lon: 0 } },
      { text: `${text} 1`, ...again },
      { text: `${text} 2`, ...again },
    ]
    const { results } = await moderation.ingestExpressions({ expressions }, context())
    expect(results.flatMap(({ refusal }) => refusal ?? [])).toMatchObject([
      { code: 'BAD_USER_INPUT', entries: [{ code: 'too_short', path: ['text'], constraint: { min: 1 } }] },
      { code: 'BAD_USER_INPUT', entries: [{ code: 'too_large', path: ['location', 'lat'], constraint: { max: 90 } }] },
      { code: 'CONFLICT', message: 'An expression with this externalId exists with another text', entries: [] },
    ])
  })

  it('are answered before the deadline: those without time left are refused, and accepted when sent again', {
    timeout: 60_000,
  }, async () => {
    // the first expression loads the lexicons
    await moderation.ingestExpressions({ expressions: [{ text }] }, context())
    sent.length = 0
    const expressions = Array.from({ length: 40 }, (_, n) => ({ text: `${text} ${n}`, source: 'test', externalId: randomUUID() }))
    state.slowMs = requestLimitMs / 4
    const { created, refused, results } = await moderation.ingestExpressions({ expressions }, context(requestLimitMs))
    expect([created > 0, refused > 0, created + refused, sent.length]).toEqual([true, true, 40, created])
    expect(new Set(results.flatMap(({ refusal }) => refusal?.code ?? []))).toEqual(new Set(['DEADLINE_EXCEEDED']))
    state.slowMs = 0
    const again = await moderation.ingestExpressions({ expressions: expressions.slice(-8) }, context())
    expect(again.created).toBe(8)
  })
})
