import type { CalendarDate } from '../document/dates.ts'
import { contentOf, firstTag, Unreadable } from './pki/asn1.ts'

/** Details of the holder in EF.DG11, if present: complete, not truncated to the length of a machine-readable zone. */
export interface PersonalDetails {
  /** in national characters */
  readonly name: { readonly surname: string; readonly givenNames: string } | undefined
  readonly birth: CalendarDate | undefined
}

const dataGroup11 = 0x6b
const nameOfHolder = 0x5f0e
const fullDateOfBirth = 0x5f2b

/** Reads EF.DG11 (ICAO Doc 9303-10, 4.7.11). @throws {Unreadable} */
export function readPersonalDetails(file: Uint8Array): PersonalDetails {
  const content = contentOf(firstTag(file).bytes, dataGroup11)
  return { name: nameIn(member(content, nameOfHolder)), birth: dateIn(member(content, fullDateOfBirth)) }
}

/** Every member is optional. */
function member(content: Uint8Array, tag: number): Uint8Array | undefined {
  for (let rest = content; rest.length > 0; ) {
    const element = firstTag(rest)
    if (element.tag === tag) return element.content
    rest = rest.subarray(element.bytes.length)
  }
  return undefined
}

/** Primary identifier, two fillers, secondary identifiers separated by fillers. */
function nameIn(bytes: Uint8Array | undefined): PersonalDetails['name'] {
  if (bytes === undefined) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable('a name is not text')
  }
  const [surname = '', givenNames = ''] = text.split('<<').map((part) => part.replaceAll('<', ' ').trim())
  return surname === '' ? undefined : { surname, givenNames }
}

/** CCYYMMDD as eight digits or four BCD bytes; undefined for a partly unknown date. */
function dateIn(bytes: Uint8Array | undefined): CalendarDate | undefined {
  if (bytes === undefined) return undefined
  const text = bytes.length === 4 ? Buffer.from(bytes).toString('hex') : Buffer.from(bytes).toString('latin1')
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  const isReal = new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDate() === date.day && date.month >= 1 && date.month <= 12
  return isReal ? date : undefined
}
