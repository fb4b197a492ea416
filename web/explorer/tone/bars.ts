import { classifiedCount, sentiments } from '../sentiment/sentiments.ts'

export interface ToneDay {
  /** 2026-11-21 */
  readonly day: string
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

/** One day, or several days together. */
export interface ToneBar {
  readonly from: string
  readonly days: number
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

const dayMs = 86_400_000
const maxBars = 45
const maxDays = 2 * 366

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * Returns a bar for every day of the range, empty days included, or for every seven days of a long range.
 * @param days - in order
 */
export function barsOf(days: readonly ToneDay[]): readonly ToneBar[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const byDay = new Map(days.map((each) => [each.day, each]))
  const end = new Date(last.day).getTime()
  const begin = Math.max(new Date(first.day).getTime(), end - maxDays * dayMs)
  const step = Math.round((end - begin) / dayMs) + 1 > maxBars ? 7 : 1
  const bars: ToneBar[] = []
  // counted back from the last day, so that the newest bar covers a full period
  for (let until = end; until >= begin; until -= step * dayMs) {
    const sums = { positive: 0, neutral: 0, negative: 0 }
    for (let back = 0; back < step; back++) {
      const day = byDay.get(dayOf(until - back * dayMs))
      for (const sentiment of sentiments) sums[sentiment] += day?.[sentiment] ?? 0
    }
    bars.unshift({ from: dayOf(until - (step - 1) * dayMs), days: step, ...sums })
  }
  return bars
}

export const lastDayOf = ({ from, days }: ToneBar): string => dayOf(new Date(from).getTime() + (days - 1) * dayMs)

/** Returns the grid lines of a chart: three to six, in steps of 1, 2 or 5 times a power of ten. */
export function linesOf(bars: readonly ToneBar[]): readonly number[] {
  const highest = Math.max(1, ...bars.map(classifiedCount))
  const power = 10 ** Math.floor(Math.log10(highest / 3 || 1))
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => highest / each <= 5) ?? power)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
