import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../engines/relational/drizzle.ts'
import { systemClock } from '../../../foundation/clock.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { silentLog } from '../../../foundation/log.ts'
import { demonstrationDelegations } from '../../../platform/demonstration/delegations.ts'
import { advanceDelegations } from '../../../subgraphs/administration/delegations/advance-delegations.ts'
import { delegationMessages } from '../../../subgraphs/administration/delegations/delegation-messages.ts'
import { removeDelegations, storeFirstDelegations } from '../../../subgraphs/administration/delegations/first-delegations.ts'
import { importDelegations } from '../../../subgraphs/administration/delegations/import-delegations.ts'
import { readDelegationLines } from '../../../subgraphs/administration/delegations/read-delegation-lines.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'
import { people } from '../../support/engines/embedded-identity.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { countTurns } from '../../support/processes/event-loop-turns.ts'

const day = 86_400_000
const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const at = (offset: number): string => new Date(Date.now() + offset).toISOString()
const unreadable = new Error('the line is not UTF-8')
async function* linesOf(...lines: readonly (string | object)[]): AsyncGenerator<FileLine> {
  for (const [index, line] of lines.entries()) {
    const number = index + 1
    if (line === unreadable) yield { number, problem: unreadable.message }
    else yield { number, text: typeof line === 'string' ? line : JSON.stringify(line) }
  }
}

