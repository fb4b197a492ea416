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

const hourMs = 3_600_000

/** Returns `dayIn` for many times: an hour that begins and ends on the same day is read once. */
export function dayReader(timezone: string): (at: number) => number {
  const hours = new Map<number, number | undefined>()
  return (at) => {
    const hour = Math.floor(at / hourMs)
    if (!hours.has(hour)) {
      const [first, last] = [dayIn(timezone, hour * hourMs), dayIn(timezone, (hour + 1) * hourMs - 1)]
      hours.set(hour, first === last ? first : undefined)
    }
    return hours.get(hour) ?? dayIn(timezone, at)
  }
}

/** Returns the first moment of a day in a time zone, ms since 1970. @param day - such as 20261121 */
export function startOfDay(timezone: string, day: number): number {
  const midnight = utcMidnight(day)
  // offsets from UTC are less than a day
  let [before, from] = [midnight - 24 * hourMs, midnight + 24 * hourMs]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (dayIn(timezone, middle) < day) before = middle
    else from = middle
  }
  return from
}

/** Returns the day a number of days later; negative for earlier. */
export function dayAfter(day: number, days: number): number {
  return numberOfDay(new Date(utcMidnight(day) + 24 * hourMs * days))
}

const numberOfDay = (at: Date): number => at.getUTCFullYear() * 10_000 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate()

// unlike Date.UTC, also for the years 0 to 99
const utcMidnight = (day: number): number =>
  new Date(0).setUTCFullYear(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100)

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
