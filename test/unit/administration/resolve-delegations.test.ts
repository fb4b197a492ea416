import { describe, expect, it } from 'vitest'
import { delegationTextViolations } from '../../../subgraphs/administration/delegations/delegation-record.ts'
import { readChangesFile } from '../../../subgraphs/administration/simulation/changes-file.ts'
import { type DelegationSnapshot, SnapshotBuilder } from '../../../subgraphs/administration/simulation/delegation-snapshot.ts'
import { delegatorsOf } from '../../../subgraphs/administration/simulation/delegators.ts'
import { pathOf, resolveDelegations } from '../../../subgraphs/administration/simulation/resolve-delegations.ts'
import {
  type FiledScenario,
  type Question,
  type Scenario,
  unchanged,
  withFileInLists,
} from '../../../subgraphs/administration/simulation/scenario.ts'

interface Row {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly group: string
  readonly domain: string | null
  readonly scope: string
  readonly startsMs: number
  readonly endsMs: number | null
}

const row = (id: string, from: string, to: string, more: Partial<Row> = {}): Row => ({
  ...{ id, from, to, group: 'north', domain: null, scope: 'all', startsMs: 0, endsMs: null },
  ...more,
})
const escaped = (text: string): string =>
  text.replaceAll('\\', String.raw`\\`).replaceAll('\t', String.raw`\t`).replaceAll('\n', String.raw`\n`)
/** The rows in the text format of COPY, in chunks of a few bytes. */
function snapshotOf(rows: readonly Row[], chunkBytes = 7): DelegationSnapshot {
  const text = rows
    .map(({ id, from, to, group, domain, scope, startsMs, endsMs }) =>
      [
        ...[id, from, to, group].map(escaped),
        domain === null ? String.raw`\N` : escaped(domain),
        escaped(scope),
        startsMs,
        endsMs ?? String.raw`\N`,
      ].join('\t'),
    )
    .map((line) => `${line}\n`)
    .join('')
  const bytes = Buffer.from(text)
  const builder = new SnapshotBuilder()
  for (let at = 0; at < bytes.length; at += chunkBytes) builder.add(bytes.subarray(at, at + chunkBytes))
  return builder.build()
}

const now = 1000
const question: Question & { readonly atMs: number } = { domains: ['clinics', 'health'], scope: 'vote', groups: 'all', atMs: now }
const weightsOf = (rows: readonly Row[], scenario: Partial<Scenario> = {}, asked: Partial<typeof question> = {}) => {
  const snapshot = snapshotOf(rows)
  const { weights, figures } = resolveDelegations(snapshot, { ...question, ...asked }, { ...unchanged, ...scenario })
  const voters = snapshot.citizens.texts.flatMap((code, citizen) => (weights[citizen] === 0 ? [] : [[code, weights[citizen]] as const]))
  return { weights: Object.fromEntries(voters), figures }
}

describe('which delegation applies', () => {
  const all = row('1', 'a', 'all', { startsMs: 9 })
  const domain = row('2', 'a', 'domain', { domain: 'health' })
  const subDomain = row('3', 'a', 'sub', { domain: 'clinics' })
  const exact = row('4', 'a', 'exact', { domain: 'health', scope: 'vote' })
  const delegateOf = (rows: readonly Row[], asked: Partial<typeof question> = {}): string | undefined =>
    Object.entries(weightsOf(rows, {}, asked).weights).find(([, weight]) => weight === 2)?.[0]

  it('is the one for the most specific domain', () => {
    expect(delegateOf([subDomain, domain, all])).toBe('sub')
    expect(delegateOf([all, domain])).toBe('domain')
    expect(delegateOf([all, row('5', 'a', 'other', { domain: 'roads' })])).toBe('all')
    expect(delegateOf([all, domain, subDomain], { domains: ['health'] })).toBe('domain')
    expect(delegateOf([all, domain, subDomain], { domains: [] })).toBe('all')
  })
  it('is the one with the exact scope, within a domain', () => {
    expect(delegateOf([domain, exact])).toBe('exact')
    expect(delegateOf([exact, subDomain])).toBe('sub')
    expect(delegateOf([domain, exact], { scope: 'sign' })).toBe('domain')
  })
  it('is the one that started last, and then the one with the lowest id', () => {
    expect(delegateOf([row('8', 'a', 'early', { startsMs: 1 }), row('9', 'a', 'late', { startsMs: 2 })])).toBe('late')
    expect(delegateOf([row('9', 'a', 'x'), row('8', 'a', 'y')])).toBe('y')
  })
  it('is in force, and in a group of the question', () => {
    expect(delegateOf([row('1', 'a', 'b', { endsMs: now })])).toBeUndefined()
    expect(delegateOf([row('1', 'a', 'b', { startsMs: now + 1 })])).toBeUndefined()
    expect(delegateOf([row('1', 'a', 'b', { startsMs: now, endsMs: now + 1 })])).toBe('b')
    expect(delegateOf([row('1', 'a', 'b', { group: 'south' })], { groups: ['north'] })).toBeUndefined()
  })
})

