import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AnalyticsStore,
  adoptedSource,
  analyticsTopic,
  type ExpressionRecord,
  type PublicVoterAllowance,
  type TaxonomyDomain,
  votePlace,
  votesTopic,
} from '../../../engines/analytics-store/analytics-store.ts'
import type { CountableExpressions } from '../../../engines/analytics-store/countable-expressions.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { fingerprintOf } from '../../../engines/search-index/search-index.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'

interface StoreUnderTest {
  readonly store: AnalyticsStore
  readonly countable: CountableExpressions
  readonly database: Database
  readonly feed: EventFeed
  /** returns the stored row of an expression as SQL reads it */
  readonly storedRow: (id: string) => Promise<Readonly<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

export function unitVector(seed: number): Float32Array {
  const raw = Float32Array.from({ length: 768 }, (_, n) => Math.sin(seed * 131.7 + n * (1 + seed * 0.37)))
  const length = Math.hypot(...raw)
  return raw.map((value) => value / length)
}

export function expressionRecord(members: Partial<ExpressionRecord> = {}): ExpressionRecord {
  return {
    id: randomUUID(),
    source: 'test',
    externalId: 'x "1"',
    text: 'Le robinet — ماء "x" \\ 日本',
    lang: 'fr',
    author: randomBytes(32).toString('hex'),
    unverifiedAuthor: null,
    domain: 'water-sanitation',
    subDomain: 'water-sanitation/supply',
    sentiment: 'negative',
    sentimentScore: -0.5,
    position: { lat: 12.5, lon: -16.25 },
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    receivedAt: new Date('2026-01-02T03:04:06.789Z'),
    enrichment: { steps: [{ name: 'language', status: 'ok' }] },
    embedding: unitVector(1),
    embeddingModel: 'model 1',
    ...members,
  }
}

const noVotes = { agree: 0, disagree: 0, pass: 0 }

/** Returns the allowance of a new network. */
const allowanceOf = (members: Partial<PublicVoterAllowance> = {}): PublicVoterAllowance => ({
  day: '2026-11-27',
  address: randomBytes(32).toString('hex'),
  perExpression: 5,
  perDay: 50,
  ...members,
})

const domainOf = (id: string, members: Partial<TaxonomyDomain> = {}): TaxonomyDomain => ({
  id,
  parentId: id.includes('/') ? (id.split('/')[0] ?? null) : null,
  slug: id.split('/').at(-1) ?? id,
  position: 0,
  labels: { fr: 'Eau', ar: 'ماء' },
  descriptions: {},
  examples: { fr: ['Plus d’eau', 'Un puits'] },
  words: { fr: 'eau puits' },
  ...members,
})

export function analyticsStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`analytics store: ${name}`, () => {
    let subject: StoreUnderTest
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(() => subject?.close())

    /** returns the events that `work` causes */
    const eventsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
      const signal = AbortSignal.timeout(120_000)
      const positions = () => Promise.all([analyticsTopic, votesTopic].map((topic) => subject.feed.position(topic, signal)))
      const before = await positions()
      await work()
      const after = await positions()
      const events: string[] = []
      for (const [index, topic] of [analyticsTopic, votesTopic].entries()) {
        const [from = 0, to = 0] = [before[index], after[index]]
        if (to <= from) continue
        for await (const event of subject.feed.follow(topic, from, signal)) {
          if (event.type === 'event') events.push(`${event.kind} ${event.id}`)
          if (event.type === 'event' && event.position >= to) break
        }
      }
      return events
    }

