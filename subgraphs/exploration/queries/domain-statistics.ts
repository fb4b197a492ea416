import type { VoteCounts } from '../../../engines/analytics-store/analytics-store.ts'
import { allTime, everything } from '../roll-ups/cell-changes.ts'
import { unpackCounts } from '../roll-ups/packed-counts.ts'
import { dayAfter } from './period.ts'
import { readBuckets } from './read-area.ts'
import type { Snapshot } from './roll-up-reader.ts'
import { type Sentiments, withScore } from './statistics.ts'
import { eachVotes, type VoteFigures, VoteTally } from './vote-tally.ts'

export interface DomainCounts {
  readonly expressions: number
  /** verified votes */
  readonly votes: number
  readonly unverifiedVotes: VoteFigures
  readonly participants: number
  /** share of all expressions with a domain */
  readonly share: number
  readonly sentiment: Sentiments
  readonly last7d: number
  readonly trend: number
}

interface DomainSums {
  expressions: number
  readonly votes: VoteTally
  positive: number
  neutral: number
  negative: number
  last7d: number
  previous7d: number
}

const fresh = (): DomainSums => ({
  expressions: 0,
  votes: new VoteTally(),
  positive: 0,
  neutral: 0,
  negative: 0,
  last7d: 0,
  previous7d: 0,
})
const noVotes: VoteCounts = { agree: 0, disagree: 0, pass: 0 }
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** Returns the counts of all domains and sub-domains that have expressions. */
export async function domainCounts(snapshot: Snapshot): Promise<(id: string) => DomainCounts> {
  const { today, keys } = snapshot
  const weekAgo = dayAfter(today, -6)
  const rows = await readBuckets(
    snapshot,
    [{ zoom: everything, left: 0, right: 0, top: 0, bottom: 0 }],
    [
      { from: allTime, to: allTime, times: 1 },
      { from: dayAfter(today, -13), to: today, times: 1 },
    ],
  )
  const sums = new Map<string, DomainSums>()
  let classified = 0
  const each = (key: number, take: (sum: DomainSums) => void): void => {
    const { domain = null, subDomain = null } = keys[key] ?? {}
    for (const id of new Set([domain, subDomain])) {
      if (id === null) continue
      const sum = sums.get(id) ?? fresh()
      sums.set(id, sum)
      take(sum)
    }
  }
  for (const [, , , bucket, , counts, verified, , , unverifiedVotes] of rows) {
    const days = bucket === allTime ? undefined : bucket >= weekAgo ? 'last7d' : 'previous7d'
    unpackCounts(counts, (key, count) => {
      if (days === undefined && keys[key]?.domain != null) classified += count
      each(key, (sum) => {
        sum[days ?? 'expressions'] += count
        const sentiment = keys[key]?.sentiment
        if (days === undefined && sentiment != null) sum[sentiment] += count
      })
    })
    if (days !== undefined) continue
    eachVotes(verified, (key, votes) => each(key, (sum) => sum.votes.addCounts({ ...votes, unverified: noVotes })))
    eachVotes(unverifiedVotes, (key, unverified) => each(key, (sum) => sum.votes.addCounts({ ...noVotes, unverified })))
  }
  const people = new Map(
    (await snapshot.rows<[string, string]>('select domain, count from participant_count', [])).map(([id, count]) => [id, Number(count)]),
  )
  return (id) => {
    const { expressions, votes, last7d, previous7d, ...sentiments } = sums.get(id) ?? fresh()
    const { total, unverified } = votes.figures
    return {
      expressions,
      votes: total,
      unverifiedVotes: unverified,
      participants: people.get(id) ?? 0,
      share: classified === 0 ? 0 : rounded(expressions / classified),
      sentiment: withScore(sentiments),
      last7d,
      trend: rounded((last7d - previous7d) / Math.max(1, previous7d)),
    }
  }
}
