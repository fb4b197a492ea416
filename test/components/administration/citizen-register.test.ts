import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CitizenOutcome, CitizenOutcomes } from '../../../engines/citizen-data/citizen-outcomes.ts'
import { verificationTopic } from '../../../engines/citizen-data/citizen-outcomes.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { silentLog } from '../../../foundation/log.ts'
import { unannouncedFeed } from '../../../platform/commands/database.ts'
import { citizenDataOf } from '../../../subgraphs/administration/citizen-data.ts'
import { advanceDelegations } from '../../../subgraphs/administration/delegations/advance-delegations.ts'
import { removeDelegations } from '../../../subgraphs/administration/delegations/first-delegations.ts'
import { importDelegations } from '../../../subgraphs/administration/delegations/import-delegations.ts'
import { registrationsOf } from '../../../subgraphs/administration/register/find-citizens.ts'
import { registerUpkeep } from '../../../subgraphs/administration/register/follow-outcomes.ts'
import { rebuildRegister } from '../../../subgraphs/administration/register/rebuild-register.ts'
import { expireCitizens, removeOldOutcomes } from '../../../subgraphs/administration/register/write-register.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { randomFrom } from '../../support/samples/random.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
async function* linesOf(rows: readonly object[]): AsyncGenerator<FileLine> {
  for (const [index, row] of rows.entries()) yield { number: index + 1, text: JSON.stringify(row) }
}
const row = (id: string, delegator: string, delegate: string, more: object = {}) => ({
  ...{ id, delegator, delegate, group_id: 'north', starts_at: '2026-01-01T00:00:00Z' },
  ...more,
})
const entry = `status statusAt expiresOn registeredAt erasedAt activeDelegationsGiven activeDelegationsReceived groups { id }
  outcomes(first: 10) { totalCount nodes { jobId outcome at expiresOn } }`
