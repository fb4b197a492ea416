import { type CellRange, coverOf, zoomFor } from './area.ts'
import { everything } from './cell-changes.ts'
import { scoreOf, type ToneCounts } from './map-view.ts'
import { unpack, unpackCounts } from './packed-counts.ts'
import { anyDomain } from './participant-changes.ts'
import { dayAfter, isEver, stretchesOf } from './period.ts'
import { type CellRow, type EdgeFigures, readBuckets, readEdgeFigures } from './read-area.ts'
import type { Snapshot } from './roll-ups.ts'
import { matchingKeys, type Selection } from './selection.ts'
import { deepestRolled } from './world-grid.ts'

export interface Tones extends ToneCounts {
  readonly score: number | null
}

export interface DayTones extends Tones {
  /** 20261121 */
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
  readonly votes: { readonly total: number; readonly agree: number; readonly disagree: number; readonly pass: number }
  readonly sentiment: Tones & { readonly history: readonly DayTones[] }
  /** null where only days or an area are counted */
  readonly participants: number | null
  readonly domains: { readonly total: number; readonly active: number }
}

/** days of the history: two years, and where an area has to be added up from cells a quarter */
const mostDays = 731
const mostDaysOfArea = 92
const mostTilesOfArea = 16

/** The figures of a selection, whose `sentiment` and `lang` are not looked at. @throws {InvalidInput} for an unknown domain */
export async function statisticsOf(snapshot: Snapshot, selection: Selection): Promise<StatisticsAnswer> {
  const { box, domain } = selection
  const wanted = matchingKeys(snapshot, { ...selection, sentiment: null, lang: null })
  const { plus, minus } = stretchesOf(selection)
  const [from, to] = historyOf(snapshot, selection)
  const cover = box === null ? { cells: [all], edges: [] } : coverOf(box, zoomFor(box, deepestRolled, mostTilesOfArea))
  const rows = await readBuckets(snapshot, cover.cells, [
    ...plus.map((range) => ({ ...range, times: 1 })),
    ...minus.map((range) => ({ ...range, times: -1 })),
    // not added to the total: for today, the last days and the history
    { from, to, times: 0 },
  ])
  const sums = new Sums(snapshot, wanted)
  for (const row of rows) sums.addCell(row)
  for (const figures of await readEdgeFigures(snapshot, cover.edges, selection)) sums.addEdge(figures, from)
  const weekAgo = dayAfter(snapshot.today, -6)
  const days = [...sums.days].sort(([a], [b]) => a - b)
  const since = (day: number): number =>
    days.reduce((sum, [each, { count }]) => sum + (each >= day && each <= snapshot.today ? count : 0), 0)
  const { keys } = snapshot
  const byLang = new Map<string, number>()
  const active = new Set<string>()
  for (const [key, count] of sums.counts) {
    const { lang = 'und', domain: of = null } = keys[key] ?? {}
    if (count > 0) byLang.set(lang, (byLang.get(lang) ?? 0) + count)
    if (count > 0 && of !== null) active.add(of)
  }
  const [participants] = isEver(selection) && box === null ? await participantsIn(snapshot, domain ?? anyDomain) : [null]
  const { agree, disagree, pass } = sums
  return {
    version: snapshot.version,
    at: snapshot.at,
    expressions: {
      total: sums.total,
      today: since(snapshot.today),
      last7d: since(weekAgo),
      byLang: [...byLang].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)),
    },
    votes: { total: agree + disagree + pass, agree, disagree, pass },
    sentiment: {
      ...withScore(sums),
      history: days
        .filter(([, { count }]) => count > 0)
        .map(([day, { count, ...tones }]) => ({ day, expressions: count, ...withScore(tones) })),
    },
    participants,
    domains: { total: snapshot.taxonomy.roots.length, active: active.size },
  }
}

export const withScore = ({ positive, neutral, negative }: ToneCounts): Tones => ({
  positive,
  neutral,
  negative,
  score: scoreOf({ positive, neutral, negative }),
})

/** The latest days of the selection that are few enough. */
function historyOf({ today }: Snapshot, { from, to, box }: Selection): readonly [number, number] {
  const last = to ?? 99_991_231
  const least = dayAfter(Math.min(last, today), 1 - (box === null ? mostDays : mostDaysOfArea))
  return [Math.max(from ?? 0, least), last]
}

const all: CellRange = { zoom: everything, left: 0, right: 0, top: 0, bottom: 0 }

class Sums {
  readonly counts = new Map<number, number>()
  readonly days = new Map<number, { count: number; positive: number; neutral: number; negative: number }>()
  total = 0
  positive = 0
  neutral = 0
  negative = 0
  agree = 0
  disagree = 0
  pass = 0
  readonly #snapshot: Snapshot
  readonly #wanted: readonly boolean[]

  constructor(snapshot: Snapshot, wanted: readonly boolean[]) {
    this.#snapshot = snapshot
    this.#wanted = wanted
  }

  addCell([, , , bucket, times, counts, votes]: CellRow): void {
    if (times === 0) {
      unpackCounts(counts, (key, count) => this.#wanted[key] && this.#addToDay(bucket, key, count))
      return
    }
    unpackCounts(counts, (key, count) => this.#wanted[key] && this.#addToAll(key, times * count))
    unpack(votes ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => {
      if (this.#wanted[key]) this.#addVotes(times * agree, times * disagree, times * pass)
    })
  }

  /** @param from - the first day of the history */
  addEdge([key, day, count, agree, disagree, pass]: EdgeFigures, from: number): void {
    if (!this.#wanted[key]) return
    this.#addToAll(key, Number(count))
    if (day >= from) this.#addToDay(day, key, Number(count))
    this.#addVotes(Number(agree), Number(disagree), Number(pass))
  }

  #addToDay(day: number, key: number, count: number): void {
    let tones = this.days.get(day)
    if (tones === undefined) {
      tones = { count: 0, positive: 0, neutral: 0, negative: 0 }
      this.days.set(day, tones)
    }
    tones.count += count
    const tone = this.#snapshot.keys[key]?.sentiment
    if (tone != null) tones[tone] += count
  }

  #addToAll(key: number, count: number): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + count)
    this.total += count
    const tone = this.#snapshot.keys[key]?.sentiment
    if (tone != null) this[tone] += count
  }

  #addVotes(agree: number, disagree: number, pass: number): void {
    this.agree += agree
    this.disagree += disagree
    this.pass += pass
  }
}

async function participantsIn(snapshot: Snapshot, domain: string): Promise<readonly [number]> {
  const [row] = await snapshot.rows<[string]>('select count from participant_count where domain = $1', [domain])
  return [Number(row?.[0] ?? 0)]
}
