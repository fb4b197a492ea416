import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { citizenDataOf } from '../../../subgraphs/administration/citizen-data.ts'
import { removeDelegations } from '../../../subgraphs/administration/delegations/first-delegations.ts'
import { importDelegations } from '../../../subgraphs/administration/delegations/import-delegations.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'
import { relationalEngines } from '../../support/engines/engines.ts'
import { randomFrom } from '../../support/samples/random.ts'

async function* linesOf(rows: readonly object[]): AsyncGenerator<FileLine> {
  for (const [index, row] of rows.entries()) yield { number: index + 1, text: JSON.stringify(row) }
}
const row = (id: string, delegator: string, delegate: string, more: object = {}) => ({
  ...{ id, delegator, delegate, group_id: 'north', domain: 'health', starts_at: '2026-01-01T00:00:00Z' },
  ...more,
})
const state = 'delegationId at delegator { code } delegate { code } group { id } domain { id } status'
const history = `query ($delegator: String!, $first: Int, $after: String) { delegations(filter: { delegator: $delegator }) {
  nodes { id history(first: $first, after: $after) { totalCount pageInfo { endCursor hasNextPage } nodes { ${state} } } } } }`
const atTime = `query ($at: DateTime!, $filter: DelegationFilterInput, $first: Int, $after: String) {
  delegationsAt(at: $at, filter: $filter, first: $first, after: $after) { totalCount pageInfo { endCursor hasNextPage } nodes { ${state} } } }`
const figures = `query ($filter: DelegationFiguresFilterInput, $first: Int, $after: String) {
  delegationFigures(filter: $filter, first: $first, after: $after) {
    totalCount pageInfo { endCursor hasNextPage } nodes { group { id } domain { id } pending active revoked expired } } }`

interface State {
  readonly delegationId: string
  readonly at: string
  readonly delegator: { readonly code: string }
  readonly delegate: { readonly code: string }
  readonly group: { readonly id: string }
  readonly status: string
}
interface Page<Node> {
  readonly totalCount: number
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
  readonly nodes: readonly Node[]
}