const list = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: CitizenFilterInput) {
  citizens(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    totalCount pageInfo { startCursor endCursor hasNextPage hasPreviousPage } nodes { code registration { status } }
  }
}`
const one = `query ($code: String!) { citizens(filter: { codePrefix: $code }, first: 100) { nodes { code registration { ${entry} } } } }`
const search = 'query ($text: String!) { searchCitizens(text: $text) { code } }'
const north = groupAdmin('north')
const today = new Date().toISOString().slice(0, 10)

interface Page {
  readonly totalCount: number
  readonly nodes: readonly { readonly code: string; readonly registration: { readonly status: string } | null }[]
  readonly pageInfo: {
    readonly startCursor: string
    readonly endCursor: string
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
  }
}

for (const engine of relationalEngines())
  describe(`the register of citizens on ${engine.name}`, () => {
    let administration: Administration
    beforeAll(async () => {
      administration = await startAdministration({ engine })
    })
    afterAll(() => administration?.[Symbol.asyncDispose]())

    const importNow = (...rows: readonly object[]) => importDelegations(administration.engines, linesOf(rows), 'ndjson')
    const page = async (variables: object = {}, principal = superAdmin): Promise<Page> => {
      const { data, errors } = await administration.execute(list, { ...variables }, principal)
      expect(errors).toBeUndefined()
      return data?.citizens as Page
    }
    const codes = async (variables: object = {}, principal = superAdmin) => (await page(variables, principal)).nodes.map(({ code }) => code)
    const registrationOf = async (code: string, principal = superAdmin) => {
      const { data, errors } = await administration.execute(one, { code }, principal)
      expect(errors).toBeUndefined()
      const { nodes } = (data as { citizens: unknown }).citizens as {
        nodes: readonly { readonly code: string; readonly registration: Readonly<Record<string, unknown>> }[]
      }
      return nodes.find((node) => node.code === code)?.registration ?? null
    }
    /** Outcomes of component A, as its port returns them. */
    const stored: CitizenOutcome[] = []
    const outcomes: CitizenOutcomes = {
      of: async (jobIds) => stored.filter(({ jobId }) => jobIds.includes(jobId)),
      after: async (jobId, limit) =>
        stored
          .filter((each) => jobId === undefined || each.jobId > jobId)
          .toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1))
          .slice(0, limit),
    }
    const outcome = (code: string, more: Partial<CitizenOutcome> = {}): CitizenOutcome => {
      const made: CitizenOutcome = {
        ...{ jobId: `job-${String(stored.length).padStart(4, '0')}`, code, outcome: 'verified', at: new Date(), expiresOn: null },
        ...more,
      }
      stored.push(made)
      return made
    }
    const sources = () => ({ database: administration.engines.database, outcomes, outcomeDays: 90 })
    const rebuild = () => rebuildRegister(sources(), { signal: signal() })
    /** The register, and a count of the delegations that it has to agree with. */
    const counts = async () => {
      const { orm } = administration.engines.database
      const kept = await orm.execute(
        sql`select group_id, code, given, received, active_given, active_received from registered_citizen_group order by group_id, code`,
      )
      const counted = await orm.execute(sql`
        select group_id collate "C" as group_id, code collate "C" as code, sum(given)::int as given, sum(received)::int as received,
          (sum(given) filter (where active))::int as active_given, (sum(received) filter (where active))::int as active_received
        from (select group_id, delegator_code as code, 1 as given, 0 as received, status = 'active' as active from delegation
          union all select group_id, delegate_code, 0, 1, status = 'active' from delegation) as side
        group by 1, 2 order by 1, 2`)
      const zero = (rows: readonly Readonly<Record<string, unknown>>[]) =>
        rows.map((each) => ({ ...each, active_given: each.active_given ?? 0, active_received: each.active_received ?? 0 }))
      return { kept: kept.rows, counted: zero(counted.rows) }
    }

    it('counts the delegations of each citizen in each group through imports, corrections, the passing of time, erasures and removals', async () => {
      const random = randomFrom(7)
      const pick = (most: number): number => Math.floor(random() * most)
      const soon = new Date(Date.now() + 1000).toISOString()
      for (let round = 0; round < 12; round++) {
        const rows = Array.from({ length: 25 }, () => {
          const delegator = pick(9)
          return row(`r-${pick(40)}`, `R-${delegator}`, `R-${(delegator + 1 + pick(8)) % 9}`, {
            group_id: ['r-north', 'r-south'][pick(2)],
            ...(pick(3) === 0 && { status: 'revoked' }),
            ...(pick(4) === 0 && { ends_at: soon }),
            ...(pick(5) === 0 && { starts_at: soon }),
          })
        })
        await importNow(...rows.map((each) => (each.starts_at === soon ? { ...each, ends_at: undefined } : each)))
      }
      const { database, pseudonyms } = administration.engines
      await citizenDataOf({ database, pseudonyms, queue: 'delegations' }).erase({ code: 'R-3', authorRefs: [], voters: [] }, async () => {})
      await vi.waitFor(async () => expect(await advanceDelegations(database, signal())).toBeGreaterThan(0), { timeout: 10_000 })
      const { kept, counted } = await counts()
      expect(kept).toEqual(counted)
      expect(kept.length).toBeGreaterThan(10)
      expect(await codes({ filter: { codePrefix: 'R-3' } })).toEqual([])
      await rebuild()
      expect(await counts()).toEqual({ kept: counted, counted })
      await removeDelegations(database, 'import')
      expect((await counts()).kept).toEqual([])
      expect(await codes({ filter: { codePrefix: 'R-' } })).toEqual([])
    })

    it('is filled from what was stored before it existed, and a rebuild repairs what differs', async () => {
      const { orm } = administration.engines.database
      await orm.execute(sql`alter table delegation disable trigger register_inserted`)
      await importNow(row('b-1', 'B-1', 'B-2'), row('b-2', 'B-3', 'B-2', { group_id: 'south' }))
      await orm.execute(sql`alter table delegation enable trigger register_inserted`)
      await orm.execute(sql`insert into registered_citizen (code) values ('B-9')`)
      const { jobId, at } = outcome('B-4', { expiresOn: '2999-01-01' })
      expect(await codes({ filter: { codePrefix: 'B-' } })).toEqual(['B-9'])
      await rebuild()
      expect(await codes({ filter: { codePrefix: 'B-' } })).toEqual(['B-1', 'B-2', 'B-3', 'B-4'])
      expect(await registrationOf('B-2')).toMatchObject({
        activeDelegationsGiven: 0,
        activeDelegationsReceived: 2,
        groups: [{ id: 'north' }, { id: 'south' }],
      })
      expect(await registrationOf('B-4')).toMatchObject({
        ...{ status: 'VERIFIED', statusAt: at.toISOString(), expiresOn: '2999-01-01', groups: [] },
        outcomes: { totalCount: 1, nodes: [{ jobId, outcome: 'VERIFIED' }] },
      })
    })

    it('is paged by code in both directions, under each filter', async () => {
      await importNow(...['P-1', 'P-2', 'P-3', 'P-4', 'P-5'].map((code) => row(`p-${code}`, code, 'P-6', { group_id: 'paged' })))
      outcome('P-2')
      outcome('P-4', { outcome: 'rejected' })
      outcome('P-7')
      await rebuild()
      const ofGroup = ['P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6']
      for (const [variables, principal, expected] of [
        [{ filter: { codePrefix: 'P-' } }, superAdmin, [...ofGroup, 'P-7']],
        [{ filter: { groupId: 'paged' } }, superAdmin, ofGroup],
        [{}, groupAdmin('paged'), ofGroup],
        [{}, groupAdmin('paged', 'nothing'), ofGroup],
        [{ filter: { codePrefix: 'P-' } }, groupAdmin('paged', 'north', 'south'), ofGroup],
      ] as const) {
        const all = await codes({ ...variables, first: 100 }, principal)
        expect(all).toEqual(expected)
        const first = await page({ ...variables, first: 2 }, principal)
        expect([first.nodes.map(({ code }) => code), first.pageInfo.hasNextPage, first.totalCount]).toEqual([
          all.slice(0, 2),
          true,
          all.length,
        ])
        const second = await page({ ...variables, first: 2, after: first.pageInfo.endCursor }, principal)
        expect(second.nodes.map(({ code }) => code)).toEqual(all.slice(2, 4))
        expect(await codes({ ...variables, last: 2, before: second.pageInfo.startCursor }, principal)).toEqual(all.slice(0, 2))
      }
      expect(await codes({ filter: { codePrefix: 'P-', status: 'VERIFIED' } })).toEqual(['P-2', 'P-7'])
      expect(await codes({ filter: { status: 'VERIFIED' } }, groupAdmin('paged'))).toEqual(['P-2'])
      expect(await codes({ filter: { status: 'UNVERIFIED' } }, groupAdmin('paged', 'nothing'))).toEqual(['P-1', 'P-3', 'P-5', 'P-6'])
      const { errors } = await administration.execute(list, { filter: { codePrefix: '\u0000' } }, superAdmin)
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['codePrefix'] }] })
    })

    it('shows a group_admin the citizens of its groups and their delegations there only', async () => {
      await importNow(row('g-1', 'G-1', 'G-2'), row('g-2', 'G-1', 'G-3', { group_id: 'south' }))
      expect(await registrationOf('G-1')).toMatchObject({ activeDelegationsGiven: 2, groups: [{ id: 'north' }, { id: 'south' }] })
      expect(await registrationOf('G-1', north)).toMatchObject({ activeDelegationsGiven: 1, groups: [{ id: 'north' }] })
      expect(await registrationOf('G-3', north)).toBeNull()
      expect(await codes({ filter: { codePrefix: 'G-' } }, north)).toEqual(['G-1', 'G-2'])
      expect(await codes({ filter: { groupId: 'south' } }, north)).toEqual([])
      expect(await codes({}, groupAdmin())).toEqual([])
      for (const text of [list, one, search])
        expect(
          (
            await administration.execute(text, { code: 'G-1', text: 'G-1' }, {
              user: { ...superAdmin.user, roles: ['reviewer'] },
            } as typeof superAdmin)
          ).errors?.[0]?.extensions,
        ).toMatchObject({ code: 'FORBIDDEN' })
      expect((await administration.execute(search, { text: 'G-1' }, north)).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' })
    })

    it('finds codes by a part, by other case and by one other character, the closest first; each search is audited by pseudonym', async () => {
      await importNow(
        row('s-1', 'ABC-7', 'abc-7'),
        row('s-2', 'ABC-70%_', '"\\\\'),
        row('s-3', 'ABX-77', 'XABC-7'),
        row('s-4', 'ABCD', 'été-1'),
      )
      const found = async (text: string) => {
        const { data } = await administration.execute(search, { text }, superAdmin)
        return (data as { searchCitizens: readonly { readonly code: string }[] }).searchCitizens.map(({ code }) => code)
      }
      expect(await found('abc-7')).toEqual(['abc-7', 'ABC-7', 'XABC-7', 'ABC-70%_'])
      expect(await found('abx-7')).toEqual(['ABC-7', 'ABX-77', 'abc-7'])
      expect(await found('bc-')).toEqual(['ABC-7', 'ABC-70%_', 'XABC-7', 'abc-7'])
      expect(await found('%_')).toEqual(['ABC-70%_'])
      expect(await found('"\\\\')).toEqual(['"\\\\'])
      expect(await found('té-')).toEqual(['été-1'])
      expect(await found('no such code')).toEqual([])
      const { rows } = await administration.engines.database.orm.execute(
        sql`select target from audit_record where action = 'citizens.search'`,
      )
      expect(rows).toHaveLength(7)
      expect(JSON.stringify(rows)).not.toContain('abc')
      expect((await administration.execute(search, { text: ' a ' }, superAdmin)).errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
      })
    })

    // incompressible: larger than an index entry
    const longCode = Array.from({ length: 300 }, () => randomUUID()).join('')

    it('follows the events of verifications, ends expired ones, and keeps outcomes for their retention', async () => {
      const { database } = administration.engines
      const feed = unannouncedFeed(database)
      const upkeep = registerUpkeep({ ...sources(), feed, log: silentLog, waits: { tryEveryMs: 50 } })
      const append = (...events: readonly CitizenOutcome[]) =>
        database.transaction((tx) =>
          feed.append(
            tx,
            verificationTopic,
            events.map(({ jobId }) => ({ kind: 'completed', id: jobId })),
          ),
        )
      await importNow(row('f-1', 'F-1', 'F-2'))
      await upkeep.start(signal())
      try {
        const verified = outcome('F-1', { expiresOn: today, at: new Date(Date.now() - 1000) })
        await append(verified, outcome('F-3', { outcome: 'error' }), outcome('nul \u0000'), outcome(longCode))
        await vi.waitFor(
          async () => expect(await registrationOf('F-3')).toMatchObject({ status: 'UNVERIFIED', outcomes: { totalCount: 1 } }),
          {
            timeout: 20_000,
          },
        )
        expect(await registrationOf('F-1', north)).toMatchObject({ status: 'VERIFIED', expiresOn: today, outcomes: { totalCount: 1 } })
        expect(await codes({ filter: { status: 'VERIFIED' } }, north)).toEqual(['F-1'])
        await database.orm.execute(sql`update registered_citizen set expires_on = expires_on - 1 where code = 'F-1'`)
        expect(await expireCitizens(database, signal())).toBe(1)
        expect(await codes({ filter: { status: 'EXPIRED' } }, north)).toEqual(['F-1'])
        await append(outcome('F-1', { expiresOn: '2999-01-01' }))
        await vi.waitFor(
          async () => expect(await registrationOf('F-1')).toMatchObject({ status: 'VERIFIED', outcomes: { totalCount: 2 } }),
          {
            timeout: 20_000,
          },
        )
      } finally {
        await upkeep.stop()
      }
      await database.orm.execute(sql`update registered_outcome set at = now() - interval '91 days' where code = 'F-1'`)
      await removeOldOutcomes(database, 90, signal())
      expect(await registrationOf('F-1')).toMatchObject({ status: 'VERIFIED', outcomes: { totalCount: 0 } })
    })

    it('loses the entry at an erasure, keeps the pseudonym with its delegations, and exports the entry before', async () => {
      const { database, pseudonyms } = administration.engines
      await importNow(row('e-1', 'E-1', 'E-2'))
      outcome('E-1')
      outcome('E-3')
      await rebuild()
      const data = citizenDataOf({ database, pseudonyms, queue: 'delegations' })
      const citizenOf = (code: string) => ({ code, authorRefs: [], voters: [] })
      expect((await data.survey(citizenOf('E-1'))).erasable).toMatchObject({ registrations: 1, delegations: 1 })
      const records = await data.export(citizenOf('E-1'), undefined, 10, signal())
      expect(records.at(-1)).toMatchObject({
        type: 'registration',
        data: { verification: 'verified', outcomes: [{ outcome: 'verified' }] },
      })
      expect(await data.export(citizenOf('E-1'), records.at(-1)?.position, 10, signal())).toEqual([])
      for (const code of ['E-1', 'E-3']) await data.erase(citizenOf(code), async (_, { counts }) => expect(counts.registrations).toBe(1))
      // deleted with the citizen by component A
      for (const code of ['E-1', 'E-3'])
        stored.splice(
          stored.findIndex((each) => each.code === code),
          1,
        )
      expect(await codes({ filter: { codePrefix: 'E-' } })).toEqual(['E-2'])
      expect(await codes({ filter: { isErased: true, groupId: 'north' } })).toEqual([pseudonyms.of('E-1')])
      expect(await codes({ filter: { isErased: false, codePrefix: 'citizen:' } })).toEqual([])
      const erased = { status: 'UNVERIFIED', erasedAt: expect.any(String), activeDelegationsGiven: 0, outcomes: { totalCount: 0 } }
      expect(await registrationOf(pseudonyms.of('E-1'))).toMatchObject({ ...erased, groups: [{ id: 'north' }] })
      // the codes themselves are not in the list; a citizen's page finds the erasure by the pseudonym
      const entries = await registrationsOf({ database, pseudonyms }, ['E-1', 'E-3', 'unknown'], 'all')
      expect([...entries.keys()]).toEqual(['E-1', 'E-3'])
      expect(entries.get('E-3')).toMatchObject({ verification: 'unverified', registeredAt: null, erasedAt: expect.any(Date), groups: [] })
      expect((await registrationsOf({ database, pseudonyms }, ['E-1'], ['north'])).size).toBe(0)
      await rebuild()
      expect(await codes({ filter: { codePrefix: 'E-' } })).toEqual(['E-2'])
      expect(await registrationOf('unknown')).toBeNull()
    })
  })
