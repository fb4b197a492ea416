import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { readAudit } from '../../../engines/audit/read-audit.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { storeDeadLetter } from '../../../engines/message-queue/dead-letters.ts'
import { type OutboxQueue, outboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { DeadLettersResolver } from '../../../subgraphs/classification/graphql/dead-letters.resolver.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { superAdmin } from '../../support/clients/administration.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

let database: Database
let store: AnalyticsStore<ExpressionDocument>
let queue: OutboxQueue
let resolver: DeadLettersResolver
let end: () => Promise<unknown>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  end = async () => opened[Symbol.asyncDispose]()
  const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
  store = postgresAnalyticsStore({ database, feed })
  queue = outboxQueue({ name: 'expressions', database, announcer: feed })
  resolver = new DeadLettersResolver({ store, retries: new StepRetries(database), queue, audit: new AuditTrail(database) })
})
afterAll(() => end?.())
beforeEach(() => database.orm.execute(sql`truncate expression_dead_letter, outbox_dead_letter, outbox, audit_record`))

const context = (timeoutMs = 60_000): RequestContext => {
  const deadline = new Deadline({ timeoutMs })
  return { principal: {}, requestId: randomUUID(), deadline, signal: deadline.signal, log: silentLog, loaders: new Map() }
}
const unreadable = { document: { text: 7 } }
const unfinished = { given: { lang: null, address: null, domainHint: null } }
async function storeExpressionLetters(content: object, count = 1): Promise<readonly string[]> {
  const letters = Array.from({ length: count }, () => ({ id: randomUUID(), content, reason: 'refused' }))
  await store.storeDeadLetters(letters)
  return letters.map(({ id }) => id)
}
const storeMessage = (name: string) =>
  storeDeadLetter(database.orm, { queue: name, kind: 'expressions', content: { rows: [] }, format: 1 }, new Error('strange'))

describe.each(['expression', 'message'] as const)('dead letters of the kind %s', (kind) => {
  const storeLetters = async (): Promise<void> => {
    if (kind === 'expression') await storeExpressionLetters(unreadable, 5)
    else for (let n = 0; n < 5; n += 1) await storeMessage('expressions')
  }

  it('are read page by page from both ends, and counted', async () => {
    await storeLetters()
    const all = await resolver.deadLetters({ kind: kind }, 'expression', { first: 50 }, context())
    expect(await all.count()).toBe(5)
    expect(all.nodes).toHaveLength(5)
    for (const node of all.nodes) expect(node).toEqual({ id: expect.any(String), kind, reason: expect.any(String), at: expect.any(Date) })
    const first = await resolver.deadLetters({ kind: kind }, 'expression', { first: 2 }, context())
    const second = await resolver.deadLetters({ kind: kind }, 'expression', { first: 2, after: first.pageInfo.endCursor }, context())
    const last = await resolver.deadLetters({ kind: kind }, 'expression', { last: 1 }, context())
    expect([...first.nodes, ...second.nodes, ...last.nodes]).toEqual(all.nodes)
    expect([second.pageInfo.hasNextPage, last.pageInfo.hasNextPage]).toEqual([true, false])
  })

  it('are found by their ids, by super_admins only', async () => {
    await storeLetters()
    const [one, other] = (await resolver.deadLetters({ kind: kind }, 'expression', { first: 2 }, context())).nodes
    const request = { ...context(), principal: superAdmin }
    expect(await Promise.all([other, one].map((letter) => resolver.find(letter?.id ?? '', request)))).toEqual([other, one])
    for (const id of ['none', '0', '999999', randomUUID()]) expect(await resolver.find(id, request)).toBeNull()
    expect(await resolver.find(one?.id ?? '', context())).toBeNull()
  })

  it('are refused for a cursor of the other kind, and for an empty or an oversized page', async () => {
    await storeLetters()
    const other = kind === 'message' ? 'expression' : 'message'
    const { pageInfo } = await resolver.deadLetters({ kind: kind }, 'expression', { first: 1 }, context())
    await expect(
      resolver.deadLetters({ kind: other }, 'expression', { first: 1, after: pageInfo.endCursor }, context()),
    ).rejects.toMatchObject({
      code: 'MALFORMED',
    })
    for (const ids of [[], Array.from({ length: 101 }, () => randomUUID())])
      await expect(resolver.redriveDeadLetters({ kind, ids }, context())).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})

describe('redriven dead letters', () => {
  it('report the outcome of each expression, count unknown ids, and are recorded in the audit trail by id', async () => {
    const [[broken = ''], [again = '']] = [await storeExpressionLetters(unreadable), await storeExpressionLetters(unfinished)]
    const ids = [broken, again, again, randomUUID(), 'no id at all']
    const report = await resolver.redriveDeadLetters({ kind: 'expression', ids }, context())
    expect(report).toEqual({
      written: 0,
      waiting: 1,
      failed: 1,
      redrivenIds: [again],
      deletedNodeIds: [nodeIdOf('DeadLetter', again)],
      unknown: 2,
      remaining: 1,
    })
    const records = await readAudit(database, { action: 'dead-letters.redrive' }, { limit: 10 })
    expect(records.map(({ target }) => target).sort()).toEqual([...new Set(ids)].sort())
  })

  it('leaves ids that no table can store unknown', async () => {
    const ids = ['\u0000', 'a\u0000b', '\ud800']
    for (const kind of ['expression', 'message'] as const)
      expect(await resolver.redriveDeadLetters({ kind, ids }, context())).toMatchObject({ redrivenIds: [], unknown: 3 })
  })

  it('stay dead letters when the request has no time for them', async () => {
    await storeExpressionLetters(unfinished, 3)
    const report = await resolver.redriveDeadLetters({ kind: 'expression' }, context(1500))
    expect(report).toEqual({ written: 0, waiting: 0, failed: 0, redrivenIds: [], deletedNodeIds: [], unknown: 0, remaining: 3 })
    expect(await resolver.redriveDeadLetters({ kind: 'expression' }, context())).toMatchObject({ waiting: 3, remaining: 0 })
  })
})

it('return messages to the workers of their queue only', async () => {
  for (const name of ['expressions', 'expressions', 'delegations']) await storeMessage(name)
  const [one] = (await resolver.deadLetters(null, 'message', {}, context())).nodes
  const ids = [one?.id ?? '', '999999', 'none']
  expect(await resolver.redriveDeadLetters({ kind: 'message', ids }, context())).toEqual({
    written: 0,
    waiting: 1,
    failed: 0,
    redrivenIds: [one?.id],
    deletedNodeIds: [nodeIdOf('DeadLetter', one?.id ?? '')],
    unknown: 2,
    remaining: 1,
  })
  expect(await resolver.redriveDeadLetters({ kind: 'message' }, context())).toMatchObject({ waiting: 1, remaining: 0 })
  expect(await queue.depth(AbortSignal.timeout(5000))).toBe(2)
  expect(await database.orm.execute(sql`select queue from outbox_dead_letter`)).toMatchObject({ rows: [{ queue: 'delegations' }] })
})
