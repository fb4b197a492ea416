import type { VoteCounts } from '../../../engines/analytics-store/analytics-store.ts'
import { dayAfter } from '../../../foundation/calendar-day.ts'
import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import { allTime, everything } from '../roll-ups/cell-changes.ts'
import { unpackCounts } from '../roll-ups/packed-counts.ts'
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

/** The domain and sub-domain of expressions. */
interface DomainPair {
  readonly domain: string | null
  readonly subDomain: string | null
}

/** Adds up expressions and votes by domain and sub-domain. */
export class DomainTotals {
  readonly #sums = new Map<string, DomainSums>()
  #classified = 0

  /** Adds expressions of all time. */
  addExpressions(classified: DomainPair, sentiment: Sentiment | null, count: number): void {
    if (classified.domain !== null) this.#classified += count
    this.#each(classified, (sum) => {
      sum.expressions += count
      if (sentiment !== null) sum[sentiment] += count
    })
  }

  /** Adds expressions of the last or the preceding seven days. */
  addRecent(classified: DomainPair, week: 'last7d' | 'previous7d', count: number): void {
    this.#each(classified, (sum) => {
      sum[week] += count
    })
  }

  addVotes(classified: DomainPair, add: (tally: VoteTally) => void): void {
    this.#each(classified, ({ votes }) => add(votes))
  }

  /** Returns the counts of a domain or sub-domain. @param participants - by domain */
  countsOf(id: string, participants: ReadonlyMap<string, number>): DomainCounts {
    const { expressions, votes, last7d, previous7d, ...sentiments } = this.#sums.get(id) ?? fresh()
    const { total, unverified } = votes.figures
    return {
      expressions,
      votes: total,
      unverifiedVotes: unverified,
      participants: participants.get(id) ?? 0,
      share: this.#classified === 0 ? 0 : rounded(expressions / this.#classified),
      sentiment: withScore(sentiments),
      last7d,
      trend: rounded((last7d - previous7d) / Math.max(1, previous7d)),
    }
  }

  #each({ domain, subDomain }: DomainPair, take: (sum: DomainSums) => void): void {
    for (const id of new Set([domain, subDomain])) {
      if (id === null) continue
      const sum = this.#sums.get(id) ?? fresh()
      this.#sums.set(id, sum)
      take(sum)
    }
  }
}

const unclassified: DomainPair & { readonly sentiment: null } = { domain: null, subDomain: null, sentiment: null }

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
  const totals = new DomainTotals()
  const memberOf = (key: number) => keys[key] ?? unclassified
  for (const [, , , bucket, , counts, verified, , , unverifiedVotes] of rows) {
    if (bucket !== allTime) {
      unpackCounts(counts, (key, count) => totals.addRecent(memberOf(key), bucket >= weekAgo ? 'last7d' : 'previous7d', count))
      continue
    }
    unpackCounts(counts, (key, count) => totals.addExpressions(memberOf(key), memberOf(key).sentiment, count))
    eachVotes(verified, (key, votes) => totals.addVotes(memberOf(key), (tally) => tally.addCounts({ ...votes, unverified: noVotes })))
    eachVotes(unverifiedVotes, (key, unverified) => totals.addVotes(memberOf(key), (tally) => tally.addCounts({ ...noVotes, unverified })))
  }
  const people = new Map(
    (await snapshot.rows<[string, string]>('select domain, count from participant_count', [])).map(([id, count]) => [id, Number(count)]),
  )
  return (id) => totals.countsOf(id, people)
}
