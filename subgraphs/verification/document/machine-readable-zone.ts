import { checkHolds, checksOf } from '../../../engines/document-reader/mrz/check-digits.ts'
import { type MrzCheckName, type MrzField, type MrzFormatName, mrzFormat, slice } from '../../../engines/document-reader/mrz/formats.ts'
import { isClassMisread } from '../../../engines/document-reader/mrz/look-alikes.ts'
import type { MrzReading, MrzRepair } from '../../../engines/document-reader/mrz/mrz-reading.ts'
import { type CalendarDate, mrzDate } from './dates.ts'

export type { MrzCheckName } from '../../../engines/document-reader/mrz/formats.ts'
export type { MrzReading, MrzRepair } from '../../../engines/document-reader/mrz/mrz-reading.ts'

export interface MrzCheck {
  readonly name: MrzCheckName
  readonly holds: boolean
}

/** Content of a machine-readable zone. Names are in A-Z and spaces. */
export interface MachineReadableZone {
  readonly format: MrzFormatName
  /** one or two letters: P passport, I, A or C card; the second is the issuer's */
  readonly code: string
  /** as printed, without fillers: an ISO or ICAO code */
  readonly issuer: string
  readonly nationality: string | undefined
  readonly surname: string
  readonly givenNames: string
  /** the name fills its field and may be truncated (part 3, 4.6) */
  readonly cut: { readonly surname: boolean; readonly givenNames: boolean }
  readonly number: string
  readonly birth: CalendarDate | undefined
  readonly expiry: CalendarDate | undefined
  readonly sex: 'M' | 'F' | 'X' | undefined
  readonly checks: readonly MrzCheck[]
}

const spaced = (text: string): string => text.replace(/<+/g, ' ').trim()

/**
 * Parses a machine-readable zone.
 * @param lines - with exactly the length and number of the format  @param now - decides the century of two-digit years
 */
export function parseMrz(format: MrzFormatName, lines: readonly string[], now: number): MachineReadableZone {
  const layout = mrzFormat(format)
  const field = (name: MrzField): string => {
    const where = layout.fields[name]
    return where === undefined ? '' : slice(lines, where)
  }
  const names = namesOf(field('names'), field('surname'), field('givenNames'))
  const sex = field('sex')
  return {
    format,
    code: spaced(field('code')),
    issuer: spaced(field('issuer')),
    // the French card is issued to nationals only and has no such field
    nationality: layout.fields.nationality === undefined ? spaced(field('issuer')) : spaced(field('nationality')) || undefined,
    ...names,
    number: numberOf(layout.name, lines, field('number'), field('optional')),
    birth: mrzDate(field('birth'), 'birth', now),
    expiry: mrzDate(field('expiry'), 'expiry', now),
    sex: sex === 'M' || sex === 'F' ? sex : sex === '<' || sex === 'X' ? 'X' : undefined,
    checks: checksOf(layout, lines).map((rule) => ({ name: rule.name, holds: checkHolds(lines, rule) })),
  }
}

function namesOf(together: string, surname: string, givenNames: string): Pick<MachineReadableZone, 'surname' | 'givenNames' | 'cut'> {
  if (together === '') {
    // French card: two fields of 25 and 14 characters
    return {
      surname: spaced(surname),
      givenNames: spaced(givenNames),
      cut: { surname: surname !== '' && !surname.endsWith('<'), givenNames: givenNames !== '' && !givenNames.endsWith('<') },
    }
  }
  const [primary = '', ...secondary] = together.replace(/(?<!<)<+$/, '').split('<<')
  const full = !together.endsWith('<')
  // part 4, 4.2.3: when names do not fit, each part may be shortened, down to an initial
  return { surname: spaced(primary), givenNames: spaced(secondary.join('<')), cut: { surname: full, givenNames: full } }
}

function numberOf(format: MrzFormatName, lines: readonly string[], number: string, optional: string): string {
  const long = checksOf(mrzFormat(format), lines).find(({ name, over }) => name === 'document_number' && over.length > 1)
  const rest = long === undefined ? '' : /^([A-Z0-9]*)[0-9](?:<|$)/.exec(optional)?.[1]
  return `${number}${rest ?? ''}`.replace(/</g, '')
}

/** Returns the field that a repair changes: the one that contains it, or the one that its check digit covers. */
export function fieldOf(format: MrzFormatName, { line, column }: MrzRepair): MrzField | MrzCheckName | undefined {
  const layout = mrzFormat(format)
  const holds = (span: { line: number; from: number; to: number }): boolean => span.line === line && column >= span.from && column < span.to
  // Object.entries drops the type of the keys
  const field = Object.entries(layout.fields).find(([, span]) => holds(span))?.[0] as MrzField | undefined
  return field ?? layout.checks.find(({ digit }) => holds(digit))?.name
}

/** a number with more differences is another number */
const maxSlips = 2

/**
 * Returns the repairs that would make the number equal to a printed one, each between a letter and a similar digit.
 * @param lines - of the visual zone, A-Z and 0-9  @returns one or two repairs per explanation; numbers of fewer than five characters are
 * ignored
 */
export function numberMisreads({ format, lines }: MrzReading, printed: readonly string[]): readonly (readonly MrzRepair[])[] {
  const place = mrzFormat(format).fields.number
  const number = place === undefined ? '' : slice(lines, place).replace(/(?<!<)<+$/, '')
  if (place === undefined || number.length < 5) return []
  return printed
    .map((line) => line.replace(/ /g, ''))
    .flatMap((text) =>
      Array.from({ length: Math.max(0, text.length - number.length + 1) }, (_, from) => text.slice(from, from + number.length)),
    )
    .map((printed) =>
      [...number].flatMap((read, at): MrzRepair[] =>
        read === printed.charAt(at)
          ? []
          : [{ line: place.line, column: place.from + at, from: read, to: printed.charAt(at), because: 'printed_zone' }],
      ),
    )
    .filter((slips) => slips.length > 0 && slips.length <= maxSlips && slips.every(({ from, to }) => isClassMisread(from, to)))
}
