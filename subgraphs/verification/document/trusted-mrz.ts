import { repaired } from '../../../engines/document-reader/mrz/slips.ts'
import { type CalendarDate, sameDate, type WrittenDate } from './dates.ts'
import {
  fieldOf,
  type MachineReadableZone,
  type MrzCheckName,
  type MrzReading,
  type MrzRepair,
  numberSlips,
  parseMrz,
} from './machine-readable-zone.ts'
import { closestName, holdsNumber, type VisualZone } from './visual-zone.ts'

/** A machine-readable zone with the repairs that count. */
export interface TrustedMrz {
  readonly content: MachineReadableZone
  readonly repairs: readonly MrzRepair[]
  readonly readings: number
  readonly settled: boolean
  /** how many slips of the reader would explain what failed as read */
  readonly slips?: 1 | 2
  readonly confidence: number
  readonly side: 'front' | 'back'
  readonly failed: readonly MrzCheckName[]
}

/**
 * Takes the proposed repair where it counts: the reader may well have slipped there, it is the only look-alike with which every check digit
 * holds, and the visual zone says the same. Everywhere else a failing digit stays failed: a forged one must not be mended.
 */
export function trusted(reading: MrzReading, side: 'front' | 'back', visual: VisualZone, now: number): TrustedMrz {
  const { format, proposal } = reading
  const asRead = parseMrz(format, reading.lines, now)
  const proposed = proposal?.doubtful ? parseMrz(format, repaired(reading.lines, proposal), now) : undefined
  const counts = proposal !== undefined && proposed !== undefined && agrees(proposed, fieldOf(format, proposal), visual)
  const slips = asRead.checks.every(({ holds }) => holds) || counts ? [] : provenSlips(reading, visual, now)
  const content = counts ? proposed : slips.length > 0 ? parseMrz(format, slips.reduce(repaired, [...reading.lines]), now) : asRead
  return {
    content,
    repairs: counts ? [...reading.repairs, proposal] : [...reading.repairs, ...slips],
    readings: reading.readings,
    settled: reading.settled,
    ...(reading.slips === undefined ? {} : { slips: reading.slips }),
    confidence: reading.confidence,
    side,
    failed: content.checks.filter(({ holds }) => !holds).map(({ name }) => name),
  }
}

/**
 * Slips that nobody forges, told by the printed number; they count only when every check digit then holds, and when no other number that is printed would
 * explain them as well.
 */
function provenSlips(reading: MrzReading, visual: VisualZone, now: number): readonly MrzRepair[] {
  const repairs = new Map<string, readonly MrzRepair[]>()
  for (const slips of numberSlips(reading, visual.lines)) {
    const lines = slips.reduce(repaired, [...reading.lines])
    if (parseMrz(reading.format, lines, now).checks.every(({ holds }) => holds)) repairs.set(lines.join(), slips)
  }
  const [only, ...others] = repairs.values()
  return only === undefined || others.length > 0 ? [] : only
}

function agrees(mrz: MachineReadableZone, field: ReturnType<typeof fieldOf>, visual: VisualZone): boolean {
  const date = (day: CalendarDate | undefined): boolean => day !== undefined && holdsDate(visual.dates, day)
  switch (field) {
    case 'number':
    case 'document_number':
      return holdsNumber(visual.lines, mrz.number)
    case 'birth':
    case 'date_of_birth':
      return date(mrz.birth)
    case 'expiry':
    case 'date_of_expiry':
      return date(mrz.expiry)
    case 'surname':
      return closestName(visual, mrz.surname, { part: 'surname', cut: mrz.cut.surname }).similarity === 1
    case 'givenNames':
      return closestName(visual, mrz.givenNames, { part: 'surname', cut: mrz.cut.givenNames }).similarity === 1
    // its own digit covers everything that the others do
    case 'composite':
      return holdsNumber(visual.lines, mrz.number) && date(mrz.birth)
    default:
      return false
  }
}

/**
 * The machine-readable zone has two digits for the year: a birth lies a hundred years back where the print says so, or the declaration does and
 * the print not otherwise.
 */
export function centuryOf(mrz: MachineReadableZone, visual: VisualZone, declared: readonly WrittenDate[]): MachineReadableZone {
  const { birth } = mrz
  if (birth === undefined || holdsDate(visual.dates, birth)) return mrz
  const earlier = { ...birth, year: birth.year - 100 }
  return holdsDate([...visual.dates, ...declared], earlier) ? { ...mrz, birth: earlier } : mrz
}

const holdsDate = (dates: readonly WrittenDate[], day: CalendarDate): boolean =>
  dates.some(({ readings }) => readings.some((reading) => sameDate(reading, day)))
