import type { CalendarDate } from './dates.ts'

/** Data of the holder and the document in a barcode; missing data is absent. */
export interface BarcodeContent {
  readonly standard: 'aamva' | '2d_doc'
  readonly surname?: string
  readonly givenNames?: string
  readonly birth?: CalendarDate
  readonly expiry?: CalendarDate
  readonly number?: string
  /** signature over the whole content */
  readonly seal?: Seal
}

/** A signature in a barcode, not yet verified. */
export interface Seal {
  /** id of its certificate: authority and certificate, eight letters and digits */
  readonly certificate: string
  readonly signed: Buffer
  /** r and s, concatenated */
  readonly signature: Buffer
}

/** Removes undefined members. */
export function present<Fields extends object>(fields: Fields): Partial<{ [Name in keyof Fields]: NonNullable<Fields[Name]> }> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as Partial<{
    [Name in keyof Fields]: NonNullable<Fields[Name]>
  }>
}

/** Parses eight digits as a date; undefined for an invalid date. */
export function dateOfDigits(digits: string | undefined, order: 'DDMMYYYY' | 'MMDDYYYY' | 'YYYYMMDD'): CalendarDate | undefined {
  if (digits === undefined || !/^\d{8}$/.test(digits)) return undefined
  const part = (letter: 'D' | 'M' | 'Y'): number => Number([...digits].filter((_, at) => order.charAt(at) === letter).join(''))
  const date = { year: part('Y'), month: part('M'), day: part('D') }
  const real = new Date(Date.UTC(date.year, date.month - 1, date.day))
  return real.getUTCMonth() + 1 === date.month && real.getUTCDate() === date.day && date.year >= 1900 ? date : undefined
}

/** maximum length of a name */
const maxName = 100

/** Returns the trimmed name; undefined for text that is not a name. */
export const nameOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= maxName && /\p{L}/u.test(text) ? text.trim() : undefined