    it('lists expressions by creation time, newest first, for all domains or for each of several', async () => {
      const { store } = subject
      const domain = `water-${randomUUID()}`
      const domains = [domain, `${domain}/supply`, `${domain}/wells`, `${domain}-other`].map((id) => domainOf(id))
      await store.publishTaxonomy({ domains, author: 'a', note: 'n' })
      const at = (second: number): Date => new Date(Date.UTC(2031, 0, 1, 0, 0, second))
      const saidOf = (id: string | null, subDomain: string | null, second: number, members: Partial<ExpressionRecord> = {}) =>
        expressionRecord({ domain: id, subDomain, createdAt: at(second), ...members })
      const supply = saidOf(domain, `${domain}/supply`, 1, { position: { lat: 0, lon: 179 }, lang: 'en', sentiment: 'positive' })
      const wells = saidOf(domain, `${domain}/wells`, 2, { position: null })
      const other = saidOf(`${domain}-other`, null, 3)
      // two with the same time, ordered by id
      const [low, high] = [saidOf(domain, null, 4), saidOf(domain, null, 4)].sort((a, b) => (a.id < b.id ? -1 : 1))
      const withdrawn = saidOf(domain, null, 5)
      const all = [supply, wells, other, low, high, withdrawn].flatMap((each) => each ?? [])
      await store.saveExpressions(all)
      await store.withdrawExpression(withdrawn.id)
      const idsOf = (places: readonly { readonly id: string }[] | undefined) => places?.map(({ id }) => id)
      const newest = async (filter: object, limit = 10) => idsOf(await store.newestExpressions({ filter, limit }))
      expect(await newest({}, 3)).toEqual([high?.id, low?.id, other.id])
      expect(await newest({ taxonomy: [domain] })).toEqual([high?.id, low?.id, wells.id, supply.id])
      expect(await newest({ taxonomy: [`${domain}/supply`, `${domain}-other`] })).toEqual([other.id, supply.id])
      expect(await newest({ taxonomy: [domain], exceptSubDomains: [`${domain}/supply`] })).toEqual([high?.id, low?.id, wells.id])
      expect(await newest({ taxonomy: [domain], lang: 'en', sentiment: 'positive' })).toEqual([supply.id])
      expect(await newest({ taxonomy: [domain], box: { west: 170, east: -170, south: -1, north: 1 } })).toEqual([supply.id])
      expect(await newest({ taxonomy: [domain], box: { west: -170, east: 170, south: -1, north: 1 } })).toEqual([])
      const [first, second] = await store.newestExpressions({ filter: { taxonomy: [domain] }, limit: 2 })
      expect(first).toEqual({ id: high?.id, createdAt: at(4) })
      const ofDomain = async (window: object) =>
        idsOf(await store.newestExpressions({ filter: { taxonomy: [domain] }, limit: 2, ...window }))
      expect(await ofDomain({ beyond: second })).toEqual([wells.id, supply.id])
      expect(await ofDomain({ isBackward: true })).toEqual([supply.id, wells.id])
      expect(await ofDomain({ isBackward: true, beyond: second })).toEqual([high?.id])
      expect(await store.countNewest({ taxonomy: [domain] })).toBe(4)
      expect(await store.countNewest({ taxonomy: [domain], lang: 'en', sentiment: 'positive' })).toBe(1)
      expect(await store.countNewestOfDomains([domain, `${domain}/wells`, 'none'], {})).toEqual(
        new Map([
          [domain, 4],
          [`${domain}/wells`, 1],
          ['none', 0],
        ]),
      )
      const lists = await store.newestOfDomains([domain, `${domain}/wells`, `${domain}-other`, 'none'], { filter: {}, limit: 3 })
      const oldest = await store.newestOfDomains([domain], { filter: {}, limit: 1, isBackward: true })
      expect(idsOf(oldest.get(domain))).toEqual([supply.id])
      expect(new Map([...lists].map(([id, places]) => [id, idsOf(places)]))).toEqual(
        new Map([
          [domain, [high?.id, low?.id, wells.id]],
          [`${domain}/wells`, [wells.id]],
          [`${domain}-other`, [other.id]],
        ]),
      )
      await store.publishTaxonomy({ domains: [], author: 'a', note: 'n' })
    })

    it('adopts missing expressions, never over an existing row, and a later original replaces an adopted one', async () => {
      const { store } = subject
      const [existing, withdrawn, unwritable] = [expressionRecord(), expressionRecord(), expressionRecord({ text: 'a NUL \u0000' })]
      await store.saveExpressions([existing, withdrawn])
      await store.withdrawExpression(withdrawn.id)
      const sent = expressionRecord({ enrichment: { revision: 5 } })
      const orphan = { source: adoptedSource, externalId: null, author: null, embedding: null, embeddingModel: null }
      const adopted = [existing, withdrawn, unwritable, sent].map((record) => ({ ...record, ...orphan }))
      expect(await store.adoptExpressions(adopted)).toEqual([sent.id])
      expect(await store.findExpressions([existing.id])).toMatchObject([{ source: existing.source, author: existing.author }])
      expect(await store.findExpressions([withdrawn.id, unwritable.id])).toEqual([])
      // a retry of a step in the meantime
      await store.saveExpressions([{ ...sent, ...orphan, enrichment: { revision: 6 } }])
      expect(await store.saveExpressions([sent])).toEqual({ added: 0, updated: 1 })
      expect(await store.findExpressions([sent.id])).toMatchObject([
        { source: sent.source, externalId: sent.externalId, author: sent.author, receivedAt: sent.receivedAt, enrichment: { revision: 5 } },
      ])
    })

