import { randomBytes, randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnalyticsStore, analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import { ModerationCases } from '../../../engines/analytics-store/moderation-cases.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { moderationCase } from '../../../engines/analytics-store/tables.ts'
import { AuditTrail, auditRecord } from '../../../engines/audit/audit-trail.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { type OutboxQueue, outboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import type { IndexedExpression } from '../../../engines/search-index/search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { citizenDataOf } from '../../../subgraphs/classification/citizen-data.ts'
import {
  type ExpressionDocument,
  type QueuedExpression,
  readQueued,
} from '../../../subgraphs/classification/expression/expression-document.ts'
import { recordOf } from '../../../subgraphs/classification/expression/expression-mapping.ts'
import { ModerationCaseResolver } from '../../../subgraphs/classification/graphql/moderation-case.resolver.ts'
import { newExpression } from '../../../subgraphs/classification/intake/expression-rules.ts'
import { IngestExpression } from '../../../subgraphs/classification/intake/ingest-expression.ts'
import { ingestMetrics } from '../../../subgraphs/classification/intake/ingest-metrics.ts'
import { storedExpression } from '../../../subgraphs/classification/moderation/correct-expression.ts'
import { contentOf, undoWithdrawal, withdrawRestorable } from '../../../subgraphs/classification/moderation/decide-case.ts'
import { ExpressionScreening } from '../../../subgraphs/classification/screening/screen-expressions.ts'
import { RecentIndexTimes } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

const threat = 'I am going to kill you'
const harmless = 'The bridge is closed again'
const perHour = 5
const pseudonymKey = randomBytes(32)
const moderator: Principal = { user: userOf('moderator', ['super_admin']) }
const sender = { kind: 'service', name: 'portal' } as const

let database: Database
let feed: ReturnType<typeof relayEventFeed>
let store: AnalyticsStore<ExpressionDocument>
let cases: ModerationCases
let resolver: ModerationCaseResolver
let parts: ConstructorParameters<typeof ModerationCaseResolver>[0]
let retries: StepRetries
const indexed = new Map<string, IndexedExpression>()
const queue: QueuedExpression[] = []
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  ends.push(async () => opened[Symbol.asyncDispose]())
  feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => opened.url }, log: silentLog })
  store = postgresAnalyticsStore({ database, feed })
  retries = new StepRetries(database)
  cases = new ModerationCases({ database, feed }, contentOf)
  parts = {
    cases,
    stored: (id) => storedExpression({ store, index }, id),
    store,
    index,
    model: 'none',
    retries,
    audit: new AuditTrail(database),
    keyValue: memoryKeyValue(),
    limits: { perHour, loopbackUnlimited: false },
    pseudonymKey,
    clock: systemClock,
    log: silentLog,
    undoDays: 30,
    find: async () => null,
  }
  resolver = new ModerationCaseResolver(parts)
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})
beforeEach(() => queue.splice(0))

const index = {
  engine: 'test',
  find: async (ids: readonly string[]) => new Map(ids.flatMap((id) => (indexed.has(id) ? [[id, indexed.get(id)?.document ?? '']] : []))),
  put: async (expressions: readonly IndexedExpression[]) => {
    for (const each of expressions) indexed.set(each.id, each)
  },
  remove: async (ids: readonly string[]) => {
    for (const id of ids) indexed.delete(id)
  },
}

function userOf(subject: string, roles: readonly string[] = []) {
  return { issuer: 'https://issuer.example', subject, roles, groups: [], permissions: [] } as unknown as NonNullable<Principal['user']>
}

function contextOf(principal: Principal = moderator, address = '203.0.113.7'): RequestContext {
  const deadline = new Deadline({ timeoutMs: 60_000 })
  return { principal, requestId: randomUUID(), address, deadline, signal: deadline.signal, log: silentLog, loaders: new Map() }
}

