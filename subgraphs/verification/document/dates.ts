import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { normalForm } from '../../../foundation/text/normal-form.ts'

/** A calendar date; month and day are 0 when unknown (ICAO Doc 9303 part 3, 4.8). */
export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const monthKeys = [
  'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december',
] as const // biome-ignore format: a year

const { months, monthFirst: monthFirstCountries } = readData(
  'subgraphs/verification/document/data/dates.json',
  z.strictObject({
    /** in the form of `plain`, including abbreviations */
    months: z.record(
      z.enum(monthKeys),
      z.array(z.string().regex(/^[a-z\u0621-\u064a]+( [\u0621-\u064a]+)*$/, 'must be lower-case letters without accents')),
    ),
    monthFirst: z.array(z.string().regex(/^[A-Z]{3}$/, 'must be an alpha-3 code')),
  }),
)
const monthOf = new Map(monthKeys.flatMap((month, at) => months[month].map((name) => [name, at + 1] as const)))
const monthWord = [...monthOf.keys()].sort((a, b) => b.length - a.length).join('|')

/** Countries that write the month first. */
const monthFirst = new Set(monthFirstCountries)

const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

function dateOf(year: number, month: number, day: number): CalendarDate | undefined {
  if (year < 1850 || year > 2200 || month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return undefined
  return { year, month, day }
}

/** Normalises text: Western digits, lower case without accents, single spaces, bare Arabic letters. */
function plain(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0640]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Patterns of dates. A single digit directly after a letter is no day, since that letter is probably a misread digit; likewise a two-digit year before a letter.
 */
const patterns = {
  yearFirst: /(?<!\d)(\d{4})\s?[-/. ]\s?(\d{1,2})\s?[-/. ]\s?(\d{1,2})(?!\d)/g,
  numeric: /(?<!\d)(?<![a-z](?=\d\D))(\d{1,2})\s?[-/., ]\s?(\d{1,2})\s?[-/., ]\s?(\d{4}|\d{2}(?![a-z]))(?!\d)/g,
  dayWord: new RegExp(
    `(?<!\\d)(?<![a-z](?=\\d\\D))(\\d{1,2})(?:er|st|nd|rd|th|º|°)?[\\s./-]*(?:de |d')?\\s?(${monthWord})(?:\\s?/\\s?[a-z]{3,5})?[.,]?[\\s./-]*(?:de |del )?(\\d{4}|\\d{2}(?![a-z]))(?!\\d)`,
    'g',
  ),
  wordDay: new RegExp(`(?<![a-z])(${monthWord})[.,]?\\s(\\d{1,2})(?:st|nd|rd|th)?,?\\s(\\d{4})(?!\\d)`, 'g'),
  packed: /(?<!\d)(\d{8})(?!\d)/g,
}

const century = (digits: string, latest: number): number => {
  if (digits.length === 4) return Number(digits)
  const year = Math.floor(latest / 100) * 100 + Number(digits)
  return year > latest ? year - 100 : year
}

/** A date as written, with all readings; the country's usual one first. */
export interface WrittenDate {
  readonly readings: readonly CalendarDate[]
  /** position in the text */
  readonly at: number
}

/**
 * Finds dates in common forms: 1987-07-14, 14/07/1987, 14.07.87, 14 JUIL 1987, 14 juillet 1987, July 14, 1987, 14 JUL / JUL 87, 19870714,
 * Arabic digits and month names. Invalid dates are ignored.
 * @param country - alpha-3 of the writer; decides the first reading of 03/04/1990
 * @param latestYear - two-digit years are in the hundred years up to this one
 */
export function findDates(text: string, country: string | undefined, latestYear: number): WrittenDate[] {
  let rest = plain(text)
  const dates: WrittenDate[] = []
  const take = (pattern: RegExp, read: (groups: readonly string[]) => readonly (CalendarDate | undefined)[]): void => {
    rest = rest.replace(pattern, (match: string, ...args: readonly unknown[]) => {
      const groups = args.filter((arg): arg is string => typeof arg === 'string').slice(0, 3)
      const readings = read(groups).filter((date) => date !== undefined)
      if (readings.length === 0) return match
      dates.push({
        readings: readings.filter((date, at) => readings.findIndex((other) => sameDate(other, date)) === at),
        at: Number(args.at(-2)),
      })
      return '#'.repeat(match.length)
    })
  }
  take(patterns.yearFirst, ([y = '', m = '', d = '']) => [dateOf(Number(y), Number(m), Number(d))])
  take(patterns.dayWord, ([d = '', m = '', y = '']) => [dateOf(century(y, latestYear), monthOf.get(m) ?? 0, Number(d))])
  take(patterns.wordDay, ([m = '', d = '', y = '']) => [dateOf(Number(y), monthOf.get(m) ?? 0, Number(d))])
  take(patterns.numeric, ([a = '', b = '', y = '']) => {
    const year = century(y, latestYear)
    const dayFirst = dateOf(year, Number(b), Number(a))
    const other = dateOf(year, Number(a), Number(b))
    return country !== undefined && monthFirst.has(country) ? [other, dayFirst] : [dayFirst, other]
  })
  take(patterns.packed, ([digits = '']) => [
    dateOf(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), Number(digits.slice(6))),
    dateOf(Number(digits.slice(4)), Number(digits.slice(2, 4)), Number(digits.slice(0, 2))),
  ])
  return dates.sort((a, b) => a.at - b.at)
}

/**
 * Parses YYMMDD of a machine-readable zone. A birth is never in the future; an expiry is at most 50 years ahead.
 * @returns undefined for an invalid date; unknown month or day (`<<`, or 00) become 0
 */
export function mrzDate(text: string, kind: 'birth' | 'expiry', now: number): CalendarDate | undefined {
  const [, yy, mm, dd] = /^(\d\d)(\d\d|<<)(\d\d|<<)$/.exec(text) ?? []
  if (yy === undefined || mm === undefined || dd === undefined) return undefined
  const today = dayOf(now)
  const part = (digits: string): number => (digits === '<<' ? 0 : Number(digits))
  const month = part(mm)
  const day = part(dd)
  if (month > 12 || (month === 0 ? day > 31 : day > lastDay(2000, month))) return undefined
  const base = Math.floor(today.year / 100) * 100 + Number(yy)
  const year =
    kind === 'birth'
      ? compareDates({ year: base, month, day }, today) > 0
        ? base - 100
        : base
      : base > today.year + 50
        ? base - 100
        : base < today.year - 50
          ? base + 100
          : base
  return { year, month, day }
}

/** Returns the UTC date of a time. */
export const dayOf = (now: number): CalendarDate => {
  const at = new Date(now)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}

/** Returns a negative number when a is earlier. Unknown parts count as the last possible day. */
export function compareDates(a: CalendarDate, b: CalendarDate): number {
  const rank = ({ year, month, day }: CalendarDate): number => year * 10_000 + (month || 12) * 100 + (day || 31)
  return rank(a) - rank(b)
}

/** Returns whether two dates can be equal; unknown parts match anything. */
export function sameDate(a: CalendarDate, b: CalendarDate): boolean {
  const matches = (x: number, y: number): boolean => x === 0 || y === 0 || x === y
  return a.year === b.year && matches(a.month, b.month) && matches(a.day, b.day)
}

/** Formats as YYYY-MM-DD without unknown parts. */
export function isoDate({ year, month, day }: CalendarDate): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  return month === 0 ? String(year) : day === 0 ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`
}
