import { createHmac, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { auditRecord } from '../../../engines/audit/audit-trail.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { advisoryLocks } from '../../../engines/relational/advisory-locks.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { importDelegations } from '../../../subgraphs/administration/commands/delegation-upkeep.ts'
import { authorOf } from '../../../subgraphs/classification/intake/expression-key.ts'
import { pseudonymOfService } from '../../../subgraphs/exploration/votes/cast-vote.ts'
import { expressionRecord } from '../../contracts/analytics-store/analytics-store.contract.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { openReviewDesk, type Person, type ReviewDesk } from '../../support/rest/review.ts'

const admin: Person = { subject: 'ada', roles: ['super_admin'] }
const reviewer: Person = { subject: 'awa', roles: ['reviewer'] }
const code = 'CIT-1'
const references = { code, authorRefs: ['author-1'], voters: [{ service: 'portal', voterRef: 'voter-1' }] }

interface Report {
  readonly component: string
  readonly isComplete: boolean
  readonly erased: readonly { readonly kind: string; readonly count: number }[]
  readonly remaining: readonly { readonly kind: string; readonly count: number | null; readonly expressionIds: readonly string[] }[]
}
interface Erasure {
  readonly id: string
  readonly pseudonym: string
  readonly completedAt: string | null
  readonly isUnknown: boolean
  readonly components: readonly Report[]
}
const report = 'component isComplete erased { kind count } remaining { kind count expressionIds }'
const erasure = `id pseudonym completedAt isUnknown components { ${report} }`
const eraseText = `mutation ($input: EraseCitizenInput!) { eraseCitizen(input: $input) { citizen { code } erasedJobs erasedJobIds deletedNodeIds erasure { ${erasure} } } }`

const withCounts = (reports: readonly Report[] = []) =>
  Object.fromEntries(
    reports.map(({ component, erased, remaining }) => [
      component,
      {
        erased: Object.fromEntries(erased.map(({ kind, count }) => [kind, count])),
        remaining: Object.fromEntries(remaining.map(({ kind, count }) => [kind, count])),
      },
    ]),
  )

for (const engine of relationalEngines())
  describe(`the erasure of a citizen over all components on ${engine.name}`, () => {
    let desk: ReviewDesk
    let store: AnalyticsStore
    /** fails the next appends to the feed, at the end of the transactions that withdraw expressions */
    let failures = 0
    beforeEach(async () => {
      failures = 0
      const failing = (feed: EventFeed): EventFeed => ({
        ...feed,
        append: (tx, topic, events) => {
          if (events.some(({ kind }) => kind === 'expression_withdrawn') && failures-- > 0) throw new EngineUnavailable('database')
          return feed.append(tx, topic, events)
        },
      })
      desk = await openReviewDesk(engine, { feed: failing })
      store = postgresAnalyticsStore({ database: desk.database, feed: desk.feed })
    })
    afterEach(() => desk?.[Symbol.asyncDispose]())

    const erase = (input: object = references, caller: Person | 'service' = admin) =>
      desk.execute<{ eraseCitizen: { erasedJobs: number; erasedJobIds: string[]; deletedNodeIds: string[]; erasure: Erasure } }>(
        eraseText,
        { input },
        caller,
      )
    const exported = async (input: object = references): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const text = 'query ($input: ExportCitizenInput!) { exportCitizen(input: $input) { ndjson count endCursor } }'
      const lines: string[] = []
      for (let after: string | null = null, more = true; more; ) {
        const variables: object = { input: { ...input, first: 2, after } }
        const { data, message } = await desk.execute<{ exportCitizen: { ndjson: string; count: number; endCursor: string | null } }>(
          text,
          variables,
          admin,
        )
        expect(message).toBeUndefined()
        const page = data?.exportCitizen
        const some = page?.ndjson.split('\n').filter((line) => line !== '') ?? []
        expect(some).toHaveLength(page?.count ?? -1)
        lines.push(...some)
        after = page?.endCursor ?? null
        more = after !== null
      }
      return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    }
    const delegationLine = (id: string, delegator: string, delegate: string) => ({
      id,
      delegator,
      delegate,
      group_id: 'north',
      starts_at: '2026-01-01T00:00:00Z',
    })
    const imported = (...records: readonly object[]) => {
      async function* lines() {
        for (const [index, record] of records.entries()) yield { number: index + 1, text: JSON.stringify(record) }
      }
      return importDelegations({ ...desk, clock: { now: () => Date.now() } }, lines(), 'ndjson')
    }
    /** Data of the citizen, and of another one, in every component. */
    const fill = async () => {
      const jobId = await desk.pending(code)
      await desk.pending('CIT-2')
      await imported(
        delegationLine('given', code, 'CIT-2'),
        delegationLine('received', 'CIT-3', code),
        delegationLine('other', 'CIT-2', 'CIT-3'),
      )
      const author = authorOf('author-1', desk.pseudonymKey)
      const [mine, unverified, other] = [randomUUID(), randomUUID(), randomUUID()]
      await store.saveExpressions([
        expressionRecord({ id: mine, author }),
        expressionRecord({ id: unverified, author: null, unverifiedAuthor: author }),
        expressionRecord({ id: other, author: authorOf('author-2', desk.pseudonymKey) }),
      ])
      const voter = pseudonymOfService('portal', 'voter-1', desk.pseudonymKey)
      await store.castVote(other, voter, 'agree')
      await store.castVote(other, pseudonymOfService('portal', 'voter-2', desk.pseudonymKey), 'agree')
      const allowance = { day: '2026-11-27', address: 'aa', perExpression: 5, perDay: 5 }
      await store.castPublicVote(unverified, voter, 'pass', allowance)
      return { jobId, mine, unverified, other }
    }

    it('is previewed, performed, reported and certified, and leaves the data of others', async () => {
      const { jobId, mine, unverified, other } = await fill()
      const before = await exported()
      const typesIn = (records: typeof before) => records.map(({ type }) => type).filter((type) => type !== 'audit_record')
      expect(typesIn(before)).toEqual([
        'verification',
        'delegation',
        'delegation',
        'registration',
        'expression',
        'expression',
        'vote',
        'vote',
      ])
      expect(before.filter(({ type }) => type === 'audit_record').length).toBeGreaterThan(0)
      expect(before.find(({ type }) => type === 'verification')).toMatchObject({
        id: jobId,
        declared_identity: { firstName: expect.any(String) },
      })

      const previewText = `query ($input: EraseCitizenInput!) { citizenErasurePreview(input: $input) { ${report} } }`
      const preview = await desk.execute<{ citizenErasurePreview: Report[] }>(previewText, { input: references }, admin)
      expect(withCounts(preview.data?.citizenErasurePreview)).toMatchObject({
        VERIFICATION: { erased: { VERIFICATIONS: 1 } },
        DELEGATIONS: { erased: { DELEGATIONS: 2, REGISTRATIONS: 1 } },
        EXPRESSIONS: { erased: { EXPRESSIONS: 1 }, remaining: { UNVERIFIED_EXPRESSIONS: 1 } },
        VOTES: { erased: { VOTES: 1 }, remaining: { UNVERIFIED_VOTES: 1 } },
      })

      const { data, message } = await erase()
      expect(message).toBeUndefined()
      const done = data?.eraseCitizen
      expect(done).toMatchObject({ erasedJobs: 1, erasedJobIds: [jobId], erasure: { completedAt: expect.any(String), isUnknown: false } })
      expect(done?.deletedNodeIds).toHaveLength(3)
      expect(withCounts(done?.erasure.components)).toEqual({
        VERIFICATION: { erased: { VERIFICATIONS: 1 }, remaining: {} },
        DELEGATIONS: { erased: { DELEGATIONS: 2, REGISTRATIONS: 1 }, remaining: { PSEUDONYMOUS_DELEGATIONS: 2 } },
        EXPRESSIONS: { erased: { EXPRESSIONS: 1 }, remaining: { UNVERIFIED_EXPRESSIONS: 1, WITHDRAWN_IDS: 1 } },
        VOTES: { erased: { VOTES: 1 }, remaining: { UNVERIFIED_VOTES: 1 } },
        AUDIT: { erased: {}, remaining: { AUDIT_RECORDS: expect.any(Number), BACKUPS: null } },
      })
      const listed = done?.erasure.components.flatMap(({ remaining }) => remaining.flatMap(({ expressionIds }) => expressionIds))
      expect(listed).toEqual([unverified, unverified])

      // the stored rows do not contain the code, the references or an id derived from them
      const { rows } = await desk.database.orm.execute<{ row: string }>(sql`
        select d::text as row from delegation d union all select e::text from citizen_erasure e
        union all select p::text from citizen_erasure_part p union all select a::text from audit_record a`)
      expect(rows.filter(({ row }) => row.includes(code) || row.includes('author-1') || row.includes('voter-1'))).toEqual([])
      const delegations = await desk.database.orm.execute(sql`select id, status from delegation order by id = 'other', status`)
      expect(delegations.rows.at(-1)).toEqual({ id: 'other', status: 'active' })
      expect(delegations.rows.slice(0, 2)).toEqual(Array(2).fill({ id: expect.not.stringMatching(/given|received/), status: 'revoked' }))
      expect((await store.findExpressions([mine, unverified, other])).map(({ id }) => id).toSorted()).toEqual(
        [unverified, other].toSorted(),
      )
      expect((await store.countVotes([other])).get(other)).toMatchObject({ agree: 1 })

      const after = await exported()
      expect(typesIn(after)).toEqual(['delegation', 'delegation', 'expression', 'vote'])
      expect(JSON.stringify(after)).not.toContain(code)
      const id = done?.erasure.id ?? ''
      const certificate = await desk.get(`/citizens/erasures/${id}/certificate?lang=ar`, admin)
      expect([certificate.status, certificate.headers['content-type'], certificate.headers['cache-control']]).toEqual([
        200,
        'application/pdf',
        'no-store',
      ])
      expect((await desk.get(`/citizens/erasures/${id}/certificate`, reviewer)).status).toBe(403)
      expect((await desk.get(`/citizens/erasures/${id}/certificate`)).status).toBe(401)
      expect((await desk.get(`/citizens/erasures/${randomUUID()}/certificate`, admin)).status).toBe(404)
    })

    it('continues after an interruption in another process, and is counted once', async () => {
      const { jobId } = await fill()
      failures = 1
      expect(await erase()).toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
      const [running] = (await desk.database.orm.execute<{ id: string }>(sql`select id from citizen_erasure where completed_at is null`))
        .rows
      const progress = async () =>
        (
          await desk.execute<{ citizenErasure: Erasure }>(
            `query ($id: ID!) { citizenErasure(id: $id) { ${erasure} } }`,
            running ?? {},
            admin,
          )
        ).data?.citizenErasure
      expect((await progress())?.components.map(({ component, isComplete }) => [component, isComplete])).toEqual([
        ['VERIFICATION', true],
        ['DELEGATIONS', true],
        ['EXPRESSIONS', false],
        ['VOTES', false],
        ['AUDIT', false],
      ])
      expect((await desk.get(`/citizens/erasures/${running?.id}/certificate`, admin)).status).toBe(409)
      // a repeated request with other references waits; the same one joins
      expect(await erase({ code })).toMatchObject({ code: 'CONFLICT' })

      await desk.database.orm.execute(sql`update citizen_erasure set touched_at = now() - interval '1 minute'`)
      await desk.upkeep.start(AbortSignal.timeout(10_000))
      await expect.poll(async () => (await progress())?.completedAt, { timeout: 10_000 }).toEqual(expect.any(String))
      await desk.upkeep.stop()
      expect(withCounts((await progress())?.components)).toMatchObject({
        VERIFICATION: { erased: { VERIFICATIONS: 1 } },
        EXPRESSIONS: { erased: { EXPRESSIONS: 1 } },
        VOTES: { erased: { VOTES: 1 } },
      })
      const erasures = await desk.database.orm.select().from(auditRecord).where(sql`action = 'citizen.erase'`)
      expect(erasures).toMatchObject([
        { subject: 'ada', target: desk.pseudonyms.of(code), details: { jobs: 1, erasure: expect.any(String) } },
      ])
      expect(
        await desk.refer([{ __typename: 'VerificationJob', id: jobId }], { user: { ...admin, issuer: 'i', groups: [], expiresAt: 4e9 } }),
      ).toEqual({
        data: { _entities: [null] },
      })
    })

    it('keeps imports and messages from bringing delegations back', async () => {
      await fill()
      await erase()
      const again = await imported(
        delegationLine('given', code, 'CIT-2'),
        delegationLine('new', 'CIT-4', code),
        delegationLine('free', 'CIT-4', 'CIT-5'),
      )
      expect(again).toMatchObject({ received: 3, created: 1, refused: 2 })
      expect(again.problems).toEqual([
        'line 1: delegator: names an erased citizen; the delegation is not stored',
        'line 2: delegate: names an erased citizen; the delegation is not stored',
      ])
      const { rows } = await desk.database.orm.execute(
        sql`select id from delegation where delegator_code = ${code} or delegate_code = ${code}`,
      )
      expect(rows).toEqual([])
    })

    it('waits for an import that runs, and erases what it stored', async () => {
      const { pool } = desk.database
      const holder = await pool.connect()
      const importing =
        'insert into delegation (id, delegator_code, delegate_code, group_id, scope, status, starts_at, created_at, updated_at, revised_at)'
      await holder.query('begin')
      await holder.query('select pg_advisory_xact_lock_shared($1)', [advisoryLocks.erasedCitizens])
      await holder.query(`${importing} values ('late', $1, 'CIT-2', 'north', 'all', 'active', now(), now(), now(), now())`, [code])
      const erasing = erase()
      const waiting = async () =>
        (await desk.database.orm.execute(sql`select 1 from pg_locks where locktype = 'advisory' and not granted`)).rows.length
      await expect.poll(waiting).toBe(1)
      await holder.query('commit')
      holder.release()
      expect(withCounts((await erasing).data?.eraseCitizen.erasure.components).DELEGATIONS?.erased).toEqual({
        DELEGATIONS: 1,
        REGISTRATIONS: 1,
      })
    })

    it('withdraws expressions that are accepted but not written yet', async () => {
      const [queued, dead] = [randomUUID(), randomUUID()]
      const author = authorOf('author-1', desk.pseudonymKey)
      const row = (id: string) => ({ author, text: '\u0000', document: { id } })
      await desk.database.orm.execute(
        sql`insert into outbox (queue, kind, content) values ('expressions', 'expressions', ${JSON.stringify({ rows: [row(queued)] })}::json)`,
      )
      await store.storeDeadLetters([{ id: dead, content: { author, document: { id: dead } }, reason: 'test' }])
      const { data } = await erase()
      expect(withCounts(data?.eraseCitizen.erasure.components).EXPRESSIONS?.erased).toEqual({ EXPRESSIONS: 2 })
      await store.saveExpressions([expressionRecord({ id: queued, author })])
      expect(await store.findExpressions([queued, dead])).toEqual([])
      expect(await store.countDeadLetters()).toBe(0)
    })

    it('marks an unknown code, and refuses unfit input and other callers', async () => {
      expect((await erase({ code: 'NONE' })).data?.eraseCitizen).toMatchObject({ erasedJobs: 0, erasure: { isUnknown: true } })
      expect(await erase({ code: ' ' })).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['code'] }] })
      expect(await erase({ code: 'x'.repeat(513) })).toMatchObject({ code: 'BAD_USER_INPUT' })
      expect(await erase({ code, voters: [{ service: 'portal' }] })).toMatchObject({
        code: 'BAD_USER_INPUT',
        entries: [{ path: ['voters', 0] }],
      })
      expect(await erase(references, reviewer)).toMatchObject({ code: 'FORBIDDEN' })
      expect(await erase(references, 'service')).toMatchObject({ code: 'FORBIDDEN' })
    })

    it('replaces pseudonyms of earlier releases in the audit trail by the one of today', async () => {
      const former = createHmac('sha256', desk.vault.derivedKeys('audit')[0]).update(code).digest('base64url')
      await desk.database.orm
        .insert(auditRecord)
        .values({ action: 'citizen.verifications.read', outcome: 'done', target: former, requestId: 'r' })
      await erase()
      const targets = await desk.database.orm.selectDistinct({ target: auditRecord.target }).from(auditRecord)
      expect(targets).toEqual([{ target: desk.pseudonyms.of(code) }])
    })
  })
