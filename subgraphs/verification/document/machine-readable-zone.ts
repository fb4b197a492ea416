import {
  checkHolds,
  checksOf,
  slice,
  type ZoneCheckName,
  type ZoneField,
  type ZoneFormatName,
  zoneFormat,
} from '../../engines/document-reader/mrz/formats.ts'
import { type CalendarDate, zoneDate } from './dates.ts'

export interface ZoneCheck {
  readonly name: ZoneCheckName
  readonly holds: boolean
}

/** What a machine readable zone says. Names are in A-Z and spaces. */
export interface MachineReadableZone {
  readonly format: ZoneFormatName
  /** one or two letters: P passport, I, A or C card; the second is the issuer's */
  readonly code: string
  /** as printed, without fillers: an ISO or ICAO code */
  readonly issuer: string
  readonly nationality: string | undefined
  readonly surname: string
  readonly givenNames: string
  /** the name filled its field, so that it may have been cut (part 3, 4.6) */
  readonly cut: { readonly surname: boolean; readonly givenNames: boolean }
  readonly number: string
  readonly birth: CalendarDate | undefined
  readonly expiry: CalendarDate | undefined
  readonly sex: 'M' | 'F' | 'X' | undefined
  readonly checks: readonly ZoneCheck[]
}

const spaced = (text: string): string => text.replace(/<+/g, ' ').trim()

/**
 * Takes a zone apart.
 * @param lines - of exactly the length and number of the format   @param now - decides the century of two-digit years
 */
export function parseZone(format: ZoneFormatName, lines: readonly string[], now: number): MachineReadableZone {
  const layout = zoneFormat(format)
  const field = (name: ZoneField): string => {
    const where = layout.fields[name]
    return where === undefined ? '' : slice(lines, where)
  }
  const names = namesOf(field('names'), field('surname'), field('givenNames'))
  const sex = field('sex')
  return {
    format,
    code: spaced(field('code')),
    issuer: spaced(field('issuer')),
    // the French card is issued to nationals alone and has no such field
    nationality: layout.fields.nationality === undefined ? spaced(field('issuer')) : spaced(field('nationality')) || undefined,
    ...names,
    number: numberOf(layout.name, lines, field('number'), field('optional')),
    birth: zoneDate(field('birth'), 'birth', now),
    expiry: zoneDate(field('expiry'), 'expiry', now),
    sex: sex === 'M' || sex === 'F' ? sex : sex === '<' || sex === 'X' ? 'X' : undefined,
    checks: checksOf(layout, lines).map((rule) => ({ name: rule.name, holds: checkHolds(lines, rule) })),
  }
}

function namesOf(together: string, surname: string, givenNames: string): Pick<MachineReadableZone, 'surname' | 'givenNames' | 'cut'> {
  if (together === '') {
    // French card: two fields of their own, 25 and 14 characters
    return {
      surname: spaced(surname),
      givenNames: spaced(givenNames),
      cut: { surname: surname !== '' && !surname.endsWith('<'), givenNames: givenNames !== '' && !givenNames.endsWith('<') },
    }
  }
  const [primary = '', ...secondary] = together.replace(/<+$/, '').split('<<')
  const full = !together.endsWith('<')
  // part 4, 4.2.3: when names do not fit, each of their parts may have been shortened, down to an initial
  return { surname: spaced(primary), givenNames: spaced(secondary.join('<')), cut: { surname: full, givenNames: full } }
}

function numberOf(format: ZoneFormatName, lines: readonly string[], number: string, optional: string): string {
  const long = checksOf(zoneFormat(format), lines).find(({ name, over }) => name === 'document_number' && over.length > 1)
  const rest = long === undefined ? '' : /^([A-Z0-9]*)[0-9](?:<|$)/.exec(optional)?.[1]
  return `${number}${rest ?? ''}`.replace(/</g, '')
}
