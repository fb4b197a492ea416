import type { ResolvedDelegations } from './resolve-delegations.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

/** The delegations of an outcome, read from the delegate to the delegators. */
export interface Delegators {
  /** citizens whose vote passes through each citizen, their own included */
  readonly through: Int32Array
  /** delegators by delegate, those with the most votes first; those of a citizen start at `starts[citizen]` and end before `starts[citizen + 1]` */
  readonly ordered: Int32Array
  readonly starts: Int32Array
  /** the circles, those that lose the most votes first */
  readonly circles: readonly Circle[]
}

export interface Circle {
  /** in the order of the delegations */
  readonly members: readonly number[]
  /** votes that arrive in the circle */
  readonly lost: number
}

/** Returns the delegators of each citizen and the circles. */
export function delegatorsOf({ next, isMember }: Pick<ResolvedDelegations, 'next' | 'isMember'>): Delegators {
  const count = next.length
  const open = new Int32Array(count)
  for (let citizen = 0; citizen < count; citizen++) {
    const to = next[citizen] as number
    if (isMember[citizen] === 1 && to >= 0) open[to] = (open[to] as number) + 1
  }
  const starts = new Int32Array(count + 1)
  for (let citizen = 0; citizen < count; citizen++) starts[citizen + 1] = (starts[citizen] as number) + (open[citizen] as number)

  // a citizen is complete when all of the delegators are; those in a circle never are
  const through = Int32Array.from(isMember)
  const complete = new Int32Array(count)
  let [done, found] = [0, 0]
  for (let citizen = 0; citizen < count; citizen++) if (isMember[citizen] === 1 && open[citizen] === 0) complete[found++] = citizen
  while (done < found) {
    const citizen = complete[done++] as number
    const to = next[citizen] as number
    if (to < 0) continue
    through[to] = (through[to] as number) + (through[citizen] as number)
    open[to] = (open[to] as number) - 1
    if (open[to] === 0) complete[found++] = to
  }
  const circles: Circle[] = []
  for (let first = 0; first < count; first++) {
    if (isMember[first] === 0 || open[first] === 0) continue
    const members: number[] = []
    let lost = 0
    for (let citizen = first; open[citizen] !== 0; citizen = next[citizen] as number) {
      open[citizen] = 0
      members.push(citizen)
      lost += through[citizen] as number
    }
    circles.push({ members, lost })
  }
  circles.sort((one, other) => other.lost - one.lost)
  return { through, starts, circles, ordered: orderedDelegators(next, isMember, through, starts) }
}

function orderedDelegators(next: Int32Array, isMember: Uint8Array, through: Int32Array, starts: Int32Array): Int32Array {
  const ordered = new Int32Array(starts.at(-1) ?? 0)
  const ends = starts.slice(0, -1)
  for (const citizen of orderedBy(next.length, (each) =>
    isMember[each] === 1 && (next[each] as number) >= 0 ? (through[each] as number) : 0,
  )) {
    const to = next[citizen] as number
    const place = ends[to] as number
    ordered[place] = citizen
    ends[to] = place + 1
  }
  return ordered
}

/** Returns the citizens with a positive key, the largest first; equal keys in the order of the snapshot. A counting sort. */
export function orderedBy(count: number, keyOf: (citizen: number) => number): Int32Array {
  let largest = 0
  for (let citizen = 0; citizen < count; citizen++) largest = Math.max(largest, keyOf(citizen))
  const starts = new Int32Array(largest + 2)
  for (let citizen = 0; citizen < count; citizen++) {
    const key = keyOf(citizen)
    if (key > 0) starts[key - 1] = (starts[key - 1] as number) + 1
  }
  for (let key = largest - 1; key >= 0; key--) starts[key] = (starts[key] as number) + (starts[key + 1] as number)
  const ordered = new Int32Array(starts[0] as number)
  for (let citizen = 0; citizen < count; citizen++) {
    const key = keyOf(citizen)
    if (key === 0) continue
    const place = starts[key] as number
    ordered[place] = citizen
    starts[key] = place + 1
  }
  return ordered
}
