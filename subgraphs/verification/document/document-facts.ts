import type { DocumentText, ZoneReading, ZoneRepair } from '../../engines/document-reader/document-reader.ts'
import { slice, type ZoneCheckName, type ZoneField, zoneFormat } from '../../engines/document-reader/mrz/formats.ts'
import { isClassSlip } from '../../engines/document-reader/mrz/repair.ts'
import type { Evidence } from '../assessment/evidence.ts'
import { countryCode } from './countries.ts'
import { type CalendarDate, dayOf, findDates, sameDate, type WrittenDate } from './dates.ts'
import { type MachineReadableZone, parseZone } from './machine-readable-zone.ts'
import { closestName, holdsNumber, type PrintedZone, readPrintedZone } from './visual-zone.ts'

/** A machine readable zone with the repairs that count. */
export interface TrustedZone {
  readonly content: MachineReadableZone
  readonly repairs: readonly ZoneRepair[]
  readonly readings: number
  readonly settled: boolean
  readonly confidence: number
  readonly side: 'front' | 'back'
  readonly failed: readonly ZoneCheckName[]
}

/** What both sides of the document say. */
export interface DocumentFacts {
  /** both sides together, the front first */
  readonly printed: PrintedZone
  /** each side alone */
  readonly front: PrintedZone
  readonly back: PrintedZone
  readonly zone: TrustedZone | undefined
  /** a zone on the other side too, as on some cards */
  readonly otherZone: TrustedZone | undefined
  /** some text was read */
  readonly readable: boolean
}

const nothing: PrintedZone = { dates: [], lines: [], confidence: 0 }

export function documentFacts({ declared, frontText, backText, countryCode: declaredCountry, now }: Evidence): DocumentFacts {
  const country = countryCode(declaredCountry)
  const born = findDates(declared.dateOfBirth ?? '', country, dayOf(now).year)
  const read = (text: DocumentText | undefined): PrintedZone => (text === undefined ? nothing : readPrintedZone(text, country, now))
  const [front, back] = [read(frontText), read(backText)]
  const printed = together(back, front)
  const zones = (['front', 'back'] as const).flatMap((side) => {
    const reading = (side === 'front' ? frontText : backText)?.zone
    if (reading === undefined) return []
    const trusted = trust(reading, side, printed, now)
    return [{ ...trusted, content: centuryOf(trusted.content, printed, born) }]
  })
  const [zone, otherZone] = zones.sort((a, b) => share(b) - share(a) || b.confidence - a.confidence)
  return { printed, front, back, zone, otherZone, readable: zone !== undefined || printed.lines.some((line) => line.length > 3) }
}

const share = ({ content, failed }: TrustedZone): number => 1 - failed.length / content.checks.length

/** The first side's fields win. */
function together(back: PrintedZone, front: PrintedZone): PrintedZone {
  const length = (zone: PrintedZone): number => zone.lines.join('').length
  const all = length(front) + length(back)
  return {
    ...back,
    ...front,
    dates: [...front.dates, ...back.dates],
    lines: [...front.lines, ...back.lines],
    confidence: all === 0 ? 0 : (front.confidence * length(front) + back.confidence * length(back)) / all,
  }
}

/** A zone has two digits for the year: a birth lies a hundred years back where the print says so, or the declaration and the print not otherwise. */
function centuryOf(zone: MachineReadableZone, printed: PrintedZone, declared: readonly WrittenDate[]): MachineReadableZone {
  const { birth } = zone
  if (birth === undefined || holdsDate(printed.dates, birth)) return zone
  const earlier = { ...birth, year: birth.year - 100 }
  return holdsDate([...printed.dates, ...declared], earlier) ? { ...zone, birth: earlier } : zone
}

const holdsDate = (dates: readonly WrittenDate[], day: CalendarDate): boolean =>
  dates.some(({ readings }) => readings.some((reading) => sameDate(reading, day)))

/**
 * Takes the proposed repair where it counts: the reader may well have slipped there, it is the only look-alike with which every check digit
 * holds, and the printed zone says the same. Everywhere else a failing digit stays failed: a forged one must not be mended.
 */
