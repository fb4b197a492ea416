import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnalyticsStore, analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { RecentIndexTimes } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { ExpressionStream, type StreamRequest } from '../../../subgraphs/classification/stream/expression-stream.ts'
import type { StreamedExpression } from '../../../subgraphs/classification/stream/stream-listener.ts'
import { expressionRecord } from '../../contracts/analytics-store/analytics-store.contract.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'

let database: Database
let end: () => Promise<unknown>
let store: AnalyticsStore<ExpressionDocument>
let feed: ReturnType<typeof relayEventFeed>
let lookupCount = 0
let lookUps = 0
let mostLookUps = 0
let stream: ExpressionStream
const recent = new RecentIndexTimes()
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
  await feed.start(AbortSignal.timeout(60_000))
  end = () => feed.stop().then(() => opened[Symbol.asyncDispose]())
  store = postgresAnalyticsStore({ database, feed })
  const counting = {
    ...store,
    async findExpressions(ids: readonly string[]) {
      lookupCount += ids.length
      mostLookUps = Math.max(mostLookUps, ++lookUps)
      return store.findExpressions(ids).finally(() => lookUps--)
    },
  }
  // an unavailable index: only the store has the expressions
  const index = { find: () => Promise.reject(new EngineUnavailable('search index')) } as never
  stream = new ExpressionStream({
    store: counting,
    index,
    feed,
    topics: { tree: async () => new DomainTree(await store.readTaxonomy()) },
    recent,
    log: silentLog,
  })
})
afterAll(() => end?.())

const documentOf = (id: string, domain: string, revision = 1): ExpressionDocument =>
  expressionDocument({
    id,
    revision,
    classification: { domain: { id: domain, label: domain, score: 1 }, subDomain: null, method: 'hint', candidates: [], model: 'm' },
  })
const write = async (domain: string, id: string = randomUUID(), revision = 1): Promise<string> => {
  await store.saveExpressions([{ ...expressionRecord(), id, enrichment: documentOf(id, domain, revision) }])
  return id
}
const position = () => feed.position(analyticsTopic, AbortSignal.timeout(60_000))

/** Collects events until it is disposed. */
function listen(wish: Partial<StreamRequest> = {}) {
  const received: StreamedExpression[] = []
  const cancellation = new AbortController()
  const done = (async () => {
    for await (const event of stream.follow(
      { filter: {}, updates: false, withdrawals: false, after: undefined, ...wish },
      cancellation.signal,
    ))
      received.push(event)
  })()
  return {
    received,
    ids: () => received.map(({ document }) => document?.id),
    async until(condition: () => boolean): Promise<void> {
      for (const limit = Date.now() + 60_000; !condition(); await sleep(10))
        if (Date.now() > limit) expect.fail(`received only ${JSON.stringify(received.map(({ position: at, kind }) => [at, kind]))}`)
    },
    async [Symbol.asyncDispose]() {
      cancellation.abort()
      await done
    },
  }
}