interface Page {
  readonly totalCount: number
  readonly nodes: readonly Readonly<Record<string, unknown>>[]
  readonly pageInfo: Readonly<Record<'startCursor' | 'endCursor', string | null> & Record<'hasNextPage' | 'hasPreviousPage', boolean>>
}
const listing = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: DelegationFilterInput, $orderBy: DelegationOrder, $offset: Int) {
  delegations(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy, offset: $offset) {
    totalCount pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    nodes { id group { id } scope status delegator { code } delegate { code } domain { id } startsAt endsAt createdAt updatedAt }
  }
}`

for (const engine of relationalEngines())
  describe(`delegations on ${engine.name}`, () => {
    let administration: Administration
    beforeAll(async () => {
      administration = await startAdministration({ engine })
    })
    afterAll(() => administration?.[Symbol.asyncDispose]())

    const list = async (variables: Readonly<Record<string, unknown>> = {}, principal = superAdmin): Promise<Page> => {
      const { data, errors } = await administration.execute(listing, variables, principal)
      expect(errors).toBeUndefined()
      return data?.delegations as Page
    }
    const allOf = async (variables: Readonly<Record<string, unknown>>, principal = superAdmin): Promise<readonly string[]> => {
      const ids: string[] = []
      for (let after: string | null = null, more = true; more; ) {
        const page: Page = await list({ first: 7, ...variables, after }, principal)
        ids.push(...page.nodes.map(({ id }) => String(id)))
        after = page.pageInfo.endCursor
        more = page.pageInfo.hasNextPage
      }
      return ids
    }
    const record = (id: number, more: object = {}) => ({
      id: `d-${String(id).padStart(3, '0')}`,
      delegator: `C-${id % 5}`,
      delegate: `C-${(id % 5) + 5}`,
      group_id: ['north', 'south', 'east'][id % 3],
      domain: id % 2 === 0 ? 'health' : undefined,
      starts_at: at(-day),
      created_at: at((id - 1000) * 1000),
      ...more,
    })
    const importNow = (...lines: readonly (string | object)[]) => importDelegations(administration.engines, linesOf(...lines), 'ndjson')
    /** The stored counters and a count of the rows. */
    const counts = async () => {
      const { orm } = administration.engines.database
      const counters = await orm.execute(sql`select group_id, status, count::int from delegation_count where count <> 0 order by 1, 2`)
      const counted = await orm.execute(sql`select group_id, status, count(*)::int as count from delegation group by 1, 2 order by 1, 2`)
      return { counters: counters.rows, counted: counted.rows }
    }

    it('are imported from NDJSON, and a second import changes nothing', async () => {
      const records = Array.from({ length: 60 }, (_, id) => record(id))
      expect(await importNow(...records)).toEqual({ received: 60, refused: 0, created: 60, updated: 0, unchanged: 0, problems: [] })
      expect(await importNow(...records)).toMatchObject({ created: 0, updated: 0, unchanged: 60 })
    })

    it('are listed newest first, by cursors without gaps or duplicates', async () => {
      const ids = await allOf({})
      expect(ids).toEqual(Array.from({ length: 60 }, (_, index) => `d-${String(59 - index).padStart(3, '0')}`))
      expect(await allOf({ orderBy: 'OLDEST_FIRST' })).toEqual(ids.toReversed())
      expect((await list({ first: 5, offset: 10 })).nodes.map(({ id }) => id)).toEqual(ids.slice(10, 15))
      expect((await list({ offset: 1000 })).nodes).toEqual([])
    })

    it.each([superAdmin, groupAdmin('north', 'south'), groupAdmin('east')])('are paged backwards and forwards alike', async (principal) => {
      for (const orderBy of ['NEWEST_FIRST', 'OLDEST_FIRST']) {
        const ids: string[] = []
        for (let before: string | null = null, more = true; more; ) {
          const { nodes, pageInfo }: Page = await list({ last: 7, before, orderBy }, principal)
          expect(pageInfo.hasNextPage).toBe(before !== null)
          ids.unshift(...nodes.map(({ id }) => String(id)))
          before = pageInfo.startCursor
          more = pageInfo.hasPreviousPage
        }
        expect(ids).toEqual(await allOf({ orderBy }, principal))
      }
    })

    it('are counted only when the total is selected', async () => {
      const { orm } = administration.engines.database
      await orm.execute(sql`alter table delegation_figure rename to counted_elsewhere`)
      try {
        const { data, errors } = await administration.execute('{ delegations(first: 2) { edges { cursor } nodes { id } } }', {}, superAdmin)
        expect([data?.delegations, errors]).toMatchObject([{ nodes: [{ id: 'd-059' }, { id: 'd-058' }] }, undefined])
        expect((await administration.execute('{ delegations { totalCount } }', {}, superAdmin)).errors).toHaveLength(1)
      } finally {
        await orm.execute(sql`alter table counted_elsewhere rename to delegation_figure`)
      }
    })

    it('are returned with all fields', async () => {
      const { nodes, totalCount } = await list({ first: 1 })
      expect(totalCount).toBe(60)
      expect(nodes[0]).toEqual({
        id: 'd-059',
        group: { id: 'east' },
        scope: 'all',
        status: 'ACTIVE',
        delegator: { code: 'C-4' },
        delegate: { code: 'C-9' },
        domain: null,
        startsAt: expect.stringMatching(/Z$/),
        endsAt: null,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      })
    })

    it.each([
      [{ group: 'north' }, (id: number) => id % 3 === 0],
      [{ domain: 'health' }, (id: number) => id % 2 === 0],
      [{ delegator: 'C-2' }, (id: number) => id % 5 === 2],
      [{ delegate: 'C-7', group: 'south' }, (id: number) => id % 5 === 2 && id % 3 === 1],
      [{ status: 'ACTIVE', domain: 'health', group: 'east' }, (id: number) => id % 6 === 2],
      [{ status: 'REVOKED' }, () => false],
      [{ group: 'nowhere' }, () => false],
    ])('are filtered by %j, with their total', async (filter, fits) => {
      const expectedIds = Array.from({ length: 60 }, (_, id) => id).filter(fits)
      expect(await allOf({ filter })).toEqual(expectedIds.map((id) => `d-${String(id).padStart(3, '0')}`).toReversed())
      expect((await list({ filter })).totalCount).toBe(expectedIds.length)
    })

    it('of a group_admin are limited to its groups under every filter', async () => {
      expect(await allOf({}, groupAdmin('north'))).toHaveLength(20)
      const two = await allOf({}, groupAdmin('north', 'south'))
      expect(two).toEqual((await allOf({})).filter((id) => Number(id.slice(2)) % 3 !== 2))
      expect((await list({}, groupAdmin('north', 'south'))).totalCount).toBe(40)
      expect(await allOf({ filter: { group: 'east' } }, groupAdmin('north', 'south'))).toEqual([])
      expect(await allOf({ filter: { delegator: 'C-0' } }, groupAdmin('north', 'south'))).toHaveLength(8)
      for (const principal of [groupAdmin(), groupAdmin('nowhere')])
        expect(await list({}, principal)).toMatchObject({ totalCount: 0, nodes: [] })
    })

    it('are joined to their group, which lists its delegations for its administrators, and its administrators for a super_admin', async () => {
      const query =
        'query ($id: ID!) { group(id: $id) { id delegations(first: 2) { totalCount nodes { group { id } } } administrators { email roles } } }'
      const { data } = await administration.execute(query, { id: 'default' }, superAdmin)
      expect(data?.group).toMatchObject({ administrators: [{ email: people.groupAdmin.email, roles: ['GROUP_ADMIN'] }] })
      const result = await administration.execute(query, { id: 'east' }, groupAdmin('east', 'west'))
      const east = await list({ filter: { group: 'east' } })
      expect(result.data?.group).toMatchObject({
        delegations: { totalCount: east.totalCount, nodes: [{ group: { id: 'east' } }, { group: { id: 'east' } }] },
        administrators: null,
      })
      expect(result.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN'])
      expect((await administration.execute(query, { id: 'north' }, groupAdmin('east'))).data?.group).toBeNull()
      const through =
        '{ delegations(first: 3) { nodes { group { delegations(first: 1, filter: { group: "west" }) { totalCount nodes { id } } } } } }'
      const { data: others } = await administration.execute(through, {}, groupAdmin('east'))
      const none = { group: { delegations: { totalCount: 0, nodes: [] } } }
      expect(others).toEqual({ delegations: { nodes: [none, none, none] } })
    })

    it('are joined to citizens on both sides, in batches', async () => {
      const { data } = await administration.execute(
        `{ delegations(first: 2) { nodes { delegator { code delegationsGiven(first: 2) { totalCount nodes { id } pageInfo { hasNextPage } } delegationsReceived { totalCount } oldest: delegationsGiven(last: 1) { nodes { id } } } } } }`,
        {},
        groupAdmin('north', 'east'),
      )
      expect(data).toEqual({
        delegations: {
          nodes: [
            {
              delegator: {
                code: 'C-4',
                delegationsGiven: { totalCount: 8, nodes: [{ id: 'd-059' }, { id: 'd-054' }], pageInfo: { hasNextPage: true } },
                delegationsReceived: { totalCount: 0 },
                oldest: { nodes: [{ id: 'd-009' }] },
              },
            },
            {
              delegator: {
                code: 'C-2',
                delegationsGiven: { totalCount: 8, nodes: [{ id: 'd-057' }, { id: 'd-047' }], pageInfo: { hasNextPage: true } },
                delegationsReceived: { totalCount: 0 },
                oldest: { nodes: [{ id: 'd-002' }] },
              },
            },
          ],
        },
      })
    })

    it('are revoked, moved and updated by messages; a late message changes nothing', async () => {
      const { database, pseudonyms, clock } = administration.engines
      const handler = delegationMessages({ database, pseudonyms, clock, log: silentLog })
      const handle = (name: string, content: unknown) => handler([{ name, content }], signal())
      await handle('delegation.changed', record(1, { status: 'revoked', updated_at: at(2000) }))
      await handle('delegation.changed', record(1, { group_id: 'north', updated_at: at(1000) }))
      await handle('delegation.changed', record(2, { group_id: 'west', scope: 'vote', updated_at: at(1000) }))
      const unreadable = handle('delegation.changed', { delegator: 'C-1', delegate: 'C-1', starts_at: 'some day' })
      await expect(unreadable).rejects.toThrow(/^group_id: .+; starts_at: [^C]*$/)
      await expect(handle('something.else', record(3, { status: 'revoked' }))).rejects.toThrow(
        'The message type must be delegation.changed',
      )
      expect((await list({ filter: { status: 'REVOKED' } })).nodes).toMatchObject([{ id: 'd-001', group: { id: 'south' } }])
      expect((await list({ filter: { group: 'west' } })).nodes).toMatchObject([{ id: 'd-002', scope: 'vote' }])
      const { counters, counted } = await counts()
      expect(counters).toEqual(counted)
    })

    it('have the latest revision, also when it arrives first or changes nothing', async () => {
      const delegation = record(150)
      await importNow({ ...delegation, updated_at: at(1000) })
      const status = async () => (await list({ first: 100 })).nodes.find(({ id }) => id === 'd-150')?.status
      expect(await status()).toBe('ACTIVE')
      expect(await importNow({ ...delegation, updated_at: at(3000) })).toMatchObject({ updated: 0, unchanged: 1 })
      expect(await importNow({ ...delegation, status: 'revoked', updated_at: at(2000) })).toMatchObject({ updated: 0, unchanged: 1 })
      expect(await status()).toBe('ACTIVE')
      expect(await importNow({ ...delegation, status: 'revoked', updated_at: at(4000) })).toMatchObject({ updated: 1, unchanged: 0 })
      expect(await status()).toBe('REVOKED')
      await administration.engines.database.orm.execute(sql`delete from delegation where id = 'd-150'`)
    })

    it('begin and end at their times', async () => {
      const soon = [
        record(100, { starts_at: at(3000) }),
        record(101, { starts_at: at(-day), ends_at: at(3000) }),
        record(102, { starts_at: at(day) }),
      ]
      await importNow(...soon, record(103, { starts_at: at(-2 * day), ends_at: at(-day) }))
      const statuses = async () => Object.fromEntries((await list({ first: 4 })).nodes.map(({ id, status }) => [id, status]))
      expect(await statuses()).toEqual({ 'd-100': 'PENDING', 'd-101': 'ACTIVE', 'd-102': 'PENDING', 'd-103': 'EXPIRED' })
      let passed = 0
      const pass = async () => {
        passed += await advanceDelegations(administration.engines.database, signal())
        return passed
      }
      await expect.poll(pass).toBe(2)
      expect(await advanceDelegations(administration.engines.database, signal())).toBe(0)
      expect(await statuses()).toEqual({ 'd-100': 'ACTIVE', 'd-101': 'EXPIRED', 'd-102': 'PENDING', 'd-103': 'EXPIRED' })
      const { counters, counted } = await counts()
      expect(counters).toEqual(counted)
    })

    it('are counted correctly under concurrent writes, moves between groups and deletions', async () => {
      const writers = Array.from({ length: 8 }, (_, writer) =>
        importNow(
          ...Array.from({ length: 50 }, (__, id) =>
            record(200 + ((id + writer) % 60), { group_id: `g${(id * writer) % 4}`, updated_at: at(10_000 + writer * 1000) }),
          ),
        ),
      )
      await Promise.all([...writers, advanceDelegations(administration.engines.database, signal())])
      await administration.engines.database.orm.execute(sql`delete from delegation where id like 'd-2_5'`)
      const { counters, counted } = await counts()
      expect(counters).toEqual(counted)
      expect((await list({})).totalCount).toBe(counted.reduce((sum, { count }) => sum + Number(count), 0))
    })

    it('are read from CSV; invalid lines are skipped and reported by line number', async () => {
      const imported = await importDelegations(
        administration.engines,
        linesOf(
          'id,delegator,delegate,group_id,domain,scope,status,starts_at,ends_at\r',
          `csv-1,A,B,north,,"vote, and ""more""",,${at(-day)},\r`,
          '',
          `csv-2,A,A,north,,,,${at(-day)},`,
          `csv-3,A,B,,,,,${at(-day)},`,
          `csv-4,A,B,north,,,gone,${at(-day)},`,
          `csv-5,A,B,north,,,revoked,yesterday,`,
          `csv-6,A,B,north,,,,${at(-day)},${at(-2 * day)}`,
        ),
        'csv',
      )
      expect(imported).toMatchObject({ received: 6, refused: 5, created: 1 })
      expect(imported.problems.map((problem) => problem.split(':')[0])).toEqual(['line 4', 'line 5', 'line 6', 'line 7', 'line 8'])
      expect(imported.problems.join()).not.toContain('yesterday')
      expect((await list({ filter: { delegator: 'A' } })).nodes).toMatchObject([
        { id: 'csv-1', scope: 'vote, and "more"', domain: null, endsAt: null },
      ])
      await expect(importDelegations(administration.engines, linesOf('a,b,c'), 'csv')).rejects.toThrow('must name the columns')
      const wide = `delegator${',x'.repeat(100)}`
      await expect(importDelegations(administration.engines, linesOf(wide), 'csv')).rejects.toThrow('more than 100 columns')
    })

    it('of a file with broken lines are stored from its other lines', async () => {
      const more = { delegator: 'broken', group_id: 'broken' }
      const imported = await importNow(
        record(300, more),
        '{"id":"d-301","delegator":"brok',
        record(302, { ...more, starts_at: '0000-01-01T00:00:00Z' }),
        record(303, { ...more, ends_at: '9999-12-31T23:59:59-14:00' }),
        record(304, { ...more, created_at: '0001-01-01T00:00:00+14:00' }),
        unreadable,
        'null',
        record(306, more),
        record(307, { ...more, created_at: at(day) }),
        // otherwise no later revision would replace it
        record(308, { ...more, updated_at: '9998-01-01T00:00:00Z' }),
      )
      expect(imported).toMatchObject({ received: 10, refused: 8, created: 2 })
      expect(imported.problems.map((problem) => problem.split(':').slice(0, 2).join())).toEqual([
        'line 2, the record',
        'line 3, starts_at',
        'line 4, ends_at',
        'line 5, created_at',
        'line 6, the line is not UTF-8',
        'line 7, the record',
        'line 9, created_at',
        'line 10, updated_at',
      ])
      expect(await allOf({ filter: { delegator: 'broken' } })).toHaveLength(2)
    })

    it('from CSV are read in steps that do not hold the event loop', async () => {
      const lines = Array.from({ length: 200 }, (_, index) => ({ number: index + 2, text: ',x'.repeat(50_000) }))
      const read = async (): Promise<number> => {
        let count = 0
        for await (const line of readDelegationLines([{ number: 1, text: 'delegator,delegate' }, ...lines], 'csv', systemClock))
          count += 'problems' in line ? 1 : 0
        return count
      }
      const { turns, result } = await countTurns(read)
      expect(result).toBe(200)
      expect(turns).toBeGreaterThan(10)
    })

    it('from CSV have their columns: an empty first field counts, a truncated line or a stray quote is refused', async () => {
      const imported = await importDelegations(
        administration.engines,
        linesOf(
          'id,delegator,delegate,group_id,starts_at,ends_at',
          `,csv-giver,B,north,${at(-day)},`,
          `q-1,csv-giver,"B"x,north,${at(-day)},`,
          `q-2,"csv-giver,B,north,${at(-day)},`,
          `q-3,csv-giver,C,north,${at(-day)}`,
          `q-4,csv-giver,C,north,${at(-day)},,more`,
          `q-5,csv-giver,"C",north,${at(-day)},`,
        ),
        'csv',
      )
      expect(imported.problems).toEqual([
        'line 3: the line is not CSV: a quote is misplaced or not closed',
        'line 4: the line is not CSV: a quote is misplaced or not closed',
        'line 5: the line has 5 fields; the header has 6',
        'line 6: the line has 7 fields; the header has 6',
      ])
      const { nodes } = await list({ filter: { delegator: 'csv-giver' } })
      expect(nodes.map(({ delegate }) => (delegate as { code: string }).code).toSorted()).toEqual(['B', 'C'])
    })

    const importing = `mutation ($input: ImportDelegationsInput!) { importDelegations(input: $input) {
      kept created updated unchanged refused lines { number outcome problems } } }`
    const bring = async (lines: readonly string[], members: Readonly<Record<string, unknown>> = {}, principal = superAdmin) =>
      administration.execute(importing, { input: { file: lines.join('\n'), format: 'CSV', ...members } }, principal)
    const imports = async () =>
      (
        await administration.engines.database.orm.execute(
          sql`select outcome, details from audit_record where action = 'delegations.import' order by id desc limit 1`,
        )
      ).rows[0]

    it('come from a file all or not at all, with a result per line, first as a dry run', async () => {
      const header = '\ufeffid,delegator,delegate,group_id,starts_at,updated_at'
      const revised = at(-1000)
      const file = [header, `f-1,file,B,north,${at(-day)},${revised}\r`, '', `f-1,file,C,north,${at(-day)},${at(-2000)}`]
      const importedIds = () => allOf({ filter: { delegator: 'file' } })
      const lines = [
        { number: 2, outcome: 'CREATED', problems: [] },
        { number: 4, outcome: 'UNCHANGED', problems: [] },
      ]
      const sums = { created: 1, updated: 0, unchanged: 1, refused: 0 }
      expect((await bring(file)).data?.importDelegations).toEqual({ kept: false, ...sums, lines })
      expect(await importedIds()).toEqual([])
      expect(await imports()).toMatchObject({ outcome: 'done', details: { dryRun: true, received: 2 } })

      const wrong = await bring([...file, `f-2,file,file,north,${at(-day)},`], { dryRun: false })
      expect(wrong.data?.importDelegations).toMatchObject({
        kept: false,
        refused: 1,
        lines: [{}, {}, { number: 5, outcome: 'REFUSED', problems: ['delegate: must be another citizen'] }],
      })
      expect(await importedIds()).toEqual([])
      expect(await imports()).toMatchObject({ outcome: 'refused', details: { dryRun: false, refused: 1 } })

      expect((await bring(file, { dryRun: false })).data?.importDelegations).toEqual({ kept: true, ...sums, lines })
      expect(await importedIds()).toEqual(['f-1'])
      expect(await imports()).toMatchObject({ outcome: 'done', details: { dryRun: false, created: 1 } })
      const again = [header, `f-1,file,D,north,${at(-day)},${at(0)}`]
      expect((await bring(again, { dryRun: false })).data?.importDelegations).toMatchObject({ updated: 1, lines: [{ outcome: 'UPDATED' }] })
      const rows = await counts()
      expect(rows.counters).toEqual(rows.counted)
    })

    it('do not come from a file without delegations, with too many, or without a header, nor from a group_admin', async () => {
      const header = 'delegator,delegate,group_id,starts_at'
      const many = Array.from({ length: 1001 }, (_, n) => `many,B${n},north,${at(-day)}`)
      for (const file of [[''], [header], ['a,b'], [header, ...many]]) {
        const { errors } = await bring(file, { dryRun: false })
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['file'] }] })
      }
      expect(await allOf({ filter: { delegator: 'many' } })).toEqual([])
      const refused = await bring([header], {}, groupAdmin('north'))
      expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    })

    it('of the demonstration are removed, and only those', async () => {
      const { database, clock } = administration.engines
      const before = await list({})
      expect(await removeDelegations(database, 'demonstration')).toBe(0)
      await database.orm.execute(sql`update delegation set source = 'elsewhere'`)
      await database.orm.execute(sql`delete from delegation where id = 'd-300'`)
      await storeFirstDelegations(administration.engines, clock, demonstrationDelegations)
      expect((await list({})).totalCount).toBe(before.totalCount - 1)
      await database.orm.execute(sql`update delegation set source = 'demonstration' where id in ('d-302', 'd-306')`)
      expect(await removeDelegations(database, 'demonstration')).toBe(1)
      const { counters, counted } = await counts()
      expect(counters).toEqual(counted)
    })

    const cursorOf = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')
    it('refuse an invalid page: first 0 and 101, a foreign cursor, characters that no database stores', async () => {
      const refusal = async (variables: Record<string, unknown>) =>
        (await administration.execute(listing, variables, superAdmin)).errors?.[0]?.extensions.code
      for (const variables of [
        { first: 0 },
        { first: 101 },
        { last: 101 },
        { last: 1, offset: 1 },
        { offset: -1 },
        { filter: { group: 'a\u0000b' } },
        { filter: { delegator: 'a\ud800b' } },
      ])
        expect([variables, await refusal(variables)]).toEqual([variables, 'BAD_USER_INPUT'])
      for (const variables of [
        { before: 'nonsense' },
        { after: 'nonsense' },
        { after: cursorOf(8.64e15, 'd-001') },
        { after: cursorOf(-8.64e15, 'd-001') },
        { after: cursorOf(-62_200_000_000_000, 'd-001') },
        { after: cursorOf(0, 'a\u0000b') },
      ])
        expect([variables, await refusal(variables)]).toEqual([variables, 'MALFORMED'])
    })

    it('leave an audit record for each listing, with subject and filter, and none for a refusal', async () => {
      const { orm } = administration.engines.database
      const rows = async () =>
        (await orm.execute(sql`select action, subject, address, details from audit_record where subject = 'auditee'`)).rows
      const auditee = { user: { issuer: 'i', subject: 'auditee', roles: ['group_admin'], groups: ['north'], expiresAt: 4e9 } }
      await administration.execute(listing, { filter: { status: 'ACTIVE' } }, auditee)
      expect(await rows()).toMatchObject([{ action: 'delegations.read', address: '192.0.2.1', details: { status: 'active' } }])
    })
  })