describe('a scenario', () => {
  const chain = [row('1', 'a', 'b'), row('2', 'b', 'c'), row('3', 'x', 'c')]
  it('counts the votes of a chain, by length', () => {
    const { weights, figures } = weightsOf(chain)
    expect(weights).toEqual({ c: 4 })
    expect(figures).toMatchObject({ electorate: 4, voters: 1, delegated: 3, cast: 4, lost: { cycle: 0, chain: 0, weight: 0 } })
    expect(figures.chains).toEqual([
      { steps: 0, citizens: 1 },
      { steps: 1, citizens: 2 },
      { steps: 2, citizens: 1 },
    ])
  })
  it('lets citizens vote themselves, adds and leaves out delegations', () => {
    expect(weightsOf(chain, { directVoters: ['b'] }).weights).toEqual({ b: 2, c: 2 })
    expect(
      weightsOf(chain, {
        add: [
          { delegator: 'c', delegate: 'x' },
          { delegator: 'x', delegate: 'a' },
        ],
        directVoters: ['a'],
      }).weights,
    ).toEqual({
      a: 4,
    })
    const remove = { ids: ['2'], delegators: ['x'], delegates: [] }
    expect(weightsOf(chain, { remove }).weights).toEqual({ b: 2, c: 1, x: 1 })
    expect(weightsOf(chain, { remove: { ids: [], delegators: [], delegates: ['c'] } }).weights).toEqual({ b: 2, c: 1, x: 1 })
  })
  it('falls back to the next delegation when one is left out', () => {
    const rows = [row('1', 'a', 'special', { domain: 'health' }), row('2', 'a', 'general')]
    expect(weightsOf(rows, { remove: { ids: ['1'], delegators: [], delegates: [] } }).weights).toEqual({ general: 2, special: 1 })
  })
  it('loses votes in a cycle, and finds them when a member votes', () => {
    const circle = [row('1', 'a', 'b'), row('2', 'b', 'c'), row('3', 'c', 'a'), row('4', 'x', 'a')]
    expect(weightsOf(circle)).toMatchObject({
      weights: {},
      figures: { cast: 0, voters: 0, lost: { cycle: 4 }, concentration: { nakamoto: 0, curve: [] } },
    })
    expect(weightsOf(circle, { directVoters: ['b'] })).toMatchObject({ weights: { b: 4 }, figures: { lost: { cycle: 0 } } })
  })
  it('loses votes beyond a limit of weight and of steps', () => {
    expect(weightsOf(chain, { maxWeight: 3 })).toMatchObject({ weights: { c: 3 }, figures: { cast: 3, lost: { weight: 1 } } })
    expect(weightsOf(chain, { maxChain: 1 })).toMatchObject({ weights: { c: 3 }, figures: { cast: 3, lost: { chain: 1 } } })
  })
  it('measures concentration with citizens whom no delegation names', () => {
    const { figures } = weightsOf(chain, { electorate: 10 })
    expect(figures).toMatchObject({ electorate: 10, voters: 7, cast: 10, concentration: { largestShare: 0.4, nakamoto: 3 } })
    expect(figures.concentration.gini).toBeCloseTo((2 * (1 + 2 + 3 + 4 + 5 + 6 + 7 * 4)) / 70 - 8 / 7)
    expect(figures.concentration.curve).toHaveLength(101)
    expect(figures.concentration.curve.at(-1)).toEqual({ voters: 1, votes: 1 })
  })
  it('keeps codes with tabs, line breaks, backslashes and other scripts apart', () => {
    expect(weightsOf([row('1', 'a\tb', 'c\\d'), row('2', 'é\nü', 'c\\d'), row('3', 'علي', 'a\tb')]).weights).toEqual({ 'c\\d': 4 })
  })
  it('shows where a vote goes', () => {
    const snapshot = snapshotOf([...chain, row('4', 'k', 'l'), row('5', 'l', 'k')])
    const path = (code: string, scenario: Partial<Scenario> = {}) =>
      pathOf(
        snapshot,
        resolveDelegations(snapshot, question, { ...unchanged, ...scenario }),
        snapshot.citizens.numberOf(code) ?? -1,
        scenario.maxChain,
      )
    expect(path('a')).toMatchObject({
      length: 2,
      outcome: 'cast',
      steps: [{ code: 'a', delegationId: '1' }, { code: 'b' }, { code: 'c', delegationId: null }],
    })
    expect(path('k')).toMatchObject({ length: 2, outcome: 'cycle', steps: [{ code: 'k' }, { code: 'l' }, { code: 'k' }] })
    expect(path('a', { maxChain: 1 })).toMatchObject({ outcome: 'chain' })
    expect(path('x', { add: [{ delegator: 'x', delegate: 'k' }] }).steps[0]).toEqual({ code: 'x', delegationId: null, isAssumed: true })
  })
})