function intakeOf(policy: { isHolding: boolean }) {
  const topics = { model: () => Promise.reject(new Error('not learnt')), tree: () => Promise.reject(new Error('not learnt')) }
  const outbox = outboxQueue({ name: 'expressions', database, announcer: feed })
  const messages: OutboxQueue = {
    ...outbox,
    async sendWithin(_tx, _kind, content) {
      if ('rows' in content && Array.isArray(content.rows)) queue.push(...content.rows.map(readQueued))
    },
  }
  const screening = new ExpressionScreening(cases, parts.audit, { threshold: 0.5, ...policy })
  const geocoder = { source: 'none', locate: async () => undefined, find: async () => undefined }
  return new IngestExpression(
    // a search index that finds and stores only
    { database, queue: messages, index: index as never, recent: new RecentIndexTimes(), screening, clock: systemClock, log: silentLog },
    new Pipeline({ topics, encoder: projectionEncoder(), geocoder, sentiment: sentimentModel(['cpu']) }),
    { pseudonymKey, expressionKey: randomBytes(32), requestLimitMs: 10_000 },
    ingestMetrics(new Registry(), messages),
  )
}

async function sent(text: string, { isHolding = false, authorRef = null as string | null, externalId = randomUUID() as string } = {}) {
  const deadline = new Deadline({ timeoutMs: 60_000 })
  const ingested = await intakeOf({ isHolding }).ingest(
    newExpression({ text, source: 'test', externalId, authorRef } as never),
    sender,
    deadline,
  )
  // the worker of the queue
  await store.saveExpressions(queue.map(recordOf))
  return ingested
}
const published = async (text = harmless): Promise<string> => (await sent(text)).document.id
const report = (expressionId: string, principal: Principal = { user: userOf(randomUUID()) }, address?: string) =>
  resolver.reportExpression({ expressionId, reason: 'insult', note: 'See the first word' }, contextOf(principal, address ?? anyAddress()))
let lastAddress = 0
const anyAddress = (): string => `198.51.${Math.floor(++lastAddress / 250)}.${lastAddress % 250}`
const decide = (id: string, decision: 'leave' | 'withdraw' | 'release', context = contextOf()) =>
  resolver.decideModerationCase({ id, decision, ...(decision === 'withdraw' && { reason: 'threat' }) }, context)
const queued = async (filter?: Parameters<typeof resolver.moderationQueue>[1]) =>
  (await resolver.moderationQueue({ first: 100 }, filter)).nodes.map(({ id }) => id)
const isPublic = async (id: string): Promise<boolean> => (await store.findExpressions([id])).length === 1
const actionsOn = async (target: string) =>
  (
    await database.orm
      .select({ action: auditRecord.action })
      .from(auditRecord)
      .where(eq(auditRecord.target, target))
      .orderBy(auditRecord.id)
  ).map(({ action }) => action)

/** Kinds of events about an expression, in order. */
async function eventsOf(id: string): Promise<readonly string[]> {
  const until = await feed.position(analyticsTopic, AbortSignal.timeout(5000))
  const kinds: string[] = []
  for await (const event of feed.follow(analyticsTopic, 0, AbortSignal.timeout(5000))) {
    if ('id' in event && event.id === id) kinds.push(event.kind)
    if ('position' in event && event.position >= until) break
  }
  return kinds
}

