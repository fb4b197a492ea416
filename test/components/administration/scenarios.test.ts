import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { citizenDataOf } from '../../../subgraphs/administration/citizen-data.ts'
import { importDelegations } from '../../../subgraphs/administration/delegations/import-delegations.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'

async function* linesOf(rows: readonly object[]): AsyncGenerator<FileLine> {
  for (const [index, row] of rows.entries()) yield { number: index + 1, text: JSON.stringify(row) }
}
const row = (delegator: string, delegate: string, group_id = 'north') => ({
  delegator,
  delegate,
  group_id,
  starts_at: '2026-01-01T00:00:00Z',
})
const fields = 'id name isOwn group { id } directVoters { code } removedDelegates { code } add { delegator { code } delegate { code } }'
const save = `mutation ($input: SaveDelegationScenarioInput!) { saveDelegationScenario(input: $input) { scenario { ${fields} } } }`
const list = `{ delegationScenarios { totalCount nodes { ${fields} } } }`
const compare = `query ($ids: [ID!]!) { compareDelegationScenarios(ids: $ids) { name simulation { snapshotAt figures { voters } today { voters } } } }`
const rename = 'mutation ($input: RenameDelegationScenarioInput!) { renameDelegationScenario(input: $input) { scenario { name } } }'
const remove = 'mutation ($input: DeleteDelegationScenarioInput!) { deleteDelegationScenario(input: $input) { deletedNodeId } }'
const north = groupAdmin('north')
const south = { user: { ...groupAdmin('south').user, subject: 'other' } } as ReturnType<typeof groupAdmin>

interface Scenario {
  readonly id: string
  readonly name: string
}