describe('the stream of expressions in a subgraph', () => {
  it('sends each subscriber the events of its filter, and reads each expression once for all', async () => {
    const after = await position()
    await using all = listen({ after })
    await using health = listen({ after, filter: { taxonomy: ['health'] } })
    await using energy = listen({ after, filter: { taxonomy: ['energy'] }, updates: true })
    // a subscriber may miss the first round; one that received the second has joined
    for (let round = 1; round <= 2; round++) {
      await Promise.all([write('health'), write('energy')])
      await all.until(() => all.received.length === 2 * round)
      for (const one of [health, energy]) await one.until(() => one.received.length === round)
    }
    for (const { received } of [all, health, energy]) received.length = 0
    lookupCount = 0
    const [first, second] = [await write('health'), await write('energy')]
    await all.until(() => all.received.length === 2)
    await write('energy', first, 2)
    await energy.until(() => energy.received.length === 2)
    expect([all.ids(), health.ids()]).toEqual([[first, second], [first]])
    // a change is sent in its current state, to subscribers that want changes
    expect(energy.received.map(({ kind, document }) => [kind, document?.id])).toEqual([
      ['added', second],
      ['updated', first],
    ])
    expect(lookupCount).toBe(3)
  })

  it('sends withdrawals to subscribers that want them, under every filter, and in order to resuming subscribers', async () => {
    const after = await position()
    await using plain = listen({ after })
    await using energy = listen({ after, filter: { taxonomy: ['energy'] }, withdrawals: true })
    const written = await write('health')
    await plain.until(() => plain.ids().includes(written))
    await store.withdrawExpression(written)
    const later = await write('energy')
    await energy.until(() => energy.ids().includes(later))
    await plain.until(() => plain.ids().includes(later))
    const expectedFrames = [
      { kind: 'withdrawn', withdrawnId: written, document: null },
      { kind: 'added', document: { id: later } },
    ]
    expect(energy.received).toMatchObject(expectedFrames)
    expect(plain.received.map(({ kind }) => kind)).toEqual(['added', 'added'])
    await using back = listen({ after, withdrawals: true })
    await back.until(() => back.ids().includes(later))
    expect(back.received).toMatchObject(expectedFrames)
  })

  it('resumes from a position without gaps or duplicates, also during writes', async () => {
    const after = await position()
    const before = [await write('health'), await write('energy'), await write('health')]
    const now = await position()
    await using live = listen({ after: now })
    await using back = listen({ after, filter: { taxonomy: ['health'] } })
    const later = await write('health')
    await back.until(() => back.ids().includes(later))
    expect(back.ids()).toEqual([before[0], before[2], later])
    await live.until(() => live.ids().includes(later))
    expect(live.ids()).toEqual([later])
  })

  it('reads earlier expressions for one resuming subscriber at a time', async () => {
    const after = await position()
    const written = [await write('health'), await write('energy'), await write('health')]
    mostLookUps = 0
    const resuming = Array.from({ length: 12 }, (_, index) => listen({ after: after + (index % 3), address: `192.0.2.${index}` }))
    for (const [index, each] of resuming.entries()) {
      await each.until(() => each.received.length === 3 - (index % 3))
      expect(each.ids()).toEqual(written.slice(index % 3))
      await each[Symbol.asyncDispose]()
    }
    expect(mostLookUps).toBe(1)
  })

  it('reports a lag when events were pruned or the position does not exist yet', async () => {
    await write('health')
    await using never = listen({ after: (await position()) + 1000 })
    await never.until(() => never.received.length === 1)
    expect(never.received[0]).toMatchObject({ kind: 'lagged', dropped: null, document: null })
    const id = await write('energy')
    await never.until(() => never.ids().includes(id))
    await database.orm.execute(sql`delete from event where topic = ${analyticsTopic}`)
    await using late = listen({ after: 1 })
    const next = await write('energy')
    await late.until(() => late.ids().includes(next))
    expect(late.received[0]).toMatchObject({ kind: 'lagged' })
  })

  it('sets indexedAt for exactly the revision that the intake has indexed', async () => {
    const [indexedAt, id] = ['2026-02-03T04:05:06.000Z', randomUUID()]
    recent.note(
      id,
      1,
      sleep(300).then(() => indexedAt),
    )
    await using all = listen({ after: await position(), updates: true })
    await write('health', id)
    await all.until(() => all.received.length === 1)
    await write('energy', id, 2)
    await all.until(() => all.received.length === 2)
    expect(all.received.map(({ document }) => document?.indexedAt)).toEqual([indexedAt, null])
  })

  it('omits expressions that were withdrawn before they were sent', async () => {
    const after = await position()
    const written = await write('health')
    await store.withdrawExpression(written)
    const stays = await write('health')
    await using reader = listen({ after })
    await reader.until(() => reader.ids().includes(stays))
    expect(reader.ids()).toEqual([stays])
  })

  it('counts the events that a slow subscriber has missed', async () => {
    const cancellation = new AbortController()
    const events = stream.follow({ filter: {}, updates: false, withdrawals: false, after: await position() }, cancellation.signal)
    const first = events.next()
    const ids = Array.from({ length: 1100 }, () => randomUUID())
    await store.saveExpressions(ids.map((id) => ({ ...expressionRecord(), id, embedding: null, enrichment: documentOf(id, 'health') })))
    await using other = listen({ after: await position() })
    await first
    const marker = await write('energy')
    await other.until(() => other.ids().includes(marker))
    const received: StreamedExpression[] = []
    for (let more = true; more; ) {
      const { value } = await events.next()
      if (value !== undefined) received.push(value)
      more = value?.kind !== 'lagged'
    }
    const lagged = received.at(-1)
    expect(received.length + Number(lagged?.dropped)).toBe(1100 + 1)
    cancellation.abort()
  }, 120_000)
})
