import type { DelegationSnapshot } from './delegation-snapshot.ts'
import type {
  Concentration,
  DelegationPath,
  FileChange,
  LostVotes,
  PathStep,
  Question,
  Scenario,
  SimulationFigures,
  UnknownInFile,
  UnknownName,
  UnknownNames,
} from './scenario.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

/** the delegator votes, and so has no delegate */
const noDelegate = -1
const inCycle = -2
/** in place of the row of a delegation that the scenario assumes */
export const assumed = -2
const maxSteps = 1000

/** The outcome of a scenario for each citizen of a snapshot. */
export interface ResolvedDelegations {
  readonly figures: SimulationFigures
  /** whether a delegation that applies to the question names the citizen */
  readonly isMember: Uint8Array
  /** the delegation that applies to the citizen: a row of the snapshot, -1: none, -2: one of the scenario */
  readonly chosen: Int32Array
  /** the delegate of each citizen; -1: the citizen votes */
  readonly next: Int32Array
  /** votes that each citizen casts; 0 for citizens who do not vote */
  readonly weights: Int32Array
  /** steps to the citizen who votes; -1 in a cycle */
  readonly depths: Int32Array
  readonly longest: Int32Array
  readonly direct: Int32Array
}

/** unknown names of a file that are listed; others are counted */
const maxUnknownInFile = 20

/**
 * Returns the names of a scenario that no delegation in the groups of the question has, at whatever time.
 * @param changes - of the file   @param code - of a citizen who is named beside the scenario
 */
export function unknownNames(
  { citizens, ids, delegators, delegates, groupOf, groups: { texts: groups } }: DelegationSnapshot,
  question: Pick<Question, 'groups'>,
  { directVoters, add, remove }: Scenario,
  { changes = [], code }: { readonly changes?: readonly FileChange[]; readonly code?: string | undefined } = {},
): UnknownNames {
  const isVisible = groups.map((group) => question.groups === 'all' || question.groups.includes(group))
  const named = new Uint8Array(citizens.texts.length)
  const wanted = new Set([...remove.ids, ...changes.flatMap((change) => (change.kind === 'remove_id' ? change.code : []))])
  for (let row = 0; row < ids.length; row++) {
    if (!isVisible[groupOf[row] as number]) continue
    named[delegators[row] as number] = 1
    named[delegates[row] as number] = 1
    if (wanted.size > 0) wanted.delete(ids[row] as string)
  }
  const isMissing = (each: string): boolean => named[citizens.numberOf(each) ?? named.length] !== 1
  const missing = (codes: readonly string[], path: readonly string[]): UnknownName[] =>
    codes.flatMap((each, at) => (isMissing(each) ? [{ member: [...path, at], kind: 'citizen' as const }] : []))
  const inFile: UnknownInFile[] = []
  let inFileCount = 0
  const note = (unknown: UnknownInFile): void => {
    if (++inFileCount <= maxUnknownInFile) inFile.push(unknown)
  }
  for (const change of changes)
    if (change.kind === 'remove_id') {
      if (wanted.has(change.code)) note({ line: change.line, column: 2, kind: 'delegation' })
    } else {
      if (isMissing(change.code)) note({ line: change.line, column: 2, kind: 'citizen' })
      if (change.kind === 'add' && isMissing(change.delegate)) note({ line: change.line, column: 3, kind: 'citizen' })
    }
  const inLists = [
    ...(code !== undefined && isMissing(code) ? [{ member: ['code'], kind: 'citizen' as const }] : []),
    ...missing(directVoters, ['directVoters']),
    ...add.flatMap(({ delegator, delegate }, at) =>
      Object.entries({ delegator, delegate }).flatMap(([member, each]) =>
        isMissing(each) ? [{ member: ['add', at, member], kind: 'citizen' as const }] : [],
      ),
    ),
    ...missing(remove.delegators, ['remove', 'delegators']),
    ...missing(remove.delegates, ['remove', 'delegates']),
    ...remove.ids.flatMap((id, at) => (wanted.has(id) ? [{ member: ['remove', 'ids', at], kind: 'delegation' as const }] : [])),
  ]
  return { inLists, inFile, inFileCount }
}