describe('saved scenarios', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
    await importDelegations(
      administration.engines,
      linesOf([row('C-1', 'C-3'), row('C-2', 'C-3'), row('C-4', 'C-5'), row('S-1', 'S-2', 'south')]),
      'ndjson',
    )
  })
  afterAll(() => administration?.[Symbol.asyncDispose]())

  const saved = async (name: string, scenario: object, principal = north): Promise<Scenario> => {
    const { data, errors } = await administration.execute(save, { input: { name, scenario } }, principal)
    expect(errors).toBeUndefined()
    return (data as { saveDelegationScenario: { scenario: Scenario } }).saveDelegationScenario.scenario
  }
  const refusal = async (text: string, variables: object, principal = north) =>
    (await administration.execute(text, { ...variables }, principal)).errors?.[0]?.extensions
  const listed = async (principal: typeof north): Promise<readonly Scenario[]> => {
    const { data } = await administration.execute(list, {}, principal)
    return (data as { delegationScenarios: { nodes: readonly Scenario[] } }).delegationScenarios.nodes
  }
  const names = async (principal = north) => (await listed(principal)).map(({ name }) => name)

  it('are replaced under their name, and compared side by side on the same delegations', async () => {
    await saved('without C-3', { groupId: 'north', remove: { delegates: ['C-5'] } })
    const one = await saved(' without C-3 ', { groupId: 'north', remove: { delegates: ['C-3'] } })
    const other = await saved('C-4 votes', { groupId: 'north', directVoters: ['C-4'] })
    expect(one).toMatchObject({ name: 'without C-3', isOwn: true, group: { id: 'north' }, removedDelegates: [{ code: 'C-3' }] })
    expect(await names()).toEqual(['C-4 votes', 'without C-3'])
    const { data, errors } = await administration.execute(compare, { ids: [one.id, other.id] }, north)
    expect(errors).toBeUndefined()
    expect(data?.compareDelegationScenarios).toMatchObject([
      { name: 'without C-3', simulation: { figures: { voters: 4 }, today: { voters: 2 } } },
      { name: 'C-4 votes', simulation: { figures: { voters: 3 }, today: { voters: 2 } } },
    ])
    expect(await refusal(compare, { ids: [] })).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(await refusal(compare, { ids: [one.id, one.id, one.id, one.id, one.id] })).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('of another group are refused', async () => {
    const { id } = await saved('of the north', { groupId: 'north' })
    const alone = await saved('of its author', {})
    const unknown = { code: 'BAD_USER_INPUT', entries: [{ path: ['ids', 0], code: 'unknown' }] }
    expect(await names(south)).toEqual([])
    expect(await refusal(compare, { ids: [id] }, south)).toMatchObject(unknown)
    expect(await refusal(compare, { ids: [alone.id] }, south)).toMatchObject(unknown)
    expect(await refusal(rename, { input: { id, name: 'mine' } }, south)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusal(remove, { input: { id } }, south)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusal(save, { input: { name: 'theirs', scenario: { groupId: 'north' } } }, south)).toMatchObject({ code: 'FORBIDDEN' })
    // a second administrator of the group reads it, and cannot change it
    const second = { user: { ...north.user, subject: 'second' } } as typeof north
    expect(await names(second)).toContain('of the north')
    expect(await names(second)).not.toContain('of its author')
    expect(await refusal(rename, { input: { id, name: 'mine' } }, second)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await names(superAdmin)).toEqual(expect.arrayContaining(['of the north', 'of its author']))
  })

  it('without a group do not make the audit trail unreadable', async () => {
    const { id } = await saved('of no group', {})
    const trail = '{ auditTrail(filter: { actions: ["scenario.save"] }) { nodes { target details { key json } } } }'
    const { data, errors } = await administration.execute(trail, {}, superAdmin)
    expect(errors).toBeUndefined()
    const { nodes } = (data as { auditTrail: { nodes: readonly { target: string; details: readonly object[] }[] } }).auditTrail
    expect(nodes.find(({ target }) => target === id)?.details).toEqual([])
  })

  it('are renamed and deleted by their author', async () => {
    const { id } = await saved('first name', {})
    await saved('taken', {})
    expect(await refusal(rename, { input: { id, name: 'taken' } })).toMatchObject({ code: 'CONFLICT' })
    expect(await refusal(rename, { input: { id, name: ' ' } })).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['name'] }] })
    expect(await refusal(rename, { input: { id, name: 'second name' } })).toBeUndefined()
    expect(await names()).toContain('second name')
    expect(await refusal(remove, { input: { id } })).toBeUndefined()
    expect(await names()).not.toContain('second name')
    expect(await refusal(remove, { input: { id: 'no-uuid' } })).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('have valid inputs, named by the path of the argument, and a limited number', async () => {
    const scenario = { maxWeight: 0, add: [{ delegator: 'C-1', delegate: 'C-1' }] }
    expect(await refusal(save, { input: { name: 'invalid', scenario } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: expect.arrayContaining([
        expect.objectContaining({ path: ['scenario', 'maxWeight'] }),
        expect.objectContaining({ path: ['scenario', 'add', 0, 'delegate'] }),
      ]),
    })
    const busy = { user: { ...north.user, subject: 'busy' } } as typeof north
    await administration.engines.database.pool.query(
      `insert into simulation_scenario (id, name, issuer, subject, inputs, named)
        select gen_random_uuid(), 'number ' || n, 'i', 'busy', '{"scope": "all"}', '{}' from generate_series(1, 100) n`,
    )
    expect(await refusal(save, { input: { name: 'one more', scenario: {} } }, busy)).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect(await refusal(save, { input: { name: 'number 1', scenario: {} } }, busy)).toBeUndefined()
  })

  it('of an account have limited bytes together, also when they are saved at once', async () => {
    const verbose = { user: { ...north.user, subject: 'verbose' } } as typeof north
    const directVoters = Array.from({ length: 1000 }, (_, n) => `C-${n}`.padEnd(120, 'x'))
    const add = directVoters.map((delegator, n) => ({ delegator: `a${delegator}`, delegate: `b${directVoters[n]}` }))
    const codes = await Promise.all(
      ['1', '2', '3', '4'].map(
        async (name) => (await refusal(save, { input: { name, scenario: { directVoters, add } } }, verbose))?.code ?? 'saved',
      ),
    )
    expect(codes.toSorted()).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'saved', 'saved'])
    expect((await names(verbose)).filter((name) => /^[1-4]$/.test(name))).toHaveLength(2)
  })

  it('refuse texts that no delegation can have, which would fill the lists of scenarios and the audit trail', async () => {
    const [longest, long] = ['x'.repeat(128), 'x'.repeat(129)]
    await saved('longest', { scope: longest, directVoters: [longest] })
    const tooLong = (...path: readonly (string | number)[]) => ({ path: ['scenario', ...path], code: 'too_long' })
    const scenarios: readonly (readonly [object, object])[] = [
      [{ scope: long }, tooLong('scope')],
      [{ directVoters: ['C-1', long] }, tooLong('directVoters', 1)],
      [{ add: [{ delegator: 'C-1', delegate: long }] }, tooLong('add', 0, 'delegate')],
      [{ remove: { ids: [long] } }, tooLong('remove', 'ids', 0)],
      [{ remove: { delegates: ['\u0000'] } }, { path: ['scenario', 'remove', 'delegates', 0], code: 'unstorable_text' }],
    ]
    for (const [scenario, entry] of scenarios)
      expect(await refusal(save, { input: { name: 'long', scenario } })).toMatchObject({ code: 'BAD_USER_INPUT', entries: [entry] })
    for (const groupId of [long, '\u0000'])
      expect(await refusal(save, { input: { name: 'long', scenario: { groupId } } }, superAdmin)).toMatchObject({ code: 'BAD_USER_INPUT' })
    const read = 'query ($code: String!) { delegations(filter: { delegator: $code }) { nodes { id } } }'
    expect(await refusal(read, { code: long })).toMatchObject({ entries: [{ path: ['delegator'], code: 'too_long' }] })
  })

  it('contain the changes of a file, up to 1,000 of a kind', async () => {
    const file = (count: number): string =>
      ['change,code,delegate', ...Array.from({ length: count }, (_, n) => `direct_voter,N-${n},`)].join('\n')
    const lists = { remove: { delegates: ['C-3'] }, add: [{ delegator: 'C-1', delegate: 'C-5' }] }
    const scenario = await saved('from a file', { ...lists, changes: `${file(1)}\nadd,C-2,C-5\nremove_delegate,C-5,` })
    expect(scenario).toMatchObject({
      directVoters: [{ code: 'N-0' }],
      removedDelegates: [{ code: 'C-3' }, { code: 'C-5' }],
      add: [
        { delegator: { code: 'C-1' }, delegate: { code: 'C-5' } },
        { delegator: { code: 'C-2' }, delegate: { code: 'C-5' } },
      ],
    })
    await saved('from a full file', { changes: file(1000) })
    const message = 'A saved scenario has at most 1,000 changes of a kind; the file and the lists have 1,001: simulate without saving'
    expect(await refusal(save, { input: { name: 'large', scenario: { directVoters: ['C-1'], changes: file(1000) } } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [{ path: ['scenario', 'changes'], code: 'too_many', message }],
    })
    expect(await refusal(save, { input: { name: 'wrong', scenario: { changes: file(0) } } })).toMatchObject({
      entries: [{ path: ['scenario', 'changes'], code: 'too_few' }],
    })
  })

  it('refuse a cursor whose id no scenario can have', async () => {
    await saved('one of a page', {})
    const page = 'query ($after: String) { delegationScenarios(first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }'
    const { data } = await administration.execute(page, {}, north)
    const { endCursor } = (data as { delegationScenarios: { pageInfo: { endCursor: string } } }).delegationScenarios.pageInfo
    const [mark, moment] = JSON.parse(Buffer.from(endCursor, 'base64url').toString('utf8')) as readonly unknown[]
    const after = Buffer.from(JSON.stringify([mark, moment, 'no-uuid'])).toString('base64url')
    expect(await refusal(page, { after: endCursor })).toBeUndefined()
    expect(await refusal(page, { after })).toMatchObject({ code: 'MALFORMED', entries: [{ path: ['after'] }] })
  })

  it('lose the citizen at an erasure, and cannot name the citizen again', async () => {
    const { database, pseudonyms } = administration.engines
    const data = citizenDataOf({ database, pseudonyms, queue: 'delegations' })
    const add = [
      { delegator: 'C-4', delegate: 'C-1' },
      { delegator: 'C-2', delegate: 'C-4' },
    ]
    const { id } = await saved('names C-4', { directVoters: ['C-4', 'C-1'], remove: { delegates: ['C-4', 'C-3'] }, add })
    const citizen = { code: 'C-4', authorRefs: [], voters: [] }
    const { erasable } = await data.survey(citizen)
    expect(erasable.scenarios).toBe(2)
    await data.erase(citizen, async (_, { counts }) => expect(counts).toMatchObject({ scenarios: 2 }))
    const nodes = await listed(north)
    expect(nodes.find((node) => node.id === id)).toMatchObject({
      directVoters: [{ code: 'C-1' }],
      removedDelegates: [{ code: 'C-3' }],
      add: [],
    })
    expect(JSON.stringify(nodes)).not.toContain('"C-4"')
    const input = { name: 'again', scenario: { remove: { delegates: ['C-4'] } } }
    expect(await refusal(save, { input })).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [{ path: ['scenario', 'remove', 'delegates', 0], code: 'unknown' }],
    })
    const changes = 'change,code,delegate\nremove_id,C-4,\nadd,C-1,C-4'
    expect(await refusal(save, { input: { name: 'again', scenario: { changes } } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [{ path: ['scenario', 'changes'], code: 'unknown', message: expect.stringMatching(/^Line 3, column 3: /) }],
    })
  })
})
