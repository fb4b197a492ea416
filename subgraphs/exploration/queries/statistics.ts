import { dayAfter } from '../../../foundation/calendar-day.ts'
import { type CellRange, coverOf, zoomFor } from '../geometry/area.ts'
import { maxRolledZoom } from '../geometry/world-grid.ts'
import { everything } from '../roll-ups/cell-changes.ts'
import { unpackCounts } from '../roll-ups/packed-counts.ts'
import { anyDomain } from '../roll-ups/participant-changes.ts'
import { type SentimentCounts, scoreOf } from './map-view.ts'
import { bucketsOfPeriod, isAllTime } from './period.ts'
import { type CellRow, type EdgeCounts, readBuckets, readEdgeCounts } from './read-area.ts'
import type { Snapshot } from './roll-up-reader.ts'
import { matchingKeys, type Selection } from './selection.ts'
import { CountTally, type Tally } from './tally.ts'
import { type ClassedVoteFigures, VoteTally } from './vote-tally.ts'

export interface Sentiments extends SentimentCounts {
  readonly score: number | null
}

export interface DaySentiments extends Sentiments {
  /** such as 20261121 */
  readonly day: number
  readonly expressions: number
}

export interface StatisticsAnswer {
  readonly version: string
  readonly at: Date
  readonly expressions: {
    readonly total: number
    readonly today: number
    readonly last7d: number
    readonly byLang: readonly (readonly [lang: string, count: number])[]
  }
  readonly votes: ClassedVoteFigures
  readonly sentiment: Sentiments & { readonly history: readonly DaySentiments[] }
  /** null when days or an area are selected */
  readonly participants: number | null
  readonly domains: { readonly total: number; readonly active: number }
}

/** days of the history: two years, or a quarter when cells of an area must be added up */
const maxDays = 731
const maxDaysOfArea = 92
const maxTilesOfArea = 16

/** Returns the statistics of a selection; its `sentiment` and `lang` are ignored. @throws {InvalidInput} for an unknown domain */
export async function statisticsOf(snapshot: Snapshot, selection: Selection): Promise<StatisticsAnswer> {
  const { box, domain } = selection
  const wanted = matchingKeys(snapshot, { ...selection, sentiment: null, lang: null })
  const { plus, minus } = bucketsOfPeriod(selection)
  const [from, to] = historyOf(snapshot, selection)
  const cover = box === null ? { cells: [all], edges: [] } : coverOf(box, zoomFor(box, maxRolledZoom, maxTilesOfArea))
  const rows = await readBuckets(snapshot, cover.cells, [
    ...plus.map((range) => ({ ...range, times: 1 })),
    ...minus.map((range) => ({ ...range, times: -1 })),
    // excluded from the total; used for today, the last days and the history
    { from, to, times: 0 },
  ])
  const sums = new SelectionSums(new CountTally(snapshot.keys, wanted))
  for (const row of rows) sums.addCell(row)
  for (const counts of await readEdgeCounts(snapshot, cover.edges, selection)) sums.addEdge(counts, from)
  const weekAgo = dayAfter(snapshot.today, -6)
  const days = [...sums.days].sort(([a], [b]) => a - b)
  const since = (day: number): number =>
    days.reduce((sum, [each, { count }]) => sum + (each >= day && each <= snapshot.today ? count : 0), 0)
  const byLang = new Map<string, number>()
  for (const [key, count] of sums.counts) {
    const lang = snapshot.keys[key]?.lang ?? 'und'
    if (wanted[key] && count > 0) byLang.set(lang, (byLang.get(lang) ?? 0) + count)
  }
  const [participants] =
    isAllTime(selection) && box === null
      ? await participantsIn(snapshot, domain === null ? anyDomain : (snapshot.taxonomy.current(domain)?.id ?? domain))
      : [null]
  return {
    version: snapshot.version,
    at: snapshot.at,
    expressions: {
      total: sums.total.count,
      today: since(snapshot.today),
      last7d: since(weekAgo),
      byLang: [...byLang].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)),
    },
    votes: sums.votes.figures,
    sentiment: {
      ...withScore(sums.total),
      history: days.filter(([, { count }]) => count > 0).map(([day, tally]) => ({ day, expressions: tally.count, ...withScore(tally) })),
    },
    participants,
    domains: { total: snapshot.taxonomy.roots.length, active: sums.total.domains.filter((count) => count > 0).length },
  }
}

export const withScore = ({ positive, neutral, negative }: SentimentCounts): Sentiments => ({
  positive,
  neutral,
  negative,
  score: scoreOf({ positive, neutral, negative }),
})

/** Returns the latest days of the selection, limited to the length of the history. */
export function historyOf(
  { today }: Pick<Snapshot, 'today'>,
  { from, to, box }: Pick<Selection, 'from' | 'to' | 'box'>,
): readonly [number, number] {
  const last = to ?? 99_991_231
  const earliest = dayAfter(Math.min(last, today), 1 - (box === null ? maxDays : maxDaysOfArea))
  return [Math.max(from ?? 0, earliest), last]
}

const all: CellRange = { zoom: everything, left: 0, right: 0, top: 0, bottom: 0 }

class SelectionSums {
  readonly total: Tally
  /** counts by key, including keys that are not selected */
  readonly counts = new Map<number, number>()
  readonly days = new Map<number, Tally>()
  readonly votes = new VoteTally()
  readonly #tallying: CountTally

  constructor(tallying: CountTally) {
    this.#tallying = tallying
    this.total = tallying.fresh()
  }

  addCell([, , , bucket, times, counts, verified, , , unverified]: CellRow): void {
    if (times === 0) {
      this.#tallying.add(this.#day(bucket), counts, 1)
      return
    }
    unpackCounts(counts, (key, count) => this.#addToAll(key, times * count))
    this.votes.addCell({ verified, unverified }, times, (key) => this.#tallying.wants(key))
  }

  /** @param from - first day of the history */
  addEdge([key, day, count, ...votes]: EdgeCounts, from: number): void {
    this.#addToAll(key, Number(count))
    if (day >= from) this.#tallying.addOne(this.#day(day), key, Number(count))
    if (this.#tallying.wants(key)) this.votes.addRow(votes)
  }

  #day(bucket: number): Tally {
    let day = this.days.get(bucket)
    if (day === undefined) {
      day = this.#tallying.fresh()
      this.days.set(bucket, day)
    }
    return day
  }

  #addToAll(key: number, count: number): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + count)
    this.#tallying.addOne(this.total, key, count)
  }
}

async function participantsIn(snapshot: Snapshot, domain: string): Promise<readonly [number]> {
  const [row] = await snapshot.rows<[string]>('select count from participant_count where domain = $1', [domain])
  return [Number(row?.[0] ?? 0)]
}