for (const engine of relationalEngines())
  describe(`the history of delegations on ${engine.name}`, () => {
    let administration: Administration
    beforeAll(async () => {
      administration = await startAdministration({ engine })
    })
    afterAll(() => administration?.[Symbol.asyncDispose]())

    const importNow = (...rows: readonly object[]) => importDelegations(administration.engines, linesOf(rows), 'ndjson')
    const read = async <Data>(text: string, variables: object, principal = superAdmin): Promise<Data> => {
      const { data, errors } = await administration.execute(text, { ...variables }, principal)
      expect(errors).toBeUndefined()
      return data as Data
    }
    const historyOf = async (delegator: string, variables: object = {}, principal = superAdmin): Promise<Page<State>> => {
      const { delegations } = await read<{ delegations: { nodes: readonly { history: Page<State> }[] } }>(
        history,
        { delegator, ...variables },
        principal,
      )
      const [only] = delegations.nodes
      if (only === undefined) throw new Error('the delegation is not in the list')
      return only.history
    }
    const delegationsAt = async (at: Date, variables: object = {}, principal = superAdmin): Promise<Page<State>> =>
      (await read<{ delegationsAt: Page<State> }>(atTime, { at: at.toISOString(), ...variables }, principal)).delegationsAt
    /** Returns a time after all changes so far, by the clock of the database. */
    const now = async (): Promise<Date> => {
      const { rows } = await administration.engines.database.orm.execute<{ now: string }>(
        sql`select pg_sleep(0.002), clock_timestamp()::timestamptz(3) as now, pg_sleep(0.002)`,
      )
      return new Date(rows[0]?.now ?? 0)
    }

    it('has each change of a delegation, newest first, in pages, and only in the groups of the caller', async () => {
      await importNow(row('h-1', 'H-1', 'H-2'))
      await importNow(row('h-1', 'H-1', 'H-2'))
      await importNow(row('h-1', 'H-1', 'H-3', { group_id: 'south' }))
      await importNow(row('h-1', 'H-1', 'H-3', { status: 'revoked' }))
      const { totalCount, nodes } = await historyOf('H-1')
      expect([totalCount, nodes.map((each) => [each.delegate.code, each.group.id, each.status])]).toEqual([
        3,
        [
          ['H-3', 'north', 'REVOKED'],
          ['H-3', 'south', 'ACTIVE'],
          ['H-2', 'north', 'ACTIVE'],
        ],
      ])
      const first = await historyOf('H-1', { first: 2 })
      expect([first.nodes, first.pageInfo.hasNextPage]).toEqual([nodes.slice(0, 2), true])
      expect((await historyOf('H-1', { first: 2, after: first.pageInfo.endCursor })).nodes).toEqual(nodes.slice(2))
      expect((await historyOf('H-1', {}, groupAdmin('north'))).nodes.map(({ group }) => group.id)).toEqual(['north', 'north'])
    })

    it('starts with the earlier state of a delegation from before the history', async () => {
      const { orm } = administration.engines.database
      await orm.execute(sql`alter table delegation disable trigger history_inserted`)
      await importNow(row('o-1', 'O-1', 'O-2'), row('o-2', 'O-3', 'O-4'))
      await orm.execute(sql`alter table delegation enable trigger history_inserted`)
      const before = await now()
      await importNow(row('o-1', 'O-1', 'O-2', { status: 'revoked' }))
      expect((await historyOf('O-1')).nodes.map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE'])
      expect((await historyOf('O-3')).nodes).toEqual([])
      for (const delegator of ['O-1', 'O-3'])
        expect((await delegationsAt(before, { filter: { delegator } })).nodes.map(({ status }) => status)).toEqual(['ACTIVE'])
    })

    it('shows the delegations of any moment as they were, under each filter (against a list kept by hand)', async () => {
      const random = randomFrom(11)
      const pick = (most: number): number => Math.floor(random() * most)
      const known = new Map<string, ReturnType<typeof row>>()
      const moments: { readonly at: Date; readonly known: ReadonlyMap<string, ReturnType<typeof row>> }[] = []
      for (let round = 0; round < 15; round++) {
        const id = `m-${pick(8)}`
        const next = row(id, `M-${pick(3)}`, `N-${pick(3)}`, {
          group_id: ['m-north', 'm-south'][pick(2)],
          status: pick(3) === 0 ? 'revoked' : undefined,
        })
        await importNow(next)
        known.set(id, next)
        moments.push({ at: await now(), known: new Map(known) })
      }
      for (const { at, known: then } of moments.filter((_, index) => index % 2 === 0))
        for (const [filter, matches] of [
          [{ groupId: 'm-north' }, (each: object) => (each as { group_id: string }).group_id === 'm-north'],
          [{ delegator: 'M-1' }, (each: object) => (each as { delegator: string }).delegator === 'M-1'],
          [
            { delegate: 'N-2', status: 'REVOKED' },
            (each: object) =>
              (each as { delegate: string; status?: string }).delegate === 'N-2' && (each as { status?: string }).status === 'revoked',
          ],
        ] as const) {
          const page = await delegationsAt(at, { filter, first: 100 })
          const expected = [...then.values()].filter(matches).map(({ id }) => id)
          expect(page.nodes.map(({ delegationId }) => delegationId).toSorted()).toEqual(expected.toSorted())
          expect(page.totalCount).toBe(expected.length)
        }
      const last = moments.at(-1)?.at ?? new Date()
      const page = await delegationsAt(last, { filter: { groupId: 'm-north' }, first: 1 })
      const next = await delegationsAt(last, { filter: { groupId: 'm-north' }, first: 100, after: page.pageInfo.endCursor })
      expect([...page.nodes, ...next.nodes]).toEqual((await delegationsAt(last, { filter: { groupId: 'm-north' }, first: 100 })).nodes)
      expect((await delegationsAt(last, {}, groupAdmin('m-south'))).nodes.every(({ group }) => group.id === 'm-south')).toBe(true)
    })

    it('begins before every delegation on a platform that began with it, without a filter too', async () => {
      const page = await delegationsAt(new Date('2020-01-01T00:00:00Z'))
      // those of the test before it have no recorded creation
      expect(page.nodes.map(({ delegationId }) => delegationId).toSorted()).toEqual(['o-1', 'o-2'])
      expect(page.totalCount).toBe(2)
    })

    it('refuses a time before the history and one ahead of now', async () => {
      const { orm } = administration.engines.database
      // as the migration does on a platform that has delegations
      await orm.execute(sql`insert into delegation_history (since) values ('2021-01-01')`)
      onTestFinished(async () => void (await orm.execute(sql`delete from delegation_history`)))
      for (const at of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])
        expect((await administration.execute(atTime, { at }, superAdmin)).errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          entries: [{ path: ['at'] }],
        })
    })

    it('has figures by group and domain that agree with the delegations', async () => {
      await importNow(row('f-1', 'F-1', 'F-2', { group_id: 'f', domain: undefined }), row('f-2', 'F-1', 'F-3', { group_id: 'f' }))
      const { delegationFigures } = await read<{ delegationFigures: Page<Readonly<Record<string, unknown>>> }>(figures, { first: 100 })
      const { rows } = await administration.engines.database.orm.execute(sql`
        select group_id collate "C" as group_id, coalesce(domain, '') collate "C" as domain,
          count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'active')::int as active,
          count(*) filter (where status = 'revoked')::int as revoked, count(*) filter (where status = 'expired')::int as expired
        from delegation group by 1, 2 order by 1, 2`)
      expect(delegationFigures.nodes).toEqual(
        rows.map(({ group_id, domain, ...counts }) => ({
          group: { id: group_id },
          domain: domain === '' ? null : { id: domain },
          ...counts,
        })),
      )
      expect(delegationFigures.totalCount).toBe(rows.length)
      const mine = await read<{ delegationFigures: Page<object> }>(figures, { first: 1 }, groupAdmin('f'))
      expect(mine.delegationFigures).toMatchObject({
        totalCount: 2,
        nodes: [{ group: { id: 'f' }, domain: null, active: 1 }],
        pageInfo: { hasNextPage: true },
      })
      const rest = await read<{ delegationFigures: Page<object> }>(
        figures,
        { after: mine.delegationFigures.pageInfo.endCursor },
        groupAdmin('f'),
      )
      expect(rest.delegationFigures.nodes).toMatchObject([{ domain: { id: 'health' }, active: 1 }])
      const other = await read<{ delegationFigures: Page<object> }>(figures, { filter: { groupId: 'f' } }, groupAdmin('north'))
      expect(other.delegationFigures.nodes).toEqual([])
    })

    it('loses the codes of an erased citizen, former ones too, and the delegations that are removed', async () => {
      await importNow(row('e-1', 'E-1', 'E-2'), row('e-2', 'E-3', 'E-4'))
      await importNow(row('e-2', 'E-5', 'E-4'))
      const { database, pseudonyms } = administration.engines
      const data = citizenDataOf({ database, pseudonyms, queue: 'delegations' })
      for (const code of ['E-1', 'E-3']) await data.erase({ code, authorRefs: [], voters: [] }, async () => {})
      const { nodes } = await historyOf('E-5')
      expect(nodes.map(({ delegator }) => delegator.code)).toEqual(['E-5', pseudonyms.of('E-3')])
      const erased = await historyOf(pseudonyms.of('E-1'))
      expect(erased.nodes.map(({ status }) => status)).toEqual(['REVOKED', 'ACTIVE'])
      const { rows } = await database.orm.execute(sql`select * from delegation_change`)
      for (const left of ['"E-1"', '"E-3"', '"e-1"']) expect(JSON.stringify(rows)).not.toContain(left)
      await removeDelegations(database, 'import')
      const remaining = await database.orm.execute(sql`select delegation_id from delegation_change`)
      expect(remaining.rows).toEqual([])
    })
  })