function trust(reading: ZoneReading, side: 'front' | 'back', printed: PrintedZone, now: number): TrustedZone {
  const { format, proposal } = reading
  const asRead = parseZone(format, reading.lines, now)
  const mended = proposal?.doubtful ? parseZone(format, replaced(reading.lines, proposal), now) : undefined
  const counts = proposal !== undefined && mended !== undefined && agrees(mended, fieldOf(reading, proposal), printed)
  const slips = asRead.checks.every(({ holds }) => holds) || counts ? [] : numberSlips(reading, printed, now)
  const content = counts ? mended : slips.length > 0 ? parseZone(format, slips.reduce(replaced, [...reading.lines]), now) : asRead
  return {
    content,
    repairs: counts ? [...reading.repairs, proposal] : [...reading.repairs, ...slips],
    readings: reading.readings,
    settled: reading.settled,
    confidence: reading.confidence,
    side,
    failed: content.checks.filter(({ holds }) => !holds).map(({ name }) => name),
  }
}

/**
 * Letters that were read as digits in the number, or digits as letters, told by the printed number: each a slip that nobody forges, and
 * counting only when every check digit then holds.
 */
function numberSlips({ format, lines }: ZoneReading, printed: PrintedZone, now: number): ZoneRepair[] {
  const place = zoneFormat(format).fields.number
  const number = place === undefined ? '' : slice(lines, place).replace(/<+$/, '')
  if (place === undefined || number.length < 5) return []
  for (const text of printed.lines.map((line) => line.replace(/ /g, ''))) {
    for (let from = 0; from + number.length <= text.length; from++) {
      const found = text.slice(from, from + number.length)
      const slips = [...number].flatMap((read, at): ZoneRepair[] =>
        read === found.charAt(at)
          ? []
          : [{ line: place.line, column: place.from + at, from: read, to: found.charAt(at), because: 'printed_zone' }],
      )
      if (slips.length === 0 || !slips.every((slip) => isClassSlip(slip.from, slip.to))) continue
      if (parseZone(format, slips.reduce(replaced, [...lines]), now).checks.every(({ holds }) => holds)) return slips
    }
  }
  return []
}

const replaced = (lines: readonly string[], { line, column, to }: ZoneRepair): string[] =>
  lines.map((text, at) => (at === line ? text.slice(0, column) + to + text.slice(column + 1) : text))

/** The field whose meaning a repair changes: the one it lies in, or the one whose check digit it is. */
function fieldOf({ format }: ZoneReading, { line, column }: ZoneRepair): ZoneField | ZoneCheckName | undefined {
  const layout = zoneFormat(format)
  const holds = (span: { line: number; from: number; to: number }): boolean => span.line === line && column >= span.from && column < span.to
  // Object.entries forgets the keys' type
  const field = Object.entries(layout.fields).find(([, span]) => holds(span))?.[0] as ZoneField | undefined
  return field ?? layout.checks.find(({ digit }) => holds(digit))?.name
}

function agrees(zone: MachineReadableZone, field: ZoneField | ZoneCheckName | undefined, printed: PrintedZone): boolean {
  const date = (day: CalendarDate | undefined): boolean => day !== undefined && holdsDate(printed.dates, day)
  switch (field) {
    case 'number':
    case 'document_number':
      return holdsNumber(printed.lines, zone.number)
    case 'birth':
    case 'date_of_birth':
      return date(zone.birth)
    case 'expiry':
    case 'date_of_expiry':
      return date(zone.expiry)
    case 'surname':
      return closestName(printed.lines, zone.surname, { part: 'surname', cut: zone.cut.surname }).similarity === 1
    case 'givenNames':
      return closestName(printed.lines, zone.givenNames, { part: 'surname', cut: zone.cut.givenNames }).similarity === 1
    // its own digit covers everything that the others do
    case 'composite':
      return holdsNumber(printed.lines, zone.number) && date(zone.birth)
    default:
      return false
  }
}
