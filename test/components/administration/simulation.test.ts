import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domain } from '../../../engines/analytics-store/tables.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { importDelegations } from '../../../subgraphs/administration/delegations/import-delegations.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'
import { relationalEngines } from '../../support/engines/engines.ts'

const started = new Date(Date.now() - 86_400_000).toISOString()
async function* linesOf(rows: readonly object[]): AsyncGenerator<FileLine> {
  for (const [index, row] of rows.entries()) yield { number: index + 1, text: JSON.stringify(row) }
}
const row = (id: string, delegator: string, delegate: string, more: object = {}) => ({
  ...{ id, delegator, delegate, group_id: 'north', starts_at: started },
  ...more,
})

const simulation = `query (
  $domainId: ID, $scope: String, $groupId: ID, $at: DateTime, $electorate: Int, $directVoters: [String!], $add: [AssumedDelegationInput!]
  $remove: RemovedDelegationsInput, $changes: String, $maxWeight: Int, $maxChain: Int, $first: Int, $after: String, $orderBy: SimulationOrder
) {
  delegationSimulation(
    domainId: $domainId, scope: $scope, groupId: $groupId, at: $at, electorate: $electorate, directVoters: $directVoters, add: $add
    remove: $remove, changes: $changes, maxWeight: $maxWeight, maxChain: $maxChain
  ) {
    snapshotAt delegations
    figures { ...figures } today { ...figures }
    weights(first: $first, after: $after, orderBy: $orderBy) {
      totalCount pageInfo { endCursor hasNextPage }
      edges { cursor node { citizen { code } weight weightToday directDelegations longestChain } }
    }
  }
}
fragment figures on SimulationFigures {
  electorate voters delegated cast lost { cycle chain weight } chains { steps citizens } concentration { largestShare gini nakamoto }
}`

interface Simulation {
  readonly snapshotAt: string
  readonly figures: Readonly<Record<string, unknown>>
  readonly today: Readonly<Record<string, unknown>>
  readonly weights: {
    readonly totalCount: number
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
    readonly edges: readonly { readonly node: { readonly citizen: { readonly code: string }; readonly weight: number } }[]
  }
}

