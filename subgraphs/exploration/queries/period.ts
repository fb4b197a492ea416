import { allTime, monthOf } from '../roll-ups/cell-changes.ts'

/** Days from `from` to `to`, both included, as 20261121; null for an open end. */
export interface Period {
  readonly from: number | null
  readonly to: number | null
}

export const isAllTime = ({ from, to }: Period): boolean => from === null && to === null

/** Ranges of time that make up a period: buckets to add and, where that is shorter, to subtract. */
export interface PeriodBuckets {
  readonly plus: readonly BucketRange[]
  readonly minus: readonly BucketRange[]
}

/** Buckets of one kind, both ends included: 202601 to 202612, or 20261101 to 20261130. */
export interface BucketRange {
  readonly from: number
  readonly to: number
}

const firstMonth = 101
const lastMonth = 999_912
const middle = 16

/** Splits a period into whole months and days at its ends; a partial month is its days, or the month minus the other days. */
export function bucketsOfPeriod({ from, to }: Period): PeriodBuckets {
  if (from === null && to === null) return { plus: [{ from: allTime, to: allTime }], minus: [] }
  const plus: BucketRange[] = []
  const minus: BucketRange[] = []
  const [start, end] = [from === null ? firstMonth : monthOf(from), to === null ? lastMonth : monthOf(to)]
  if (from !== null && to !== null && start === end) return { plus: [{ from, to }], minus }
  let [first, last] = [start, end]
  if (from !== null && from % 100 > middle) {
    plus.push({ from, to: start * 100 + 31 })
    first = start + 1
  } else if (from !== null && from % 100 > 1) minus.push({ from: start * 100 + 1, to: from - 1 })
  if (to !== null && to % 100 < middle) {
    plus.push({ from: end * 100 + 1, to })
    last = end - 1
  } else if (to !== null && to % 100 < 31) minus.push({ from: to + 1, to: end * 100 + 31 })
  if (first <= last) plus.push({ from: first, to: last })
  return { plus, minus }
}

const minuteMs = 60_000
/** since then all offsets from UTC are whole minutes, so that a day begins at a whole minute */
const wholeMinutesSince = Date.UTC(1973, 0)
/** day of the most recently requested minute, which is mostly the present */
const lastDays = new Map<string, { readonly minute: number; readonly day: number }>()

/** Returns the day of a time in a time zone, as 20261121. */
export function dayIn(timezone: string, at: number): number {
  const minute = Math.floor(at / minuteMs)
  const last = lastDays.get(timezone)
  if (last?.minute === minute && at >= wholeMinutesSince) return last.day
  const day = reckonedDay(timezone, at)
  lastDays.set(timezone, { minute, day })
  return day
}

function reckonedDay(timezone: string, at: number): number {
  const parts = formatOf(timezone).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return of('year') * 10_000 + of('month') * 100 + of('day')
}

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, calendar: 'gregory', year: 'numeric', month: 'numeric', day: 'numeric' })
    formats.set(timeZone, format)
  }
  return format
}

/** Returns the day a number of days later; negative for earlier. */
export function dayAfter(day: number, days: number): number {
  return numberOfDay(new Date(Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, (day % 100) + days)))
}

const numberOfDay = (at: Date): number => at.getUTCFullYear() * 10_000 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate()

/** Formats 20261121 as "2026-11-21". */
export const dayText = (day: number): string =>
  String(day)
    .padStart(8, '0')
    .replace(/(....)(..)(..)/, '$1-$2-$3')

/** Parses "2026-11-21" to 20261121; undefined for an invalid date. */
export function dayOfText(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : numberOfDay(at)
}
