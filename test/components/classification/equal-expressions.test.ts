import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
import { type OutboxQueue, outboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { silentLog } from '../../../foundation/log.ts'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { Pipeline } from '../../../subgraphs/classification/analysis/pipeline.ts'
import { sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { TopicTrainer } from '../../../subgraphs/classification/analysis/topic/topic-trainer.ts'
import { type ExpressionDocument, readQueued } from '../../../subgraphs/classification/expression/expression-document.ts'
import { recordIndexTimes } from '../../../subgraphs/classification/expression/expression-identities.ts'
import { recordOf } from '../../../subgraphs/classification/expression/expression-mapping.ts'
import { identify } from '../../../subgraphs/classification/intake/enrich-expression.ts'
import { authorOf, type Sender } from '../../../subgraphs/classification/intake/expression-key.ts'
import { IngestExpression } from '../../../subgraphs/classification/intake/ingest-expression.ts'
import { ingestMetrics } from '../../../subgraphs/classification/intake/ingest-metrics.ts'
import { RecentIndexTimes } from '../../../subgraphs/classification/search/recently-indexed.ts'
import { seedTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { newExpression } from '../../support/samples/expression-document.ts'

const anonymous: Sender = { kind: 'anonymous' }
const service = (name: string): Sender => ({ kind: 'service', name })
const user = (subject: string, issuer = 'https://issuer.test'): Sender => ({ kind: 'user', issuer, subject })
const pseudonymKey = randomBytes(32)
const keys = { pseudonymKey, expressionKey: randomBytes(32) }

describe('expressions', () => {
  let ingest: IngestExpression
  let store: AnalyticsStore<ExpressionDocument>
  let database: Database
  /** The intake of another process. */
  let elsewhere: IngestExpression
  /** Another process that has indexed nothing and cannot read the index. */
  let elsewhereWithoutIndex: IngestExpression
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
    const { url } = opened
    database = opened.database
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
    const outbox = outboxQueue({ name: 'expressions', database, announcer: feed })
    const queue: OutboxQueue = {
      ...outbox,
      depth: async () => waiting,
      sendWithin(tx, kind, content, position) {
        sent.push(content)
        return outbox.sendWithin(tx, kind, content, position)
      },
    }
    const recent = new RecentIndexTimes()
    const engines = {
      queue,
      index,
      database,
      recent,
      clock: { now: () => systemClock.now() + later },
      log: silentLog,
    }
    const waitingFor = (requestLimitMs: number) =>
      new IngestExpression(engines, pipeline, { ...keys, requestLimitMs }, ingestMetrics(new Registry(), queue))
    ingest = waitingFor(60_000)
    hurried = waitingFor(1000)
    elsewhere = waitingFor(60_000)
    const noIndex = { ...index, find: () => Promise.reject(new Error('not needed')) }
    elsewhereWithoutIndex = new IngestExpression(
      { ...engines, index: noIndex, recent: new RecentIndexTimes() },
      pipeline,
      { ...keys, requestLimitMs: 60_000 },
      ingestMetrics(new Registry(), queue),
    )
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

  const inTime = () => new Deadline({ timeoutMs: 60_000 })
  const storeQueued = async (): Promise<void> => {
    const rows = sent.flatMap((content) => (content as { readonly rows: readonly unknown[] }).rows).map(readQueued)
    await store.saveExpressions(rows.map(recordOf))
    await database.pool.query('delete from outbox')
  }
  const identityOf = async (id: string) =>
    (await database.pool.query('select digest, digest_version, outbox_position, indexed_at from expression_identity where id = $1', [id]))
      .rows[0]

  it('of two processes at the same time are stored once: an equal one repeats the first, another text is refused', {
    timeout: 60_000,
  }, async () => {
    slowMs = 300
    for (const [text, status] of [
      [expression.text, 'fulfilled'],
      ['Un autre texte', 'rejected'],
    ] as const) {
      sent.length = 0
      const first = { ...expression, externalId: randomUUID() }
      const outcomes = await Promise.allSettled([
        ingest.ingest(first, anonymous, inTime()),
        elsewhere.ingest({ ...first, text }, anonymous, inTime()),
      ])
      const values = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(values.filter(({ created }) => created)).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome.status === status).length).toBeGreaterThan(0)
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
      const { rows } = await database.pool.query(`select content from outbox where strpos(content::text, $1) > 0`, [values[0]?.document.id])
      expect(rows.flatMap(({ content }) => content.rows)).toHaveLength(1)
    }
    slowMs = 0
  })

  it('that are repeated are answered equally from the outbox and from the store, whatever the index has', { timeout: 60_000 }, async () => {
    sent.length = 0
    const repeated = { ...expression, externalId: randomUUID() }
    const { document } = await ingest.ingest(repeated, anonymous, inTime())
    const answer = { created: false, isHeld: false, document: { ...document, indexedAt: null } }
    expect(await elsewhereWithoutIndex.ingest(repeated, anonymous, inTime())).toEqual(answer)
    await storeQueued()
    expect(await elsewhereWithoutIndex.ingest(repeated, anonymous, inTime())).toEqual(answer)
    await recordIndexTimes(database, new Map([[document.id, document.indexedAt ?? '']]))
    expect(await elsewhereWithoutIndex.ingest(repeated, anonymous, inTime())).toEqual({ created: false, isHeld: false, document })
    expect(await ingest.ingest(repeated, anonymous, inTime())).toEqual({ created: false, isHeld: false, document })
  })

  it('are repeats under another version of the digest or of redaction, and without a digest by their stored text', {
    timeout: 60_000,
  }, async () => {
    sent.length = 0
    const first = { ...expression, externalId: randomUUID(), text: `Appelez le 77 123 45 67 avant midi ${randomUUID()}` }
    const other = { ...first, text: 'Un autre texte' }
    const { document } = await ingest.ingest(first, anonymous, inTime())
    await storeQueued()
    await expect(ingest.ingest(other, anonymous, inTime())).rejects.toMatchObject({ code: 'CONFLICT' })
    // redaction would have made these equal
    const similar = { ...first, text: first.text.replace('77 123 45 67', '77 123 45 68') }
    await expect(ingest.ingest(similar, anonymous, inTime())).rejects.toMatchObject({ code: 'CONFLICT' })
    await database.pool.query('update expression_identity set digest = null, digest_version = 0 where id = $1', [document.id])
    expect(await ingest.ingest(similar, anonymous, inTime())).toMatchObject({ created: false, document: { id: document.id } })
    await expect(ingest.ingest(other, anonymous, inTime())).rejects.toMatchObject({ code: 'CONFLICT' })
    await database.pool.query(`update expression set enrichment = jsonb_set(enrichment, '{pipeline,version}', '"0"') where id = $1`, [
      document.id,
    ])
    expect(await ingest.ingest(other, anonymous, inTime())).toMatchObject({ created: false, document: { id: document.id } })
    await database.pool.query(`update expression_identity set digest = '\\x00', digest_version = 99 where id = $1`, [document.id])
    expect(await ingest.ingest(other, anonymous, inTime())).toMatchObject({ created: false, document: { id: document.id } })
  })

  it('wait for no transaction that stays open: only the id that it claims is refused until it ends', { timeout: 60_000 }, async () => {
    const held = { ...expression, externalId: randomUUID() }
    const { id } = identify(held, anonymous, new Date(), keys)
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(hashtextextended('expression ' || $1::uuid, 0))`, [id])
      await client.query('insert into expression_identity (id, received_day) values ($1, now())', [id])
      const refused = expect(hurried.ingest(held, anonymous, inTime())).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
      const others = Array.from({ length: 20 }, () => hurried.ingest({ ...expression, externalId: randomUUID() }, anonymous, inTime()))
      expect((await Promise.all(others)).every(({ created }) => created)).toBe(true)
      await refused
    } finally {
      // as when its process is killed
      await client.query('rollback')
      client.release()
    }
    expect(await hurried.ingest(held, anonymous, inTime())).toMatchObject({ created: true })
  })

  it('are accepted again when an operator has removed their message, and not while it is a dead letter', { timeout: 60_000 }, async () => {
    const lost = { ...expression, externalId: randomUUID() }
    const { document } = await ingest.ingest(lost, anonymous, inTime())
    await database.pool.query(
      `with moved as (delete from outbox where strpos(content::text, $1) > 0 returning *)
      insert into outbox_dead_letter (queue, kind, content, format, reason) select queue, kind, content, format, 'test' from moved`,
      [document.id],
    )
    expect(await elsewhere.ingest(lost, anonymous, inTime())).toMatchObject({ created: false })
    await database.pool.query('delete from outbox_dead_letter')
    expect(await elsewhere.ingest(lost, anonymous, inTime())).toMatchObject({ created: true })
  })

  it('that are withdrawn keep only their id, also when another release writes or withdraws them', { timeout: 60_000 }, async () => {
    sent.length = 0
    const { document } = await ingest.ingest({ ...expression, externalId: randomUUID() }, anonymous, inTime())
    expect(await identityOf(document.id)).toMatchObject({ digest: expect.any(Buffer), digest_version: 1 })
    await storeQueued()
    await store.withdrawExpression(document.id)
    const forgotten = { digest: null, digest_version: 0, outbox_position: null, indexed_at: null }
    expect(await identityOf(document.id)).toEqual(forgotten)
    const reserved = v5(randomUUID(), v5.URL)
    await store.withdrawExpression(reserved, { evenUnwritten: true })
    expect(await identityOf(reserved)).toEqual(forgotten)
    const random = randomUUID()
    await store.withdrawExpression(random, { evenUnwritten: true })
    expect(await identityOf(random)).toBeUndefined()
  })

  it('of earlier releases are identified by the migrations: stored, waiting and dead ones', { timeout: 60_000 }, async () => {
    const [stored, waiting, quoted, dead] = Array.from({ length: 4 }, () => v5(randomUUID(), v5.URL))
    sent.length = 0
    const { document } = await ingest.ingest({ ...expression, externalId: null }, anonymous, inTime())
    const [row] = sent.flatMap((content) => (content as { readonly rows: readonly unknown[] }).rows).map(readQueued)
    if (row === undefined || stored === undefined) throw new Error('nothing was queued')
    await store.saveExpressions([recordOf({ ...row, document: { ...document, id: stored } })])
    const text = `\0 "document":{"id":"${quoted}"`
    const content = { rows: [{ ...row, document: { ...document, id: waiting, text } }] }
    await database.pool.query(`insert into outbox (queue, kind, content) values ('expressions', 'expressions', $1)`, [
      JSON.stringify(content),
    ])
    await database.pool.query(`insert into expression_dead_letter (id, content, reason) values ($1, '{}', 'test')`, [dead])
    await database.pool.query('truncate expression_identity')
    for (const name of ['0081-identities-of-waiting-expressions', '0082-identities-of-stored-expressions'])
      await database.pool.query(await readFile(join(projectFolder, `schema/sql/${name}.sql`), 'utf8'))
    const { rows } = await database.pool.query<{ id: string }>(
      `select id, outbox_position is not null as waits, indexed_at is not null as indexed from expression_identity where id = any($1)`,
      [[stored, waiting, quoted, dead, document.id]],
    )
    expect(new Set(rows)).toEqual(
      new Set([
        { id: stored, waits: false, indexed: true },
        { id: waiting, waits: true, indexed: false },
        { id: dead, waits: false, indexed: false },
      ]),
    )
  })
})