describe('the delegators of an outcome', () => {
  /** Returns the citizens whose chain passes through each citizen, found by following every chain. */
  const throughByChains = (next: Int32Array, isMember: Uint8Array): number[] => {
    const through = Array.from(isMember, () => 0)
    for (let start = 0; start < next.length; start++) {
      if (isMember[start] === 0) continue
      const seen = new Set<number>()
      for (let citizen = start; citizen >= 0 && !seen.has(citizen); citizen = next[citizen] as number) seen.add(citizen)
      for (const citizen of seen) through[citizen] = (through[citizen] ?? 0) + 1
    }
    return through
  }

  it('count the votes that pass through each citizen, as following every chain does', () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    for (let round = 0; round < 200; round++) {
      const count = 2 + random(12)
      const next = Int32Array.from({ length: count }, (_, citizen) => {
        const to = random(count + 3)
        return to >= count || to === citizen ? -1 : to
      })
      const isMember = new Uint8Array(count).fill(1)
      const { through, ordered, starts, circles } = delegatorsOf({ next, isMember })
      const inCircle = new Set(circles.flatMap(({ members }) => members))
      const expected = throughByChains(next, isMember)
      for (let citizen = 0; citizen < count; citizen++) {
        // in a circle each citizen counts only the votes that enter it there
        if (!inCircle.has(citizen)) expect(through[citizen]).toBe(expected[citizen])
        const delegators = [...ordered.subarray(starts[citizen], starts[citizen + 1])]
        expect(delegators.toSorted((one, other) => one - other)).toEqual([...next.keys()].filter((each) => next[each] === citizen))
        const votes = delegators.map((each) => through[each] ?? 0)
        expect(votes).toEqual(votes.toSorted((one, other) => other - one))
      }
      for (const { members, lost } of circles) {
        expect(members.map((each) => next[each])).toEqual([...members.slice(1), members[0]])
        expect(lost).toBe(expected[members[0] ?? 0])
      }
    }
  })

  it('find one circle of everyone in the order of its delegations', () => {
    const count = 100_000
    const next = Int32Array.from({ length: count }, (_, citizen) => (citizen + 1) % count)
    const { circles } = delegatorsOf({ next, isMember: new Uint8Array(count).fill(1) })
    expect(circles.map(({ members, lost }) => [members.length, members[1], lost])).toEqual([[count, 1, count]])
  })
})

/** A resolver without any cleverness, which follows the chain of each citizen by itself. */
function bruteForce(rows: readonly Row[], { directVoters, add, remove, maxChain, maxWeight }: Scenario) {
  const rank = ({ domain, scope }: Row): readonly number[] => [
    domain === 'clinics' ? 2 : domain === 'health' ? 1 : 0,
    scope === 'vote' ? 1 : 0,
  ]
  const applies = ({ domain, scope, startsMs, endsMs }: Row): boolean =>
    startsMs <= now && (endsMs === null || endsMs > now) && [null, 'health', 'clinics'].includes(domain) && ['all', 'vote'].includes(scope)
  const inForce = rows.filter(applies)
  const citizens = [
    ...new Set([
      ...inForce.flatMap(({ from, to }) => [from, to]),
      ...add.flatMap(({ delegator, delegate }) => [delegator, delegate]),
      ...directVoters,
    ]),
  ]
  const delegateOf = (citizen: string): string | undefined => {
    if (directVoters.includes(citizen)) return undefined
    const assumed = add.findLast(({ delegator }) => delegator === citizen)
    if (assumed !== undefined) return assumed.delegate
    return inForce
      .filter(
        ({ id, from, to }) =>
          from === citizen && !remove.ids.includes(id) && !remove.delegators.includes(from) && !remove.delegates.includes(to),
      )
      .sort((a, b) => {
        const [[domainA = 0, scopeA = 0], [domainB = 0, scopeB = 0]] = [rank(a), rank(b)]
        return domainB - domainA || scopeB - scopeA || b.startsMs - a.startsMs || (a.id < b.id ? -1 : 1)
      })[0]?.to
  }
  const weights: Record<string, number> = {}
  const lost = { cycle: 0, chain: 0, weight: 0 }
  for (const citizen of citizens) {
    const seen = [citizen]
    let next = delegateOf(citizen)
    while (next !== undefined && !seen.includes(next)) {
      seen.push(next)
      next = delegateOf(next)
    }
    const voter = seen.at(-1) ?? citizen
    if (next !== undefined) lost.cycle++
    else if (seen.length - 1 > (maxChain ?? Number.POSITIVE_INFINITY)) lost.chain++
    else if ((weights[voter] ?? 0) >= (maxWeight ?? Number.POSITIVE_INFINITY)) lost.weight++
    else weights[voter] = (weights[voter] ?? 0) + 1
  }
  const values = Object.values(weights)
  const cast = values.reduce((sum, each) => sum + each, 0)
  const pairs = values.flatMap((a) => values.map((b) => Math.abs(a - b))).reduce((sum, each) => sum + each, 0)
  return { weights, lost, electorate: citizens.length, cast, gini: cast === 0 ? 0 : pairs / (2 * values.length * cast) }
}