/**
 * Resolves a scenario. Of the delegations of a citizen that are in force, the one for the most specific domain applies; then the one with the exact
 * scope before `all`, the one that started last, and the lowest id. A citizen without one votes. Votes in a cycle, beyond `maxChain` steps and
 * beyond `maxWeight` are lost.
 *
 * Sources: Kahng, Mackenzie, Procaccia, "Liquid Democracy: An Algorithmic Perspective" (2018), for weights and their limit; Brill, Delemazure,
 * George, Lackner, Schmidt-Kraepelin, "Liquid Democracy with Ranked Delegations" (2022), for lost votes.
 */
export function resolveDelegations(
  snapshot: DelegationSnapshot,
  question: Question & { readonly atMs: number },
  scenario: Scenario,
): ResolvedDelegations {
  const { chosen, isMember } = chooseDelegations(snapshot, question, scenario)
  const next = nextOf(snapshot, scenario, chosen, isMember)
  const { roots, depths } = follow(next, isMember)
  const count = next.length
  const weights = new Int32Array(count)
  const longest = new Int32Array(count)
  const direct = new Int32Array(count)
  const maxChain = scenario.maxChain ?? Number.POSITIVE_INFINITY
  const chains: number[] = []
  const lost = { cycle: 0, chain: 0, weight: 0 }
  let members = 0
  let delegated = 0
  for (let citizen = 0; citizen < count; citizen++) {
    if (isMember[citizen] === 0) continue
    members++
    const [root, depth, to] = [roots[citizen] as number, depths[citizen] as number, next[citizen] as number]
    if (to >= 0) direct[to] = (direct[to] as number) + 1
    if (root === inCycle) lost.cycle++
    else if (depth > maxChain) lost.chain++
    else {
      weights[root] = (weights[root] as number) + 1
      if (depth > (longest[root] as number)) longest[root] = depth
      if (depth > 0) delegated++
      chains[depth] = (chains[depth] ?? 0) + 1
    }
  }
  if (scenario.maxWeight !== undefined)
    for (let citizen = 0; citizen < count; citizen++) {
      const excess = (weights[citizen] as number) - scenario.maxWeight
      if (excess <= 0) continue
      lost.weight += excess
      weights[citizen] = scenario.maxWeight
    }
  const electorate = Math.max(scenario.electorate ?? 0, members)
  const others = electorate - members
  chains[0] = (chains[0] ?? 0) + others
  const figures = figuresOf({ weights, others, lost, delegated, electorate, chains })
  return { figures, isMember, chosen, next, weights, depths, longest, direct }
}

