import { isClassMisread } from '../../../engines/document-reader/mrz/look-alikes.ts'
import { sameDate, type WrittenDate } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import type { MrzCheckName } from '../document/machine-readable-zone.ts'
import { best, comparableName, editDistance, matchName, type NameRule } from '../document/name-matching.ts'
import { isArabic } from '../document/transliteration.ts'
import { closestName, holdsNumber, type VisualField, type VisualZone } from '../document/visual-zone.ts'
import { type Check, combined, type NamedCheck, named } from './check.ts'
import type { Evidence } from './evidence.ts'
import { type Finding, type Reason, rejecting, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

interface Part {
  readonly check: NamedCheck
  readonly finding?: Finding
}

/** Compares the machine-readable zone with the visual zone, and front with back. */
export function checkConsistency(evidence: Evidence, facts: DocumentFacts, thresholds: Thresholds): { check: Check; findings: Finding[] } {
  const parts = [
    nameAgainst(facts, 'surname', thresholds),
    nameAgainst(facts, 'givenNames', thresholds),
    dateAgainst(facts, 'birth', thresholds),
    dateAgainst(facts, 'expiry', thresholds),
    numberAgainst(facts, thresholds),
    frontAgainstBack(evidence, facts, thresholds),
    mrzAgainstMrz(facts, thresholds),
  ].filter((part) => part !== undefined)
  return {
    check: parts.length === 0 ? { result: 'unidentified' } : combined(parts.map(({ check }) => check)),
    findings: parts.flatMap(({ finding }) => finding ?? []),
  }
}

function nameAgainst({ mrz, visual }: DocumentFacts, field: 'surname' | 'givenNames', thresholds: Thresholds): Part | undefined {
  const name = field === 'surname' ? 'last_name' : 'first_name'
  const read = mrz?.content[field]
  if (mrz === undefined || read === undefined || read === '' || visual.lines.length === 0) return undefined
  const part = field === 'surname' ? 'surname' : 'given'
  const label = visual[field]
  const cut = mrz.content.cut[field]
  // the printed name is complete; the machine-readable one may be truncated
  const match = best([
    label === undefined ? { similarity: 0, how: 'different' } : matchName(label.value, read, { part, cut }),
    closestName(visual, read, { part: 'surname' }),
  ])
  if (match.similarity >= thresholds.nameOther) {
    return { check: named(name, match.similarity >= thresholds.nameSame ? 'clear' : 'unidentified', { similarity: match.similarity }) }
  }
  if (label === undefined || label.confidence < thresholds.textSure || isArabic(label.value)) return { check: named(name, 'unidentified') }
  return { check: named(name, 'consider', { similarity: match.similarity }), finding: review('name_mismatch') }
}

function dateAgainst({ mrz, visual }: DocumentFacts, field: 'birth' | 'expiry', thresholds: Thresholds): Part | undefined {
  const name = field === 'birth' ? 'date_of_birth' : 'date_of_expiry'
  const read = mrz?.content[field]
  if (mrz === undefined || read === undefined || mrz.failed.includes(name)) return undefined
  const label: VisualField<WrittenDate> | undefined = visual[field]
  const holds = (written: WrittenDate): boolean => written.readings.some((date) => sameDate(date, read))
  if (label === undefined) return visual.dates.some(holds) ? { check: named(name, 'clear') } : undefined
  if (holds(label.value)) return { check: named(name, 'clear') }
  if (label.confidence < thresholds.textSure) return { check: named(name, 'unidentified') }
  const reason: Reason = field === 'birth' ? 'dob_mismatch' : 'data_inconsistent'
  // the check digit confirms the machine-readable zone, so the printed date was altered, unless the same date is printed elsewhere
  return { check: named(name, 'consider'), finding: visual.dates.some(holds) ? review(reason) : rejecting(reason) }
}

function numberAgainst({ mrz, visual }: DocumentFacts, thresholds: Thresholds): Part | undefined {
  const number = mrz?.content.number ?? ''
  if (mrz === undefined || number === '' || mrz.failed.includes('document_number')) return undefined
  if (holdsNumber(visual.lines, number)) return { check: named('document_number', 'clear') }
  const label = visual.number
  if (label === undefined || label.confidence < thresholds.textSure) return undefined
  const distance = editDistance(number, withSlips(label.value, number))
  if (distance === 0) return { check: named('document_number', 'clear') }
  // a number of another kind differs entirely; one or two digits mean the same number, altered
  if (distance > 2) return undefined
  return { check: named('document_number', 'consider'), finding: review('data_inconsistent') }
}

/** Corrects a printed number where a confusion of the reader explains the difference and the zone's check digit confirms its character. */
const withSlips = (printed: string, number: string): string =>
  [...printed].map((read, at) => (isVouchedSlip(read, number.charAt(at)) ? number.charAt(at) : read)).join('')

/** Characters whose values differ by ten, such as 6 and G, have equal check digits. */
const isVouchedSlip = (a: string, b: string): boolean =>
  isClassMisread(a, b) && (Number.parseInt(a, 36) - Number.parseInt(b, 36)) % 10 !== 0

/**
 * Checks that a back with a holder (machine-readable zone or declared name) belongs to the front: both must share a name, the date of birth
 * or the number. A date of expiry is shared by many documents.
 */
function frontAgainstBack({ declared }: Evidence, { mrz, front, back }: DocumentFacts, thresholds: Thresholds): Part | undefined {
  if (mrz?.side === 'front' || front.lines.length === 0) return undefined
  const names =
    mrz === undefined ? [declared.lastName, declared.firstName].map(comparableName) : [mrz.content.surname, mrz.content.givenNames]
  const birth = mrz?.content.birth
  const shows = (side: VisualZone): boolean =>
    names.some((name) => closestName(side, name, { part: 'surname' }).similarity >= thresholds.nameSame) ||
    (birth !== undefined && side.dates.some(({ readings }) => readings.some((date) => sameDate(date, birth)))) ||
    holdsNumber(side.lines, mrz?.content.number ?? '')
  if (mrz === undefined && !shows(back)) return undefined
  if (shows(front)) return { check: named('front_against_back', 'clear') }
  const reason: Reason = front.confidence < thresholds.textReadable ? 'ocr_unreadable' : 'data_inconsistent'
  return { check: named('front_against_back', 'consider'), finding: review(reason) }
}

/** Compares the machine-readable zones of both sides where check digits confirm them. */
function mrzAgainstMrz({ mrz, otherMrz }: DocumentFacts, { nameOther }: Thresholds): Part | undefined {
  if (mrz === undefined || otherMrz === undefined) return undefined
  const [a, b] = [mrz.content, otherMrz.content]
  const fails = (name: MrzCheckName): boolean => mrz.failed.includes(name) || otherMrz.failed.includes(name)
  const anotherDate = (name: 'date_of_birth' | 'date_of_expiry', field: 'birth' | 'expiry'): boolean =>
    !fails(name) && a[field] !== undefined && b[field] !== undefined && !sameDate(a[field], b[field])
  const anotherName = (field: 'surname' | 'givenNames', part: NameRule['part']): boolean => {
    if (a[field] === '' || b[field] === '') return false
    const match = best([
      matchName(a[field], b[field], { part, cut: b.cut[field] }),
      matchName(b[field], a[field], { part, cut: a.cut[field] }),
    ])
    return match.similarity < nameOther
  }
  const reason: Reason | undefined = anotherDate('date_of_birth', 'birth')
    ? 'dob_mismatch'
    : anotherName('surname', 'surname') || anotherName('givenNames', 'given')
      ? 'name_mismatch'
      : (!fails('document_number') && a.number !== b.number) || anotherDate('date_of_expiry', 'expiry')
        ? 'data_inconsistent'
        : undefined
  if (reason === undefined) return { check: named('zone_against_zone', 'clear') }
  return { check: named('zone_against_zone', 'consider'), finding: review(reason) }
}
