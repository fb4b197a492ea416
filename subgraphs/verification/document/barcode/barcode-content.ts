import type { CalendarDate } from '../dates.ts'

/** What a barcode says of the holder and the document; what it does not say is absent. */
export interface BarcodeContent {
  readonly standard: 'aamva' | '2d_doc'
  readonly surname?: string
  readonly givenNames?: string
  readonly birth?: CalendarDate
  readonly expiry?: CalendarDate
  readonly number?: string
  /** a signature over all of it */
  readonly seal?: Seal
}

/** A signature inside a barcode, not yet verified. */
export interface Seal {
  /** of its certificate: authority and certificate, eight letters and digits */
  readonly certificate: string
  readonly signed: Buffer
  /** r and s, one behind the other */
  readonly signature: Buffer
}

/** What was found, without what was not. */
export function present<Fields extends object>(fields: Fields): Partial<{ [Name in keyof Fields]: NonNullable<Fields[Name]> }> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as Partial<{
    [Name in keyof Fields]: NonNullable<Fields[Name]>
  }>
}

/** Eight digits as a date; undefined for a day that there is not. */
export function dateOfDigits(digits: string | undefined, order: 'DDMMYYYY' | 'MMDDYYYY' | 'YYYYMMDD'): CalendarDate | undefined {
  if (digits === undefined || !/^\d{8}$/.test(digits)) return undefined
  const part = (letter: 'D' | 'M' | 'Y'): number => Number([...digits].filter((_, at) => order.charAt(at) === letter).join(''))
  const date = { year: part('Y'), month: part('M'), day: part('D') }
  const real = new Date(Date.UTC(date.year, date.month - 1, date.day))
  return real.getUTCMonth() + 1 === date.month && real.getUTCDate() === date.day && date.year >= 1900 ? date : undefined
}

/** Longer ones are no names. */
const maxName = 100

/** A name as it stands; undefined for what is none. */
export const nameOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= maxName && /\p{L}/u.test(text) ? text.trim() : undefined