for (const engine of relationalEngines())
  describe(`simulations on ${engine.name}`, () => {
    let administration: Administration
    beforeAll(async () => {
      administration = await startAdministration({ engine })
      const common = { position: 0, labels: {}, examples: {}, words: {}, contentDigest: '' }
      await administration.engines.database.orm.insert(domain).values([
        { ...common, id: 'health', parentId: null, slug: 'health' },
        { ...common, id: 'health.clinics', parentId: 'health', slug: 'clinics' },
      ])
      const rows = [
        row('1', 'C-1', 'C-2'),
        row('2', 'C-2', 'C-3'),
        row('3', 'C-4', 'C-3', { domain: 'health' }),
        row('4', 'C-5', 'C-6', { domain: 'health.clinics' }),
        row('5', 'S-1', 'S-2', { group_id: 'south' }),
        row('6', 'C-7', 'C-8', { status: 'revoked' }),
      ]
      await importDelegations(administration.engines, linesOf(rows), 'ndjson')
    })
    afterAll(() => administration?.[Symbol.asyncDispose]())

    const simulate = async (variables: Readonly<Record<string, unknown>> = {}, principal = superAdmin): Promise<Simulation> => {
      const { data, errors } = await administration.execute(simulation, variables, principal)
      expect(errors).toBeUndefined()
      return data?.delegationSimulation as Simulation
    }
    const weightsOf = ({ weights: { edges } }: Simulation) =>
      Object.fromEntries(edges.map(({ node: { citizen, weight } }) => [citizen.code, weight]))
    const refusal = async (variables: Readonly<Record<string, unknown>>, principal = superAdmin) => {
      const { errors } = await administration.execute(simulation, variables, principal)
      return errors?.[0]?.extensions
    }

    it('counts the votes of a domain, a sub-domain, and all domains', async () => {
      expect(weightsOf(await simulate())).toEqual({ 'C-3': 3, 'S-2': 2 })
      expect(weightsOf(await simulate({ domainId: 'health' }))).toEqual({ 'C-3': 4, 'S-2': 2 })
      expect(weightsOf(await simulate({ domainId: 'health.clinics' }))).toEqual({ 'C-3': 4, 'C-6': 2, 'S-2': 2 })
    })

    it('compares a scenario with today', async () => {
      const remove = { delegates: ['C-3'] }
      const { figures, today, weights } = await simulate({ remove, electorate: 10, orderBy: 'LARGEST_CHANGE_FIRST' })
      expect(today).toMatchObject({ electorate: 10, voters: 7, delegated: 3, cast: 10 })
      expect(figures).toMatchObject({ electorate: 10, voters: 8, delegated: 2, cast: 10, lost: { cycle: 0, chain: 0, weight: 0 } })
      expect(weights.totalCount).toBe(2)
      expect(weights.edges.map(({ node }) => node)).toEqual(
        expect.arrayContaining([
          { citizen: { code: 'C-3' }, weight: 1, weightToday: 3, directDelegations: 0, longestChain: 0 },
          { citizen: { code: 'C-2' }, weight: 2, weightToday: 0, directDelegations: 1, longestChain: 1 },
        ]),
      )
    })

    it('returns the weights in pages', async () => {
      const first = await simulate({ domainId: 'health.clinics', first: 2 })
      const second = await simulate({ domainId: 'health.clinics', first: 2, after: first.weights.pageInfo.endCursor })
      expect(first.weights).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } })
      expect(second.weights).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false } })
      expect(second.snapshotAt).toBe(first.snapshotAt)
      expect([...Object.keys(weightsOf(first)), ...Object.keys(weightsOf(second))].sort()).toEqual(['C-3', 'C-6', 'S-2'])
      expect(await refusal({ after: first.weights.pageInfo.endCursor })).toMatchObject({ code: 'MALFORMED' })
    })

    it('lists whose votes a citizen casts, and the circles', async () => {
      const text = `query ($code: String!, $after: String, $add: [AssumedDelegationInput!], $maxChain: Int) {
        delegationSimulation(add: $add, maxChain: $maxChain) {
          delegators(filter: { delegate: $code }, first: 1, after: $after) {
            totalCount pageInfo { endCursor hasNextPage }
            nodes { citizen { code } through directDelegations isAssumed isLost }
          }
          circles { length lost citizens { code } }
        }
      }`
      const read = async (variables: Readonly<Record<string, unknown>>, principal = superAdmin) => {
        const { data, errors } = await administration.execute(text, variables, principal)
        return { errors, ...(data?.delegationSimulation as { delegators: Record<string, unknown>; circles: readonly object[] }) }
      }
      const add = [
        { delegator: 'C-4', delegate: 'C-3' },
        { delegator: 'S-2', delegate: 'S-1' },
      ]
      const first = await read({ code: 'C-3', add, maxChain: 1 })
      const { endCursor } = first.delegators.pageInfo as { endCursor: string }
      const second = await read({ code: 'C-3', add, maxChain: 1, after: endCursor })
      expect(first.delegators).toMatchObject({
        totalCount: 2,
        nodes: [{ citizen: { code: 'C-2' }, through: 2, directDelegations: 1, isAssumed: false, isLost: false }],
      })
      expect(second.delegators).toMatchObject({
        pageInfo: { hasNextPage: false },
        nodes: [{ citizen: { code: 'C-4' }, through: 1, directDelegations: 0, isAssumed: true, isLost: false }],
      })
      expect((await read({ code: 'C-2', maxChain: 1 })).delegators).toMatchObject({ nodes: [{ citizen: { code: 'C-1' }, isLost: true }] })
      expect(first.circles).toEqual([{ length: 2, lost: 2, citizens: [{ code: 'S-1' }, { code: 'S-2' }] }])
      const entries = [{ path: ['filter', 'delegate'], code: 'unknown' }]
      expect((await read({ code: 'C-1' }, groupAdmin('south'))).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries })
    })

    it('reports the progress of a run, ends with its result, and refuses invalid arguments', async () => {
      const text = `subscription ($remove: RemovedDelegationsInput) {
        delegationSimulationRun(remove: $remove) { stage read total simulation { figures { voters } } }
      }`
      const events = await administration.events(text, { remove: { delegates: ['C-3'] } }, superAdmin)
      const runs = events.map(({ data }) => data?.delegationSimulationRun as { stage: string })
      expect(runs.at(-1)).toEqual({ stage: 'DONE', read: 5, total: 5, simulation: { figures: { voters: 3 } } })
      expect(runs.slice(0, -1).map(({ stage }) => stage)).toContain('READING')
      const last = (await administration.events(text, { remove: { delegates: ['no-such'] } }, superAdmin)).at(-1)
      const entries = [{ path: ['remove', 'delegates', 0], code: 'unknown' }]
      expect(last?.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries })
      const [anonymous] = await administration.events(text, {})
      expect(anonymous?.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' })
    })

    describe('with changes in a file', () => {
      const file = (...lines: readonly string[]): string => ['change,code,delegate', ...lines].join('\r\n')

      it('equal those with the same changes in lists, and are combined with them', async () => {
        const lists = {
          ...{ directVoters: ['C-2'], add: [{ delegator: 'S-2', delegate: 'C-3' }] },
          remove: { ids: ['3'], delegators: ['C-5'], delegates: ['S-2'] },
        }
        const expected = await simulate({ domainId: 'health.clinics', ...lists })
        const lines = ['direct_voter,C-2,', 'add,S-2,C-3', 'remove_id,3,', 'remove_delegator,C-5,', '"remove_delegate","S-2",""']
        const inFile = await simulate({ domainId: 'health.clinics', changes: file(...lines) })
        const { add, ...others } = lists
        const inBoth = await simulate({ domainId: 'health.clinics', ...others, changes: file('add,S-2,C-3') })
        expect(weightsOf(expected)).toEqual({ 'C-2': 2, 'C-3': 2, 'C-4': 1, 'C-5': 1, 'C-6': 1, 'S-1': 1 })
        for (const { weights, figures } of [inFile, inBoth]) {
          expect(figures).toEqual(expected.figures)
          expect(weights.edges.map(({ node }) => node)).toEqual(expected.weights.edges.map(({ node }) => node))
        }
      })

      it('have pages of their own', async () => {
        const first = await simulate({ changes: file('remove_delegate,C-3,'), first: 1 })
        const after = first.weights.pageInfo.endCursor
        const second = await simulate({ changes: file('remove_delegate,C-3,'), first: 1, after })
        expect(second.weights.edges).toHaveLength(1)
        expect(await refusal({ changes: file('remove_delegate,S-2,'), first: 1, after })).toMatchObject({ code: 'MALFORMED' })
      })

      it('show where a vote goes, report progress, and are counted in the audit trail', async () => {
        const path =
          'query ($changes: String) { delegationPath(code: "C-1", changes: $changes) { outcome steps { citizen { code } isAssumed } } }'
        const changes = file('add,C-1,C-5', 'remove_delegator,C-5,')
        const { data } = await administration.execute(path, { changes }, superAdmin)
        expect(data?.delegationPath).toEqual({
          outcome: 'CAST',
          steps: [
            { citizen: { code: 'C-1' }, isAssumed: true },
            { citizen: { code: 'C-5' }, isAssumed: false },
          ],
        })
        const text = `subscription ($changes: String) {
          delegationSimulationRun(changes: $changes, directVoters: ["C-2"]) { stage simulation { figures { voters } } }
        }`
        const events = await administration.events(text, { changes }, superAdmin)
        expect(events.at(-1)?.data).toEqual({ delegationSimulationRun: { stage: 'DONE', simulation: { figures: { voters: 4 } } } })
        const { rows } = await administration.engines.database.orm.execute(
          sql`select details from audit_record where action = 'delegations.simulate' order by id desc limit 1`,
        )
        expect(rows).toEqual([{ details: { scope: 'all', changes: 3 } }])
        const [refused] = await administration.events(text, { changes: 'add' }, superAdmin)
        expect(refused?.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['changes'] }] })
      })

      it('name the line of an unknown citizen or delegation', async () => {
        const changes = file('add,C-1,no-such', '', 'remove_id,no-such,', 'direct_voter,C-7,', 'remove_delegate,S-1,')
        const unknown = (message: string) => ({ path: ['changes'], code: 'unknown', message })
        const citizen = 'No delegation names a citizen with this code'
        const entries = [
          unknown(`Line 2, column 3: ${citizen}`),
          unknown('Line 4, column 2: No delegation has this id, or it was revoked'),
          unknown(`Line 5, column 2: ${citizen}`),
        ]
        expect(await refusal({ changes })).toMatchObject({ code: 'BAD_USER_INPUT', entries })
        // a citizen of another group is as unknown as one that does not exist
        const { entries: ofNorth } = (await refusal({ changes }, groupAdmin('north'))) as { entries: readonly object[] }
        expect(ofNorth).toMatchObject([...entries, unknown(`Line 6, column 2: ${citizen}`)])
        // also when the scenario has been simulated for another caller
        await simulate({ changes: file('remove_delegate,S-1,') })
        expect(await refusal({ changes: file('remove_delegate,S-1,') }, groupAdmin('north'))).toMatchObject({
          entries: [unknown(`Line 2, column 2: ${citizen}`)],
        })
      })

      it('list 20 unknown citizens and count the others', async () => {
        const changes = file(...Array.from({ length: 50 }, (_, at) => `add,x-${at},y-${at}`))
        const { entries } = (await refusal({ changes, directVoters: ['z'] })) as { entries: readonly { readonly message: string }[] }
        expect(entries).toHaveLength(22)
        expect(entries[0]).toMatchObject({ path: ['directVoters', 0] })
        expect(entries.at(-1)).toMatchObject({ path: ['changes'], message: 'and 80 more' })
      })

      it.each([
        [
          'a delegator of the list',
          { add: [{ delegator: 'C-1', delegate: 'C-2' }], changes: file('add,C-1,C-3') },
          'duplicate',
          /^Line 2, column 2:/,
        ],
        ['semicolons', { changes: 'change;code;delegate' }, 'wrong_pattern', /separate them by commas$/],
        ['a million changes', { changes: `change,code,delegate\n${'add,a,b\n'.repeat(1_000_000)}` }, 'too_many', /^Line 100002, column 1:/],
        [
          'a million long changes',
          { changes: `change,code,delegate\n${'direct_voter,C-1,\n'.repeat(1_000_000)}` },
          'too_long',
          /100,000 changes are read/,
        ],
      ])('refuse %s', async (_, variables, code, message) => {
        expect(await refusal(variables)).toMatchObject({
          code: 'BAD_USER_INPUT',
          entries: [{ path: ['changes'], code, message: expect.stringMatching(message) }],
        })
      })
    })

    it('shows a group administrator the own groups only', async () => {
      expect(weightsOf(await simulate({}, groupAdmin('south')))).toEqual({ 'S-2': 2 })
      expect(weightsOf(await simulate({ groupId: 'north' }, groupAdmin('north', 'south')))).toEqual({ 'C-3': 3 })
      expect(await refusal({ groupId: 'north' }, groupAdmin('south'))).toMatchObject({ code: 'FORBIDDEN' })
      // a citizen of another group is as unknown as one that does not exist
      const entries = [{ path: ['directVoters', 0], code: 'unknown' }]
      expect(await refusal({ directVoters: ['C-1'] }, groupAdmin('south'))).toMatchObject({ code: 'BAD_USER_INPUT', entries })
      expect(await refusal({ directVoters: ['no-such'] }, groupAdmin('south'))).toMatchObject({ code: 'BAD_USER_INPUT', entries })
    })

    it.each([
      ['an unknown domain', { domainId: 'no-such' }, ['domainId'], 'unknown'],
      ['a delegation to oneself', { add: [{ delegator: 'C-1', delegate: 'C-1' }] }, ['add', 0, 'delegate'], 'duplicate'],
      [
        'two assumed delegations of one citizen',
        { add: ['C-2', 'C-3'].map((delegate) => ({ delegator: 'C-1', delegate })) },
        ['add', 1, 'delegator'],
        'duplicate',
      ],
      [
        'an assumed delegation to an unknown citizen',
        { add: [{ delegator: 'C-1', delegate: 'no-such' }] },
        ['add', 0, 'delegate'],
        'unknown',
      ],
      ['an unknown delegation', { remove: { ids: ['2', 'no-such'] } }, ['remove', 'ids', 1], 'unknown'],
      ['a revoked delegation', { remove: { ids: ['6'] } }, ['remove', 'ids', 0], 'unknown'],
      ['an unknown delegator', { remove: { delegators: ['no-such'] } }, ['remove', 'delegators', 0], 'unknown'],
      ['more than 1,000 direct voters', { directVoters: Array.from({ length: 1001 }, (_, at) => `C-${at}`) }, ['directVoters'], 'too_many'],
      ['an electorate below the named citizens', { electorate: 3 }, ['electorate'], 'out_of_range'],
      ['no weight', { maxWeight: 0 }, ['maxWeight'], 'out_of_range'],
      ['a negative chain', { maxChain: -1 }, ['maxChain'], 'out_of_range'],
      ['an empty scope', { scope: '' }, ['scope'], 'too_short'],
    ])('refuses %s', async (_, variables, path, code) => {
      expect(await refusal(variables)).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path, code }] })
    })

    it('is for administrators, and is in the audit trail', async () => {
      const { errors } = await administration.execute(
        simulation,
        {},
        { user: { issuer: 'i', subject: 'r', roles: ['reviewer'], groups: [], expiresAt: 4e9 } },
      )
      expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN')
      await simulate({ domainId: 'health', groupId: 'north' })
      const { rows } = await administration.engines.database.orm.execute(
        sql`select details from audit_record where action = 'delegations.simulate' order by id desc limit 1`,
      )
      expect(rows).toMatchObject([{ details: { domainId: 'health', groupId: 'north', scope: 'all', changes: 0 } }])
      await administration.execute('{ delegationPath(code: "C-1") { length } }', {}, superAdmin)
      const { rows: targets } = await administration.engines.database.orm.execute(
        sql`select target from audit_record where action = 'delegations.simulate' order by id desc limit 1`,
      )
      expect(targets).toEqual([{ target: administration.engines.pseudonyms.of('C-1') }])
    })

    it('shows where a vote goes', async () => {
      const path = `query ($code: String!, $add: [AssumedDelegationInput!]) { delegationPath(code: $code, add: $add) {
        length outcome steps { citizen { code } delegation { id } isAssumed }
      } }`
      const { data } = await administration.execute(path, { code: 'C-1' }, superAdmin)
      expect(data?.delegationPath).toEqual({
        length: 2,
        outcome: 'CAST',
        steps: [
          { citizen: { code: 'C-1' }, delegation: { id: '1' }, isAssumed: false },
          { citizen: { code: 'C-2' }, delegation: { id: '2' }, isAssumed: false },
          { citizen: { code: 'C-3' }, delegation: null, isAssumed: false },
        ],
      })
      const circle = await administration.execute(path, { code: 'C-1', add: [{ delegator: 'C-3', delegate: 'C-1' }] }, superAdmin)
      expect(circle.data?.delegationPath).toMatchObject({ length: 3, outcome: 'CYCLE' })
      const unknown = await administration.execute(path, { code: 'S-1' }, groupAdmin('north'))
      expect(unknown.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['code'], code: 'unknown' }] })
    })
  })