    it('returns an expression as it was saved, with the embedding in half precision', async () => {
      const record = expressionRecord({ unverifiedAuthor: randomBytes(32).toString('hex') })
      await subject.store.saveExpressions([record])
      expect(await subject.store.saveExpressions([record])).toEqual({ added: 0, updated: 0 })
      const [match] = await subject.store.findExpressions([record.id, randomUUID(), 'no uuid'])
      expect({ ...match, embedding: null }).toEqual({ ...record, embedding: null })
      const [saved, read] = [record.embedding ?? [], match?.embedding ?? []]
      expect(read).toHaveLength(768)
      for (const [n, value] of read.entries()) expect(Math.abs(value - (saved[n] ?? 0))).toBeLessThan(1e-3)
    })

    it('stores unknown values as null', async () => {
      const record = expressionRecord({
        externalId: null,
        author: null,
        domain: null,
        subDomain: null,
        sentiment: null,
        sentimentScore: null,
        position: null,
        embedding: null,
        embeddingModel: null,
      })
      await subject.store.saveExpressions([record])
      expect(await subject.store.findExpressions([record.id])).toEqual([record])
    })

    it('emits one event for each change, and none for an identical row', async () => {
      const record = expressionRecord()
      expect(await eventsOf(() => subject.store.saveExpressions([record]))).toEqual([`expression_added ${record.id}`])
      expect(await subject.store.saveExpressions([record])).toEqual({ added: 0, updated: 0 })
      expect(await eventsOf(() => subject.store.saveExpressions([record, record]))).toEqual([])
      const changed = { ...record, domain: 'health' }
      expect(await eventsOf(() => subject.store.saveExpressions([changed]))).toEqual([`expression_updated ${record.id}`])
      expect(await subject.store.findExpressions([record.id])).toMatchObject([{ domain: 'health' }])
    })

