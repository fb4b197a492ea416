import { countryCode } from '../document/countries.ts'
import { type CalendarDate, findDates, isoDate, sameDate } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import { type Check, checkOf } from './check.ts'
import { compareKind, isOfCountry } from './document-kind.ts'
import type { Evidence } from './evidence.ts'
import { compareNames } from './name-comparison.ts'
import { type Finding, rejecting, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

export interface DataComparison {
  firstName: Check
  lastName: Check
  dateOfBirth: Check
  gender: Check
  nationality: Check
  documentType: Check
  issuingCountry: Check
}

/** A group of checks, its findings and the values for the scores. */
export interface ComparedData {
  readonly checks: DataComparison
  readonly findings: readonly Finding[]
  /** 0 to 1; undefined when no name could be compared */
  readonly nameSimilarity: number | undefined
}

/** Compares the declared identity with the document. */
export function compareData(evidence: Evidence, facts: DocumentFacts, thresholds: Thresholds): ComparedData {
  const names = compareNames(evidence, facts, thresholds)
  const birth = compareBirth(evidence, facts, thresholds)
  const gender = compareGender(evidence, facts, thresholds)
  const nationality = compareNationality(evidence, facts)
  const kind = compareKind(evidence, facts)
  return {
    checks: {
      firstName: names.first,
      lastName: names.last,
      dateOfBirth: birth.check,
      gender: gender.check,
      nationality: nationality.check,
      documentType: kind.documentType,
      issuingCountry: kind.issuingCountry,
    },
    findings: [...names.findings, ...birth.findings, ...gender.findings, ...nationality.findings, ...kind.findings],
    nameSimilarity: names.similarity,
  }
}

function compareBirth({ declared, countryCode: country, now }: Evidence, { mrz, visual }: DocumentFacts, thresholds: Thresholds) {
  if (declared.dateOfBirth === null) return { check: checkOf('unidentified', { note: 'not declared' }), findings: [] }
  const year = new Date(now).getUTCFullYear()
  const written = findDates(declared.dateOfBirth, countryCode(country), year)[0]
  // a date with one reading, such as 03.08., needs no other interpretation
  const first = written?.readings[0]
  if (written === undefined || first === undefined)
    return { check: checkOf('unidentified', { note: 'the declared date could not be read' }), findings: [review('dob_mismatch')] }
  const holds = mrz !== undefined && !mrz.failed.includes('date_of_birth')
  const machine = holds ? mrz.content.birth : undefined
  const label = visual.birth
  const printed = machine ?? label?.value.readings[0]
  if (printed === undefined) {
    const somewhere = visual.dates.some(({ readings: [usual] }) => usual !== undefined && sameDate(usual, first))
    return somewhere
      ? { check: checkOf('clear', { source: 'printed_zone' }), findings: [] }
      : { check: checkOf('unidentified'), findings: [review('ocr_unreadable')] }
  }
  const documentDates = machine === undefined ? (label?.value.readings ?? []) : [machine]
  const source = machine === undefined ? 'printed_zone' : 'machine_readable_zone'
  if (sameDate(printed, first)) return { check: checkOf('clear', { document: isoDate(printed), source }), findings: [] }
  const ambiguous = documentDates.some((date) => among(written.readings, date))
  const isConfident = machine !== undefined || (label?.confidence ?? 0) >= thresholds.textSure
  return {
    check: checkOf('consider', { document: isoDate(printed), source, note: ambiguous ? 'day and month may be swapped' : undefined }),
    findings: [isConfident && !ambiguous ? rejecting('dob_mismatch') : review('dob_mismatch')],
  }
}

const among = (dates: readonly CalendarDate[], date: CalendarDate): boolean => dates.some((other) => sameDate(other, date))

function compareGender({ declared }: Evidence, { mrz, visual }: DocumentFacts, thresholds: Thresholds) {
  const printed = mrz?.content.sex ?? visual.sex?.value
  if (declared.gender === null || declared.gender === 'N') return { check: checkOf('unidentified', { note: 'not declared' }), findings: [] }
  if (printed === undefined) return { check: checkOf('unidentified'), findings: [] }
  const same = printed === declared.gender || (printed === 'X' && declared.gender === 'O')
  if (same || printed === 'X') return { check: checkOf(same ? 'clear' : 'unidentified', { document: printed }), findings: [] }
  // no check digit covers the letter, and one misread letter must not reject a citizen
  const isConfident = visual.sex?.value === printed && visual.sex.confidence >= thresholds.textSure
  const read = visual.sex === undefined || isConfident ? 'consider' : 'unidentified'
  return { check: checkOf(read, { document: printed }), findings: [review('gender_mismatch')] }
}

function compareNationality({ declared }: Evidence, { mrz, visual }: DocumentFacts) {
  const { nationality } = declared
  if (nationality === null || nationality.trim() === '') return { check: checkOf('unidentified', { note: 'not declared' }), findings: [] }
  const printed = [mrz?.content.nationality, visual.nationality?.value]
    .filter((text) => text !== undefined)
    .map(countryCode)
    .find((code) => code !== undefined)
  if (printed === undefined) return { check: checkOf('unidentified'), findings: [] }
  return isOfCountry(nationality, printed)
    ? { check: checkOf('clear', { document: printed }), findings: [] }
    : { check: checkOf('consider', { document: printed }), findings: [review('nationality_mismatch')] }
}
