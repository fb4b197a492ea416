import { repaired } from '../../../engines/document-reader/mrz/misreads.ts'
import { type CalendarDate, sameDate, type WrittenDate } from './dates.ts'
import {
  fieldOf,
  type MachineReadableZone,
  type MrzCheckName,
  type MrzReading,
  type MrzRepair,
  numberMisreads,
  parseMrz,
} from './machine-readable-zone.ts'
import { closestName, holdsNumber, type VisualZone } from './visual-zone.ts'

/** A machine-readable zone with the accepted repairs. */
export interface TrustedMrz {
  readonly content: MachineReadableZone
  readonly repairs: readonly MrzRepair[]
  readonly readings: number
  readonly settled: boolean
  /** number of reading errors that would explain the failed check digits */
  readonly slips?: 1 | 2
  readonly confidence: number
  readonly side: 'front' | 'back'
  readonly failed: readonly MrzCheckName[]
}

/**
 * Applies a proposed repair if a confusion of the reader is likely, it is the only one with which every check digit holds, and the visual
 * zone agrees. Otherwise a failing digit stays failed, so that a forged one is not repaired.
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
 * Returns repairs that the printed number proves, which a forger would not cause; accepted only when every check digit then holds and no
 * other printed number explains them.
 */
function provenSlips(reading: MrzReading, visual: VisualZone, now: number): readonly MrzRepair[] {
  const repairs = new Map<string, readonly MrzRepair[]>()
  for (const slips of numberMisreads(reading, visual.lines)) {
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
    // the field's own check digit covers the same characters
    case 'composite':
      return holdsNumber(visual.lines, mrz.number) && date(mrz.birth)
    default:
      return false
  }
}

/**
 * Decides the century of the two-digit year: a birth is a hundred years earlier if the print says so, or if the declaration does and the
 * print does not contradict.
 */
export function centuryOf(mrz: MachineReadableZone, visual: VisualZone, declared: readonly WrittenDate[]): MachineReadableZone {
  const { birth } = mrz
  if (birth === undefined || holdsDate(visual.dates, birth)) return mrz
  const earlier = { ...birth, year: birth.year - 100 }
  return holdsDate([...visual.dates, ...declared], earlier) ? { ...mrz, birth: earlier } : mrz
}

const holdsDate = (dates: readonly WrittenDate[], day: CalendarDate): boolean =>
  dates.some(({ readings }) => readings.some((reading) => sameDate(reading, day)))