    it('allows concurrent writers of the same rows in any order, and counts each row once', async () => {
      const records = Array.from({ length: 200 }, () => expressionRecord())
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) => subject.store.saveExpressions(n % 2 === 0 ? records : [...records].reverse())),
      )
      expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(200)
    })

    it('pages through all expressions by id, each once', async () => {
      await subject.store.saveExpressions(Array.from({ length: 25 }, () => expressionRecord()))
      const ids: string[] = []
      for (let after: string | undefined; ; after = ids.at(-1)) {
        const page = await subject.store.pageOfExpressions(after, 10)
        ids.push(...page.map(({ id }) => id))
        if (page.length < 10) break
      }
      expect(ids).toEqual([...new Set(ids)].sort())
      expect(ids).toHaveLength(await subject.store.countExpressions())
    })

    it('never replaces a newer revision by an older one', async () => {
      const id = randomUUID()
      const revision = (n: number) => expressionRecord({ id, enrichment: { revision: n }, text: `${n}` })
      await subject.store.saveExpressions([revision(5)])
      expect(await subject.store.saveExpressions([revision(4)])).toEqual({ added: 0, updated: 0 })
      expect(await subject.store.saveExpressions([revision(6)])).toEqual({ added: 0, updated: 1 })
      expect((await subject.store.findExpressions([id]))[0]?.text).toBe('6')
      // nor within one save
      expect(await subject.store.saveExpressions([revision(8), revision(7)])).toEqual({ added: 0, updated: 1 })
      expect(await subject.store.findExpressions([id])).toMatchObject([{ text: '8' }])
    })

    it('summarises ranges of ids by count, fingerprints and versions, like a search index', async () => {
      // the last ids in the order of a database
      const ids = [1, 2, 3, 4].map((n) => `ffffffff-0000-4000-8000-00000000000${n}`)
      const [first = '', second = '', third = '', fourth = ''] = ids
      await subject.store.saveExpressions(ids.map((id, n) => expressionRecord({ id, enrichment: { revision: 1_700_000_000_000 + n } })))
      await subject.store.withdrawExpression(third)
      const sum = fingerprintOf(second, 1_700_000_000_001) + fingerprintOf(fourth, 1_700_000_000_003)
      expect(await subject.store.summariseExpressions(first, 2)).toEqual({ count: 2, sum, upTo: fourth })
      expect(await subject.store.summariseExpressions(first, 3)).toEqual({ count: 2, sum, upTo: undefined })
      expect(await subject.store.summariseExpressions(fourth, 3)).toEqual({ count: 0, sum: 0, upTo: undefined })
      expect(await subject.store.summariseExpressions(undefined, 1000)).toMatchObject({ count: await subject.store.countExpressions() })
      expect([...(await subject.store.versionsOfExpressions(first, fourth))]).toEqual([
        [second, 1_700_000_000_001],
        [fourth, 1_700_000_000_003],
      ])
      expect([...(await subject.store.versionsOfExpressions(first, third)).keys()]).toEqual([second])
      expect([...(await subject.store.versionsOfExpressions(second, undefined)).keys()]).toEqual([fourth])
    })

    it('erases a withdrawn expression and does not restore it', async () => {
      const record = expressionRecord()
      await subject.store.saveExpressions([record])
      await subject.store.castVote(record.id, 'ab'.repeat(32), 'agree')
      expect(await eventsOf(() => subject.store.withdrawExpression(record.id))).toEqual([`expression_withdrawn ${record.id}`])
      expect(await subject.store.withdrawExpression(record.id)).toBe(false)
      expect(await subject.store.saveExpressions([{ ...record, text: 'again' }])).toEqual({ added: 0, updated: 0 })
      const withdrawn: string[] = []
      const living = expressionRecord()
      await subject.store.saveExpressions([living])
      const matches = await subject.store.findExpressions([record.id, living.id, randomUUID()], (id) => withdrawn.push(id))
      expect([matches.map(({ id }) => id), withdrawn]).toEqual([[living.id], [record.id]])
    })

    it('withdraws and deletes the verified expressions and votes of people, in batches', async () => {
      const { store } = subject
      const [author, voter] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
      const own = Array.from({ length: 3 }, () => expressionRecord({ author }))
      const claimed = expressionRecord({ author: null, unverifiedAuthor: author })
      const others = expressionRecord()
      const unwritten = randomUUID()
      await store.saveExpressions([...own, claimed, others])
      for (const { id } of [others, claimed]) await store.castVote(id, voter, 'agree')
      await store.castPublicVote(own[0]?.id ?? '', voter, 'pass', allowanceOf())
      const people = { authors: [author], voters: [voter] }
      expect(await store.countOfPeople(people)).toEqual({
        ...{ expressions: 3, unverifiedExpressions: 1, unverifiedExpressionIds: [claimed.id] },
        ...{ votes: 2, unverifiedVotes: 1, unverifiedVoteIds: [own[0]?.id] },
      })
      const written = await store.expressionsOfAuthors([author], undefined, 3)
      const rest = await store.expressionsOfAuthors([author], written.at(-1)?.id, 3)
      expect([...written, ...rest].map(({ id }) => id)).toEqual([...own, claimed].map(({ id }) => id).toSorted())
      const cast = await store.votesOfVoters([voter], undefined, 2)
      const [last] = cast.slice(-1)
      expect(await store.votesOfVoters([voter], last && votePlace(last), 2)).toHaveLength(1)

      const seen: (readonly [number, boolean])[] = []
      const withdrawing = () =>
        store.withdrawOfAuthors(
          [author],
          { limit: 2, unwritten: [unwritten] },
          async (_, ids, isLast) => void seen.push([ids.length, isLast]),
        )
      expect(await eventsOf(withdrawing)).toHaveLength(3)
      expect(await eventsOf(withdrawing)).toHaveLength(1)
      expect(seen).toEqual([
        [3, false],
        [1, true],
      ])
      const deleting = () => store.deleteVotesOf([voter], 10, async (_, count, isLast) => void seen.push([count, isLast]))
      expect((await eventsOf(deleting)).toSorted()).toEqual([others, claimed].map(({ id }) => `expression_voted ${id}`).toSorted())
      expect(seen.at(-1)).toEqual([2, true])
      expect((await store.findExpressions([...own, claimed, others].map(({ id }) => id))).map(({ id }) => id).toSorted()).toEqual(
        [claimed.id, others.id].toSorted(),
      )
      expect(await store.saveExpressions([expressionRecord({ id: unwritten })])).toEqual({ added: 0, updated: 0 })
      expect(await store.countOfPeople(people)).toMatchObject({ expressions: 0, unverifiedExpressions: 1, votes: 0, unverifiedVotes: 0 })
      expect(await store.countOfPeople({ authors: [], voters: [] })).toMatchObject({ expressions: 0, votes: 0 })
    })

    it('retains only the id and the time of a withdrawal', async () => {
      const record = expressionRecord({ source: 'Awa Diop, 12 rue des Jardins' })
      const unwritten = randomUUID()
      await subject.store.saveExpressions([record])
      await subject.store.withdrawExpression(record.id)
      await subject.store.withdrawExpression(unwritten, { evenUnwritten: true })
      for (const id of [record.id, unwritten]) {
        const { withdrawn_at: at, fingerprint: _, ...remaining } = await subject.storedRow(id)
        expect(remaining).toEqual({
          ...Object.fromEntries(Object.keys(remaining).map((name) => [name, null])),
          id,
          source: '',
          text: '',
          lang: 'und',
          enrichment: {},
          revision: '',
          created_at: at,
          received_at: at,
        })
      }
    })

    it('accepts one changeable vote of each voter', async () => {
      const record = expressionRecord()
      await subject.store.saveExpressions([record])
      const vote = (value: 'agree' | 'pass') => eventsOf(() => subject.store.castVote(record.id, 'cd'.repeat(32), value))
      expect(await vote('agree')).toEqual([`expression_voted ${record.id}`])
      expect(await vote('agree')).toEqual([])
      expect(await vote('pass')).toEqual([`expression_voted ${record.id}`])
      // its caller is sure that nothing was committed
      using deadline = new Deadline({ timeoutMs: 60_000 })
      expect(await subject.store.castVote(randomUUID(), 'ab', 'agree', deadline)).toBe(false)
      expect(deadline.mayHaveTakenEffect).toBe(false)
      expect(await subject.store.castVote('x', 'ab', 'agree')).toBe(false)
    })

    it('counts current votes on existing expressions, and none on others', async () => {
      const [one, other, unvoted] = [expressionRecord(), expressionRecord(), expressionRecord()]
      await subject.store.saveExpressions([one, other, unvoted])
      for (const [id, voter, value] of [
        [one.id, '01', 'agree'],
        [one.id, '02', 'agree'],
        [one.id, '02', 'disagree'],
        [other.id, '01', 'pass'],
      ] as const)
        await subject.store.castVote(id, voter.repeat(32), value)
      const counts = await subject.store.countVotes([one.id, other.id, unvoted.id, randomUUID(), 'no uuid'])
      expect(Object.fromEntries(counts)).toEqual({
        [one.id]: { agree: 1, disagree: 1, pass: 0, unverified: noVotes },
        [other.id]: { agree: 0, disagree: 0, pass: 1, unverified: noVotes },
      })
      const votesOf = async (voter: string) =>
        Object.fromEntries(await subject.store.votesOf(voter.repeat(32), [one.id, other.id, unvoted.id, 'no uuid']))
      expect(await votesOf('01')).toEqual({ [one.id]: 'agree', [other.id]: 'pass' })
      expect(await votesOf('02')).toEqual({ [one.id]: 'disagree' })
      expect(await votesOf('03')).toEqual({})
      await subject.store.withdrawExpression(one.id)
      expect([...(await subject.store.countVotes([one.id, other.id])).keys()]).toEqual([other.id])
    })

    it('counts votes with a pass separately, and as verified after their voter votes with an identity', async () => {
      const { store } = subject
      const record = expressionRecord()
      await store.saveExpressions([record])
      const [user, browser] = ['11'.repeat(32), '12'.repeat(32)]
      const counts = async () => (await store.countVotes([record.id])).get(record.id)
      const cast = (value: 'agree' | 'disagree') => eventsOf(() => store.castPublicVote(record.id, browser, value, allowanceOf()))
      await store.castVote(record.id, user, 'agree')
      expect(await cast('agree')).toEqual([`expression_voted ${record.id}`])
      expect(await cast('agree')).toEqual([])
      expect(await counts()).toEqual({ ...noVotes, agree: 1, unverified: { ...noVotes, agree: 1 } })
      expect(await cast('disagree')).toEqual([`expression_voted ${record.id}`])
      expect(await counts()).toEqual({ ...noVotes, agree: 1, unverified: { ...noVotes, disagree: 1 } })
      expect(await eventsOf(() => store.castVote(record.id, browser, 'disagree'))).toEqual([`expression_voted ${record.id}`])
      expect(await counts()).toEqual({ agree: 1, disagree: 1, pass: 0, unverified: noVotes })
      expect(await store.castPublicVote(randomUUID(), browser, 'agree', allowanceOf())).toBe(false)
      expect(await store.castPublicVote('x', browser, 'agree', allowanceOf())).toBe(false)
    })

    it('limits the new voters of a network for each expression and each day to its allowance, under concurrent votes', async () => {
      const { store } = subject
      const records = [expressionRecord(), expressionRecord(), expressionRecord()]
      await store.saveExpressions(records)
      const [one, other, third] = records.map(({ id }) => id) as [string, string, string]
      const allowance = allowanceOf({ perExpression: 3, perDay: 5 })
      const cast = (id: string, voter: string, allowanceOfVote = allowance) => store.castPublicVote(id, voter, 'agree', allowanceOfVote)
      const voters = Array.from({ length: 12 }, () => randomBytes(32).toString('hex'))
      const outcomes = await Promise.allSettled(voters.map((voter) => cast(one, voter)))
      const created = voters.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      expect(created).toHaveLength(3)
      for (const { reason } of outcomes.filter((outcome) => outcome.status === 'rejected'))
        expect(reason).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterMs: expect.any(Number) } })
      const unverified = async (id: string) => (await store.countVotes([id])).get(id)?.unverified.agree ?? 0
      expect(await unverified(one)).toBe(3)
      // existing voters may continue to change their votes
      for (const voter of created) expect(await store.castPublicVote(one, voter, 'agree', allowance)).toBe(true)
      // the remaining allowance after three voters: refusals do not consume it
      await cast(other, voters[0] ?? '')
      await cast(other, voters[1] ?? '')
      await expect(cast(third, voters[2] ?? '')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      expect([await unverified(other), await unverified(third)]).toEqual([2, 0])
      // another network, and the same one on the next day
      await cast(third, voters[3] ?? '', allowanceOf({ perExpression: 3, perDay: 5 }))
      await cast(third, voters[4] ?? '', { ...allowance, day: '2026-11-28' })
      expect(await unverified(third)).toBe(2)
    })

    it('counts a voter of concurrent votes once', async () => {
      const { store } = subject
      const record = expressionRecord()
      await store.saveExpressions([record])
      const allowance = allowanceOf({ perExpression: 1 })
      const voter = randomBytes(32).toString('hex')
      const values = ['agree', 'disagree', 'pass', 'agree', 'disagree', 'pass'] as const
      await Promise.all(values.map((value) => store.castPublicVote(record.id, voter, value, allowance)))
      const { unverified, ...verified } = (await store.countVotes([record.id])).get(record.id) ?? expect.fail('no votes')
      expect(verified).toEqual(noVotes)
      expect(Object.values(unverified).toSorted()).toEqual([0, 0, 1])
    })

    it('retains no votes and voters of a withdrawn expression', async () => {
      const { store, database } = subject
      const [withdrawn, other] = [expressionRecord(), expressionRecord()]
      await store.saveExpressions([withdrawn, other])
      await store.castPublicVote(withdrawn.id, 'ee'.repeat(32), 'agree', allowanceOf())
      await store.castPublicVote(other.id, 'ef'.repeat(32), 'agree', allowanceOf())
      const rows = async (query: ReturnType<typeof sql>) => (await database.orm.execute(query)).rows.length
      const ofExpression = (id: string) => rows(sql`select 1 from public_voter_count where expression_id = ${id}`)
      expect([await ofExpression(withdrawn.id), await ofExpression(other.id)]).toEqual([1, 1])
      await store.withdrawExpression(withdrawn.id)
      expect(await rows(sql`select 1 from vote where expression_id = ${withdrawn.id}`)).toBe(0)
      expect(await ofExpression(withdrawn.id)).toBe(0)
      expect(await ofExpression(other.id)).toBe(1)
    })

    it('returns the dimensions of expressions, with the day on request, in the counting transaction', async () => {
      const { database, countable, store } = subject
      const late = expressionRecord({ createdAt: new Date('2026-01-02T23:30:00.000Z') })
      const [bare, withdrawn] = [
        expressionRecord({ author: null, domain: null, subDomain: null, sentiment: null, position: null }),
        expressionRecord(),
      ]
      await store.saveExpressions([late, bare, withdrawn])
      await store.withdrawExpression(withdrawn.id)
      const ids = [late.id, bare.id, withdrawn.id, randomUUID()]
      const matches = await database.transaction((tx) => countable.find(tx, ids, 'Africa/Nairobi'))
      const { domain, subDomain, sentiment, lang, author } = late
      expect(Object.fromEntries(matches)).toEqual({
        [late.id]: {
          domain,
          subDomain,
          sentiment,
          lang,
          author,
          lat: 12.5,
          lon: -16.25,
          day: 20260103,
          createdAt: '2026-01-02T23:30:00.000Z',
        },
        [bare.id]: expect.objectContaining({ author: null, domain: null, sentiment: null, lat: null, lon: null, day: 20260102 }),
      })
      expect((await countable.find(database.orm, [late.id], 'UTC')).get(late.id)?.day).toBe(20260102)
    })

    it('lists votes whose counted state differs from the cast one', async () => {
      const { database, countable, store } = subject
      const [one, settled] = [expressionRecord(), expressionRecord()]
      await store.saveExpressions([one, settled])
      const voters = ['01', '02', '03', '04', '05', '06'].map((voter) => voter.repeat(32))
      const [same = '', changed = '', removed = '', fresh = '', verifiedSince = '', unverified = ''] = voters
      for (const [voter, value] of [
        [same, 'agree'],
        [changed, 'pass'],
        [fresh, 'disagree'],
        [verifiedSince, 'agree'],
      ] as const)
        await store.castVote(one.id, voter, value)
      await store.castPublicVote(one.id, unverified, 'pass', allowanceOf())
      await store.castVote(settled.id, same, 'agree')
      await store.castPublicVote(settled.id, unverified, 'pass', allowanceOf())
      const [changes, some] = await database.transaction(async (tx) => {
        await tx.execute(
          sql`create temporary table counted_votes (expression_id uuid, voter bytea, value text, verified boolean) on commit drop`,
        )
        for (const [id, voter, value, verified = true] of [
          [one.id, same, 'agree'],
          [one.id, changed, 'agree'],
          [one.id, removed, 'agree', false],
          [one.id, verifiedSince, 'agree', false],
          [settled.id, same, 'agree'],
          [settled.id, unverified, 'pass', false],
        ] as const)
          await tx.execute(sql`insert into counted_votes values (${id}, decode(${voter}, 'hex'), ${value}, ${verified})`)
        const wanted = [same, removed, fresh, 'ee'.repeat(32)].map((voter) => ({ expressionId: one.id, voter }))
        return Promise.all([
          countable.voteChanges(tx, [one.id, settled.id], sql`counted_votes`),
          countable.changesOfVotes(tx, wanted, sql`counted_votes`),
        ])
      })
      expect(some.get(one.id)?.toSorted((a, b) => (a.voter < b.voter ? -1 : 1))).toEqual(
        changes
          .get(one.id)
          ?.filter(({ voter }) => [removed, fresh].includes(voter))
          .toSorted((a, b) => (a.voter < b.voter ? -1 : 1)),
      )
      expect([...some.keys()]).toEqual([one.id])
      expect([...changes.keys()]).toEqual([one.id])
      const byVoter = new Map(
        changes.get(one.id)?.map(({ voter, from, to, wasVerified, isVerified }) => [voter, [from, to, wasVerified, isVerified]]),
      )
      expect(Object.fromEntries(byVoter)).toEqual({
        [changed]: ['agree', 'pass', true, true],
        [removed]: ['agree', null, false, null],
        [fresh]: [null, 'disagree', null, true],
        [verifiedSince]: ['agree', 'agree', false, true],
        [unverified]: [null, 'pass', null, false],
      })
    })

    it('pages through ids in order, and by place with neighbours together, without withdrawn expressions', async () => {
      const { database, countable, store } = subject
      const placed = [3, 1, 2].map((lat) => expressionRecord({ position: { lat: 89 + lat / 10, lon: 0 } }))
      const [nowhere, withdrawn] = [expressionRecord({ position: null }), expressionRecord()]
      await store.saveExpressions([...placed, nowhere, withdrawn])
      await store.withdrawExpression(withdrawn.id)
      const inOrder: string[] = []
      for (let after: string | undefined; ; after = inOrder.at(-1)) {
        const page = await countable.idsAfter(database.orm, after, 10)
        inOrder.push(...page)
        if (page.length < 10) break
      }
      expect(inOrder).toEqual([...new Set(inOrder)].sort())
      expect(inOrder).toHaveLength(await store.countExpressions())
      const { rows } = await database.orm.execute<{ id: string; day: number; lat: number | null }>(
        sql`select id, day, lat from (${countable.countable('Africa/Dakar')}) e order by id`,
      )
      expect(rows.map(({ id }) => id)).toEqual(inOrder)
      const found = await countable.find(database.orm, inOrder, 'Africa/Dakar')
      expect(rows).toEqual(inOrder.map((id) => ({ id, day: found.get(id)?.day, lat: found.get(id)?.lat })))
      expect(inOrder).toEqual(expect.arrayContaining([...placed, nowhere].map(({ id }) => id)))
      expect(inOrder).not.toContain(withdrawn.id)
    })

    it('returns the changes of a new taxonomy, and derives its version from its content', async () => {
      const save = async (domains: readonly TaxonomyDomain[]) =>
        (await subject.store.publishTaxonomy({ domains, author: 'a', note: 'n' })).change
      const first = [domainOf('w/supply', { position: 1 }), domainOf('w'), domainOf('h', { position: 1 })]
      expect(await save(first)).toEqual({ added: 3, updated: 0, removed: 0, unchanged: 0 })
      const before = await subject.store.readTaxonomy()
      expect(before.domains.map(({ id }) => id)).toEqual(['w', 'h', 'w/supply'])
      expect(before.domains[0]).toEqual(first[1])
      expect(await subject.database.transaction((tx) => subject.countable.taxonomy(tx))).toEqual(before)
      expect(await eventsOf(() => save(first))).toEqual([])
      expect((await subject.store.readTaxonomy()).version).toBe(before.version)

      const second = [domainOf('w', { labels: { fr: 'L’eau' } }), domainOf('w/supply', { position: 1 })]
      expect(await save(second)).toEqual({ added: 0, updated: 1, removed: 1, unchanged: 1 })
      expect((await subject.store.readTaxonomy()).version).not.toBe(before.version)
      const referred = await subject.store.findDomains(['h', 'w', 'never'])
      expect(referred.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([first[2], second[0]])
      expect(await save(first)).toEqual({ added: 1, updated: 1, removed: 0, unchanged: 1 })
      expect((await subject.store.readTaxonomy()).version).toBe(before.version)
    })

    it('stores dead letters until they are removed', async () => {
      const [a, b] = [randomUUID(), randomUUID()]
      await subject.store.storeDeadLetters([{ id: a, content: { n: 1 }, reason: 'first' }])
      await subject.store.storeDeadLetters([
        { id: a, content: { n: 2 }, reason: 'again' },
        { id: b, content: { n: 3 }, reason: 'x' },
      ])
      expect(await subject.store.deadLetters(10)).toHaveLength(2)
      expect(await subject.store.deadLetters(10)).toContainEqual({ id: a, content: { n: 2 }, reason: 'again', at: expect.any(Date) })
      expect(await Promise.all([a, randomUUID(), 'x'].map((id) => subject.store.hasDeadLetter(id)))).toEqual([true, false, false])
      await subject.store.removeDeadLetters([a, b])
      expect(await subject.store.deadLetters(10)).toEqual([])
    })

    it('stores no dead letter of a withdrawn expression', async () => {
      const [withdrawn, other] = [randomUUID(), randomUUID()]
      await subject.store.withdrawExpression(withdrawn, { evenUnwritten: true })
      await subject.store.storeDeadLetters([withdrawn, other].map((id) => ({ id, content: {}, reason: 'x' })))
      expect((await subject.store.deadLetters(10)).map(({ id }) => id)).toEqual([other])
      await subject.store.removeDeadLetters([other])
    })
  })
}
