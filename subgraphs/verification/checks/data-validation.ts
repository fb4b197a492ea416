import { compareDates, dayOf, isoDate } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import type { TrustedMrz } from '../document/trusted-mrz.ts'
import { holdsNumber } from '../document/visual-zone.ts'
import { type Check, checkOf, combined, named } from './check.ts'
import { checkExpiry } from './document-expiry.ts'
import { hasMrz } from './document-kind.ts'
import type { Evidence } from './evidence.ts'
import { type Finding, rejecting, review } from './reasons.ts'

export interface DataValidation {
  mrz: Check
  documentNumbers: Check
  dateOfBirth: Check
  documentExpiration: Check
}

export interface ValidatedData {
  readonly checks: DataValidation
  readonly findings: readonly Finding[]
  /** 0 to 1; undefined without a machine-readable zone */
  readonly mrzValidity: number | undefined
}

/** reduction of the validity per repair: the digits hold, but not as first read */
const costOfRepair = 0.03

/** Checks the plausibility of the document's data. */
export function validateData(evidence: Evidence, facts: DocumentFacts): ValidatedData {
  const mrzs = [facts.mrz, facts.otherMrz].filter((mrz) => mrz !== undefined)
  const expiration = checkExpiry(evidence, facts)
  const birth = birthDate(evidence, facts)
  const numbers = documentNumbers(facts)
  return {
    checks: { mrz: machineReadable(facts), documentNumbers: numbers.check, dateOfBirth: birth.check, documentExpiration: expiration.check },
    findings: [...mrzFindings(evidence, facts), ...numbers.findings, ...birth.findings, ...expiration.findings],
    mrzValidity: mrzs.length === 0 ? undefined : Math.min(...mrzs.map(validityOf)),
  }
}

const validityOf = ({ failed, content, repairs }: TrustedMrz): number =>
  Math.max(0, 1 - failed.length / content.checks.length - costOfRepair * Math.min(repairs.length, 10))

function machineReadable({ mrz, otherMrz }: DocumentFacts): Check {
  if (mrz === undefined) return checkOf('unidentified')
  const { content, repairs } = mrz
  const parts = content.checks.map(({ name, holds }) => named(name, holds ? 'clear' : 'consider'))
  if (otherMrz !== undefined) {
    const { failed } = otherMrz
    parts.push(named('other_side', failed.length === 0 ? 'clear' : 'consider', { failed: failed.join(' ') || undefined }))
  }
  return combined(parts, {
    format: content.format,
    side: mrz.side,
    readings: mrz.readings,
    repairs: repairs.length,
    slips_that_explain: mrz.failed.length === 0 ? undefined : mrz.slips,
    repaired: repairs.length === 0 ? undefined : repairs.map(describe).join(', '),
  })
}

/** Formats line and column from 1; letters of a name only by position. */
const describe = ({ line, column, from, to, because }: TrustedMrz['repairs'][number]): string =>
  `${line + 1}:${column + 1} ${from}>${to} (${because})`

/**
 * Check digits that fail in every reading and that no confusion of the reader explains were printed so: a forged number or date. Digits
 * that fail in varying readings, or where a confusion of letters would correct them, may be a reading error and go to review. A valid zone
 * does not make up for an invalid one on the other side.
 */
function mrzFindings(evidence: Evidence, { mrz, otherMrz, readable }: DocumentFacts): Finding[] {
  if (mrz === undefined) return hasMrz(evidence) && readable ? [review('ocr_unreadable')] : []
  return [mrz, otherMrz].flatMap((each) => {
    if (each === undefined || each.failed.length === 0) return []
    if (each.settled) return [rejecting('mrz_check_digit_failed')]
    const mostFailed = each.failed.length > each.content.checks.length / 2
    return [review(mostFailed ? 'ocr_unreadable' : 'mrz_check_digit_failed')]
  })
}

function documentNumbers({ mrz, visual }: DocumentFacts): { check: Check; findings: Finding[] } {
  const number = mrz?.content.number ?? visual.number?.value
  if (number === undefined || number.length < 3) return { check: checkOf('unidentified'), findings: [] }
  if (mrz === undefined) return { check: checkOf('clear', { source: 'printed_zone' }), findings: [] }
  const holds = !mrz.failed.includes('document_number')
  const parts = [named('check_digit', holds ? 'clear' : 'consider')]
  if (holdsNumber(visual.lines, number)) parts.push(named('printed_zone', 'clear'))
  return { check: combined(parts), findings: [] }
}

/** maximum age in years */
const oldest = 125

function birthDate({ now }: Evidence, { mrz, visual }: DocumentFacts): { check: Check; findings: Finding[] } {
  const fails = mrz?.failed.includes('date_of_birth') ?? false
  const date = (fails ? undefined : mrz?.content.birth) ?? visual.birth?.value.readings[0]
  if (fails) return { check: checkOf('consider', { check_digit: 'failed' }), findings: [] }
  if (date === undefined) {
    const impossible = mrz !== undefined
    return { check: checkOf(impossible ? 'consider' : 'unidentified'), findings: impossible ? [review('ocr_unreadable')] : [] }
  }
  const today = dayOf(now)
  const possible = compareDates(date, today) <= 0 && date.year >= today.year - oldest
  return {
    check: checkOf(possible ? 'clear' : 'consider', { date: isoDate(date) }),
    findings: possible ? [] : [review('dob_mismatch')],
  }
}