/** Returns the delegation that applies to each citizen. */
function chooseDelegations(
  snapshot: DelegationSnapshot,
  { domains, scope, groups, atMs }: Question & { readonly atMs: number },
  { remove, add }: Scenario,
): Pick<ResolvedDelegations, 'chosen' | 'isMember'> {
  const { citizens, ids, delegators, delegates, groupOf, domainOf, scopeOf, startsMs, endsMs } = snapshot
  const isRemoved = new Set(remove.ids)
  const flags = (codes: readonly string[]): Uint8Array => {
    const flagged = new Uint8Array(citizens.texts.length)
    for (const code of codes) flagged[citizens.numberOf(code) ?? flagged.length] = 1
    return flagged
  }
  const [fromRemoved, toRemoved] = [flags(remove.delegators), flags(remove.delegates)]
  const inGroup = snapshot.groups.texts.map((group) => groups === 'all' || groups.includes(group))
  // higher is more specific; -1: does not apply
  const domainRank = snapshot.domains.texts.map((domain) => {
    const at = domains.indexOf(domain)
    return at < 0 ? -1 : domains.length - at
  })
  const scopeRank = snapshot.scopes.texts.map((each) => (each === scope ? 1 : each === 'all' ? 0 : -1))
  const chosen = new Int32Array(citizens.texts.length).fill(-1)
  const ranks = new Int32Array(citizens.texts.length)
  const isMember = new Uint8Array(citizens.texts.length)
  for (let row = 0; row < delegators.length; row++) {
    if ((startsMs[row] as number) > atMs || (endsMs[row] as number) <= atMs || !inGroup[groupOf[row] as number]) continue
    const domain = domainOf[row] as number
    const ofDomain = domain < 0 ? 0 : (domainRank[domain] as number)
    const ofScope = scopeRank[scopeOf[row] as number] as number
    if (ofDomain < 0 || ofScope < 0) continue
    const [from, to] = [delegators[row] as number, delegates[row] as number]
    isMember[from] = 1
    isMember[to] = 1
    if (fromRemoved[from] === 1 || toRemoved[to] === 1 || (isRemoved.size > 0 && isRemoved.has(ids[row] as string))) continue
    const rank = 2 * ofDomain + ofScope
    const before = chosen[from] as number
    if (before >= 0) {
      const ahead = rank - (ranks[from] as number) || (startsMs[row] as number) - (startsMs[before] as number)
      if (ahead < 0 || (ahead === 0 && (ids[row] as string) > (ids[before] as string))) continue
    }
    chosen[from] = row
    ranks[from] = rank
  }
  for (const code of add.flatMap(({ delegator, delegate }) => [delegator, delegate])) {
    const citizen = citizens.numberOf(code)
    if (citizen !== undefined) isMember[citizen] = 1
  }
  return { chosen, isMember }
}

function nextOf(
  { citizens, delegates }: DelegationSnapshot,
  { add, directVoters }: Scenario,
  chosen: Int32Array,
  isMember: Uint8Array,
): Int32Array {
  const next = new Int32Array(chosen.length)
  for (let citizen = 0; citizen < chosen.length; citizen++) {
    const row = chosen[citizen] as number
    next[citizen] = row < 0 ? noDelegate : (delegates[row] as number)
  }
  for (const { delegator, delegate } of add) {
    const [from, to] = [citizens.numberOf(delegator), citizens.numberOf(delegate)]
    if (from === undefined || to === undefined) continue
    next[from] = to
    chosen[from] = assumed
  }
  for (const code of directVoters) {
    const citizen = citizens.numberOf(code)
    if (citizen === undefined) continue
    next[citizen] = noDelegate
    chosen[citizen] = -1
    isMember[citizen] = 1
  }
  return next
}

/** Follows every chain once. Returns the citizen who votes, or a cycle, and the number of steps. */
function follow(next: Int32Array, isMember: Uint8Array): { readonly roots: Int32Array; readonly depths: Int32Array } {
  const count = next.length
  const unknown = -3
  const onPath = -4
  const roots = new Int32Array(count).fill(unknown)
  const depths = new Int32Array(count)
  const path = new Int32Array(count)
  for (let start = 0; start < count; start++) {
    if (isMember[start] === 0 || roots[start] !== unknown) continue
    let length = 0
    let citizen = start
    while (roots[citizen] === unknown && (next[citizen] as number) >= 0) {
      roots[citizen] = onPath
      path[length++] = citizen
      citizen = next[citizen] as number
    }
    if (roots[citizen] === unknown) {
      roots[citizen] = citizen
      depths[citizen] = 0
    }
    const root = roots[citizen] === onPath ? inCycle : (roots[citizen] as number)
    let depth = root === inCycle ? -1 : (depths[citizen] as number)
    while (length > 0) {
      const member = path[--length] as number
      if (root !== inCycle) depth++
      roots[member] = root
      depths[member] = depth
    }
  }
  return { roots, depths }
}