describe('a threat', () => {
  it('is public and waits for a moderator by default', async () => {
    const { document, isHeld } = await sent(threat)
    expect([isHeld, await isPublic(document.id)]).toEqual([false, true])
    const { nodes } = await resolver.moderationQueue({ first: 100 }, { cause: 'toxic', isHeld: false })
    expect(nodes.find(({ id }) => id === document.id)).toMatchObject({ text: threat, toxicity: { flags: ['threat'] }, reportCount: 0 })
    expect(await queued({ cause: 'reported' })).not.toContain(document.id)
  })

  it('is held by setting: accepted, found by its sender only, and released as a new expression', async () => {
    const externalId = randomUUID()
    const { document, created, isHeld } = await sent(threat, { isHolding: true, externalId })
    const { id } = document
    expect([created, isHeld, document.indexedAt]).toEqual([true, true, null])
    expect([await isPublic(id), indexed.has(id), queue.length, await eventsOf(id)]).toEqual([false, false, 0, []])
    await expect(report(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await queued({ isHeld: true })).toContain(id)
    await expect(decide(id, 'leave')).rejects.toMatchObject({ code: 'CONFLICT' })

    expect((await decide(id, 'release')).case).toMatchObject({
      state: 'released',
      isHeld: false,
      text: threat,
      administrator: { id: 'moderator' },
    })
    expect([await isPublic(id), indexed.has(id), await eventsOf(id)]).toEqual([true, true, ['expression_added']])
    expect(await queued()).not.toContain(id)
    expect(await actionsOn(id)).toEqual(['expression.hold', 'moderation.decide'])
  })

  it('is the same when it is sent again while it is held, and another text under its external id is a conflict', async () => {
    const externalId = randomUUID()
    const intake = intakeOf({ isHolding: true })
    const ingest = (text: string) =>
      intake.ingest(newExpression({ text, source: 'test', externalId } as never), sender, new Deadline({ timeoutMs: 60_000 }))
    const first = await ingest(threat)
    expect(await ingest(threat)).toEqual({ document: first.document, created: false, isHeld: true })
    await expect(ingest(harmless)).rejects.toMatchObject({ code: 'CONFLICT' })
    await decide(first.document.id, 'withdraw')
    await expect(ingest(threat)).rejects.toMatchObject({ code: 'CONFLICT', message: 'This expression was withdrawn' })
  })
})

describe('a report', () => {
  it('counts once per account and once per network, and opens a case', async () => {
    const id = await published()
    const reader: Principal = { user: userOf('reader') }
    expect(await report(id, reader)).toMatchObject({ created: true })
    expect(await report(id, reader)).toMatchObject({ created: false })
    expect(await report(id, {}, '2001:db8::1')).toMatchObject({ created: true })
    expect(await report(id, {}, '2001:db8::2')).toMatchObject({ created: false })
    const { nodes } = await resolver.moderationQueue({ first: 100 }, { reportReason: 'insult' })
    const found = nodes.find((each) => each.id === id)
    expect(found).toMatchObject({ reportCount: 2, state: 'open' })
    expect(await resolver.reports(found as never, contextOf())).toHaveLength(2)
    expect(await queued({ reportReason: 'spam' })).not.toContain(id)
  })

  it('opens a decided case again', async () => {
    const id = await published()
    await report(id)
    await decide(id, 'leave')
    expect(await queued()).not.toContain(id)
    await report(id)
    expect(await resolver.moderationCase(id)).toMatchObject({ state: 'open', reportCount: 2, decidedAt: null, administrator: null })
  })

  it('is limited per network and per account', async () => {
    const ids = await Promise.all(Array.from({ length: perHour + 1 }, () => published()))
    const address = '192.0.2.9'
    for (const id of ids.slice(0, perHour)) await report(id, {}, address)
    await expect(report(ids[perHour] ?? '', {}, address)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    const reader: Principal = { user: userOf('busy') }
    for (const id of ids.slice(0, perHour)) await report(id, reader)
    await expect(report(ids[perHour] ?? '', reader)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('on an unknown or withdrawn expression is refused with its own code', async () => {
    for (const id of [randomUUID(), 'unheard-of', '\u0000']) await expect(report(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const id = await published()
    await store.withdrawExpression(id)
    await expect(report(id)).rejects.toMatchObject({ code: 'CONFLICT', message: 'This expression was withdrawn and is no longer public' })
    const note = 'x'.repeat(1001)
    const input = { expressionId: await published(), reason: 'other', note } as const
    await expect(resolver.reportExpression(input, contextOf())).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})

describe('a withdrawal', () => {
  it('needs a reason, is listed with it, and is undone with the votes', async () => {
    const id = await published()
    const voter = randomBytes(32).toString('hex')
    await store.castVote(id, voter, 'agree')
    await report(id)
    const wrong = resolver.decideModerationCase({ id, decision: 'withdraw', note: 'x'.repeat(1001) }, contextOf())
    await expect(wrong).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { entries: [{ path: ['reason'] }, { path: ['note'] }] } })
    const withdrawn = await decide(id, 'withdraw')
    expect(withdrawn.deletedNodeId).toBe(nodeIdOf('Expression', id))
    expect(withdrawn.case).toMatchObject({ state: 'withdrawn', reason: 'threat', undoableUntil: expect.any(Date), text: harmless })
    expect([await isPublic(id), indexed.has(id)]).toEqual([false, false])
    // an export of the citizen who voted contains the vote that the withdrawal retains
    const vote = { expressionId: id, voter, value: 'agree', isVerified: true }
    expect([await store.votesOfVoters([voter], undefined, 10), await store.withheldVotesOfVoters([voter])]).toMatchObject([[], [vote]])
    const { nodes } = await resolver.moderationDecisions({ first: 100 }, { states: ['withdrawn'] })
    expect(nodes[0]).toMatchObject({ id, text: harmless })
    await expect(report(id)).rejects.toMatchObject({ code: 'CONFLICT' })

    expect((await resolver.undoWithdrawal({ id }, contextOf())).case).toMatchObject({ state: 'restored', undoableUntil: null })
    expect([await isPublic(id), indexed.has(id)]).toEqual([true, true])
    expect((await store.countVotes([id])).get(id)).toMatchObject({ agree: 1 })
    expect(await eventsOf(id)).toEqual(['expression_added', 'expression_withdrawn', 'expression_added'])
    await expect(resolver.undoWithdrawal({ id }, contextOf())).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await actionsOn(id)).toEqual(['expression.report', 'moderation.decide', 'expression.restore'])
  })

  it('of an expression without a case can be undone until its time ends', async () => {
    const id = await published()
    await withdrawRestorable(parts, id, { reason: 'personal_data' }, contextOf())
    await expect(withdrawRestorable(parts, id, {}, contextOf())).rejects.toMatchObject({ code: 'CONFLICT' })
    await database.orm.update(moderationCase).set({ eraseAt: sql`now() - interval '1 second'` }).where(eq(moderationCase.id, id))
    const undone = { code: 'CONFLICT', message: 'The text of this case was erased and cannot be published' }
    await expect(resolver.undoWithdrawal({ id }, contextOf())).rejects.toMatchObject(undone)
    await cases.removeExpired()
    expect(await resolver.moderationCase(id)).toBeNull()
    await expect(resolver.undoWithdrawal({ id }, contextOf())).rejects.toMatchObject(undone)
  })
})

describe('a withdrawal beside the undo of the previous one', () => {
  it('leaves nothing in the index, whichever writes there last', async () => {
    const id = await published()
    await withdrawRestorable(parts, id, {}, contextOf())
    const put = async (expressions: readonly IndexedExpression[]): Promise<void> => {
      await withdrawRestorable(parts, id, {}, contextOf())
      await index.put(expressions)
    }
    await undoWithdrawal({ ...parts, index: { ...index, put } }, id, contextOf())
    expect([await isPublic(id), indexed.has(id)]).toEqual([false, false])
  })

  it('knows the expression', async () => {
    const id = await published()
    for (let round = 0; round < 5; round++) {
      await withdrawRestorable(parts, id, {}, contextOf()).catch(() => undefined)
      const results = await Promise.allSettled([undoWithdrawal(parts, id, contextOf()), withdrawRestorable(parts, id, {}, contextOf())])
      const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
      expect([
        ['done', 'done'],
        ['done', 'CONFLICT'],
      ]).toContainEqual(codes)
    }
  })
})

describe('two moderators', () => {
  it('who decide at once: the first decision counts, the other is refused and says who decided', async () => {
    const id = await published(threat)
    const other = contextOf({ user: userOf('other', ['super_admin']) })
    const results = await Promise.allSettled([decide(id, 'withdraw'), decide(id, 'leave', other)])
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toMatchObject([
      { code: 'CONFLICT', message: expect.stringMatching(/already been decided: \w+ by (?:moderator|other) at /) },
    ])
    expect(await actionsOn(id)).toEqual(['moderation.decide'])
  })

  it('cannot decide an unknown case', async () => {
    for (const decision of ['leave', 'withdraw', 'release'] as const)
      for (const id of [randomUUID(), 'unheard-of'])
        await expect(decide(id, decision)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Case not found' })
  })
})

describe('the erasure of a citizen', () => {
  const citizen = { code: 'C-1', authorRefs: ['author-1'], voters: [{ issuer: 'https://issuer.example', subject: 'citizen' }] }

  it('takes held and withdrawn texts and reports along', async () => {
    const holder = citizenDataOf({ database, feed, pseudonymKey })
    const held = (await sent(threat, { isHolding: true, authorRef: 'author-1' })).document.id
    const withdrawn = (await sent(harmless, { authorRef: 'author-1' })).document.id
    await withdrawRestorable(parts, withdrawn, {}, contextOf())
    const reported = await published()
    await report(reported, { user: userOf('citizen') })
    expect((await holder.survey(citizen)).erasable).toEqual({ expressions: 2, reports: 1 })
    const exported = await holder.export(citizen, undefined, 10, AbortSignal.timeout(5000))
    expect(exported.map(({ type }) => type).sort()).toEqual(['report', 'withheld_expression', 'withheld_expression'])

    const counts: unknown[] = []
    await holder.erase(citizen, async (_tx, batch) => void counts.push(batch.counts))
    expect(counts).toEqual([{ expressions: 2, reports: 1 }])
    expect((await holder.survey(citizen)).erasable).toEqual({ expressions: 0, reports: 0 })
    const erased = { code: 'CONFLICT', message: 'The text of this case was erased and cannot be published' }
    await expect(decide(held, 'release')).rejects.toMatchObject(erased)
    await expect(resolver.undoWithdrawal({ id: withdrawn }, contextOf())).rejects.toMatchObject(erased)
    // nothing remains to decide about an expression that only the citizen reported
    expect(await resolver.moderationCase(reported)).toBeNull()
  })

  it('takes a vote along whose expression is being withdrawn', async () => {
    const other = await published()
    const voter = randomBytes(32).toString('hex')
    await store.castVote(other, voter, 'agree')
    const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const record: AuditTrail['record'] = async (...entry) => {
      await parts.audit.record(...entry)
      written.resolve()
      await mayCommit.promise
    }
    const withdrawing = withdrawRestorable({ ...parts, audit: { record } }, other, {}, contextOf())
    await written.promise
    const erasing = store.deleteVotesOf([voter], 100, async () => undefined)
    await new Promise((resolve) => setTimeout(resolve, 300))
    mayCommit.resolve()
    await Promise.all([withdrawing, erasing])
    await resolver.undoWithdrawal({ id: other }, contextOf())
    expect((await store.countVotes([other])).get(other)?.agree ?? 0).toBe(0)
  })

  it('takes a text and a vote along that are being restored', async () => {
    const holder = citizenDataOf({ database, feed, pseudonymKey })
    const id = (await sent(harmless, { authorRef: 'author-2' })).document.id
    const other = await published()
    const voter = randomBytes(32).toString('hex')
    await store.castVote(other, voter, 'agree')
    for (const each of [id, other]) await withdrawRestorable(parts, each, {}, contextOf())
    const [written, mayCommit] = [[Promise.withResolvers<void>(), Promise.withResolvers<void>()], Promise.withResolvers<void>()]
    const restoring = [id, other].map((each, index) => {
      const record: AuditTrail['record'] = async (...entry) => {
        await parts.audit.record(...entry)
        written[index]?.resolve()
        await mayCommit.promise
      }
      return new ModerationCaseResolver({ ...parts, audit: { record } }).undoWithdrawal({ id: each }, contextOf())
    })
    await Promise.all(written.map(({ promise }) => promise))
    const erasing = [
      holder.erase({ ...citizen, authorRefs: ['author-2'] }, async () => undefined),
      store.deleteVotesOf([voter], 100, async () => undefined),
    ]
    await new Promise((resolve) => setTimeout(resolve, 300))
    mayCommit.resolve()
    await Promise.all([...restoring, ...erasing])
    expect([await isPublic(id), await isPublic(other)]).toEqual([false, true])
    expect((await store.countVotes([other])).get(other)?.agree ?? 0).toBe(0)
  })
})

it('a release is not lost while the search index is unavailable', async () => {
  const { document } = await sent(threat, { isHolding: true })
  const put = index.put
  index.put = () => Promise.reject(new EngineUnavailable('search index'))
  try {
    await decide(document.id, 'release')
  } finally {
    index.put = put
  }
  expect(await isPublic(document.id)).toBe(true)
})