/** A generator of equal numbers for an equal seed (Lehmer). */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

/** Moves changes of a scenario to a file, and reads it. */
async function filed({ directVoters, add, remove, ...limits }: Scenario, isMoved: () => boolean): Promise<FiledScenario> {
  const lines = ['change,code,delegate']
  const inList = <Each>(list: readonly Each[], lineOf: (each: Each) => string): readonly Each[] =>
    list.filter((each) => {
      if (!isMoved()) return true
      lines.push(lineOf(each))
      return false
    })
  const scenario = {
    ...limits,
    directVoters: inList(directVoters, (code) => `direct_voter,${code},`),
    add: inList(add, ({ delegator, delegate }) => `add,${delegator},"${delegate}"`),
    remove: {
      ids: inList(remove.ids, (id) => `remove_id,${id},`),
      delegators: inList(remove.delegators, (code) => `remove_delegator,${code}`),
      delegates: inList(remove.delegates, (code) => `"remove_delegate","${code}",""`),
    },
  }
  if (lines.length === 1) return scenario
  const assumed = new Set(scenario.add.map(({ delegator }) => delegator))
  const read = await readChangesFile(lines.join('\r\n'), { assumed, textViolations: delegationTextViolations })
  if (!('file' in read)) throw new Error(read.violations[0]?.message)
  return { ...scenario, file: read.file }
}

it.each(Array.from({ length: 300 }, (_, seed) => seed + 1))(
  'equals a resolver that follows each chain by itself, seed %i',
  async (seed) => {
    const number = numbersFrom(seed * 7919)
    const citizen = (): string => `c${number(12)}`
    const pick = <Value>(...values: readonly Value[]): Value => values[number(values.length)] as Value
    const rows = Array.from({ length: 1 + number(40) }, (_, id) =>
      row(String(id), citizen(), citizen(), {
        domain: pick(null, 'health', 'clinics', 'roads'),
        scope: pick('all', 'vote', 'sign'),
        startsMs: pick(0, 5, now, now + 1),
        endsMs: pick(null, null, now, now + 1),
      }),
    ).filter(({ from, to }) => from !== to)
    const named = [...new Set(rows.flatMap(({ from, to }) => [from, to]))]
    const some = (limit: number): readonly string[] =>
      named.length === 0 ? [] : Array.from({ length: number(limit) }, () => pick(...named))
    const add = [...new Set(some(3))].flatMap((delegator) => {
      const delegate = pick(...named)
      return delegate === delegator ? [] : [{ delegator, delegate }]
    })
    const scenario: Scenario = {
      directVoters: some(3),
      add,
      remove: { ids: rows.filter(() => number(6) === 0).map(({ id }) => id), delegators: some(2), delegates: some(2) },
      maxChain: pick(undefined, 0, 1, 3),
      maxWeight: pick(undefined, 1, 2, 5),
    }
    const { weights, figures } = weightsOf(rows, withFileInLists(await filed(scenario, () => number(2) === 0)))
    const expected = bruteForce(rows, scenario)
    expect(weights).toEqual(expected.weights)
    expect(figures).toMatchObject({ electorate: expected.electorate, cast: expected.cast, lost: expected.lost })
    expect(figures.cast + figures.lost.cycle + figures.lost.chain + figures.lost.weight).toBe(figures.electorate)
    expect(figures.concentration.gini).toBeCloseTo(expected.gini)
  },
)