interface VoteCounts {
  readonly weights: Int32Array
  /** citizens whom no delegation names: each casts one vote */
  readonly others: number
  readonly lost: LostVotes
  readonly delegated: number
  readonly electorate: number
  /** citizens by number of steps; holes are 0 */
  readonly chains: readonly (number | undefined)[]
}

function figuresOf({ weights, others, lost, delegated, electorate, chains }: VoteCounts): SimulationFigures {
  const byWeight = votersByWeight(weights)
  if (others > 0) byWeight[1] = (byWeight[1] ?? 0) + others
  let voters = 0
  let cast = 0
  for (let weight = 1; weight < byWeight.length; weight++) {
    voters += byWeight[weight] as number
    cast += weight * (byWeight[weight] as number)
  }
  return {
    electorate,
    voters,
    delegated,
    cast,
    lost,
    chains: chains.flatMap((citizens, steps) => (citizens === undefined || citizens === 0 ? [] : [{ steps, citizens }])),
    concentration: concentrationOf(byWeight, voters, cast),
  }
}

/** Returns the number of voters of each weight. */
function votersByWeight(weights: Int32Array): Float64Array {
  let heaviest = 1
  for (const weight of weights) if (weight > heaviest) heaviest = weight
  const byWeight = new Float64Array(heaviest + 1)
  for (const weight of weights) if (weight > 0) byWeight[weight] = (byWeight[weight] as number) + 1
  return byWeight
}

const curvePoints = 100

function concentrationOf(byWeight: Float64Array, voters: number, cast: number): Concentration {
  if (cast === 0) return { largestShare: 0, gini: 0, nakamoto: 0, curve: [] }
  // the sum of rank times weight, ranks ascending from 1, of all voters of one weight at once
  let ranked = 0
  let before = 0
  for (let weight = 1; weight < byWeight.length; weight++) {
    const count = byWeight[weight] as number
    ranked += weight * (count * before + (count * (count + 1)) / 2)
    before += count
  }
  const gini = Math.max(0, (2 * ranked) / (voters * cast) - (voters + 1) / voters)
  let [heavier, votes, nakamoto] = [0, 0, 0]
  const curve = [{ voters: 0, votes: 0 }]
  let largest = 0
  for (let weight = byWeight.length - 1; weight > 0; weight--) {
    const count = byWeight[weight] as number
    if (count === 0) continue
    if (largest === 0) largest = weight
    if (nakamoto === 0 && votes + weight * count > cast / 2) nakamoto = heavier + Math.floor((cast / 2 - votes) / weight) + 1
    for (let point = curve.length; point <= curvePoints && (point / curvePoints) * voters <= heavier + count; point++) {
      const share = point / curvePoints
      curve.push({ voters: share, votes: (votes + (share * voters - heavier) * weight) / cast })
    }
    heavier += count
    votes += weight * count
  }
  return { largestShare: largest / cast, gini, nakamoto, curve }
}

/** Returns where the vote of a citizen goes, step by step. */
export function pathOf(
  { citizens, ids }: DelegationSnapshot,
  { next, chosen }: ResolvedDelegations,
  from: number,
  maxChain?: number,
): DelegationPath {
  const steps: PathStep[] = []
  const seen = new Set<number>()
  let citizen = from
  for (;;) {
    const isRepeated = seen.has(citizen)
    const to = isRepeated ? noDelegate : (next[citizen] as number)
    const row = chosen[citizen] as number
    const isAssumed = to >= 0 && row === assumed
    if (steps.length < maxSteps)
      steps.push({ code: citizens.texts[citizen] as string, delegationId: to >= 0 && row >= 0 ? (ids[row] as string) : null, isAssumed })
    if (to < 0) {
      const length = seen.size
      const outcome = isRepeated ? 'cycle' : length > (maxChain ?? Number.POSITIVE_INFINITY) ? 'chain' : 'cast'
      return { steps, length, outcome }
    }
    seen.add(citizen)
    citizen = to
  }
}
