import { areAlike } from '../../../../engines/document-reader/mrz/look-alikes.ts'
import { sameDate } from '../../document/dates.ts'
import type { DocumentFacts } from '../../document/document-facts.ts'
import type { MachineReadableZone } from '../../document/machine-readable-zone.ts'
import { similarity } from '../../document/name-matching.ts'
import { holdsNumber } from '../../document/visual-zone.ts'
import { type Check, type CheckResult, checkOf, combined, named } from '../check.ts'
import { type Finding, rejecting, review } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'

/** number of differing fields, with valid check digits in print, that indicates two documents rather than reading errors */
const twoDocuments = 2

/**
 * Compares the machine-readable zone of the chip with the printed one, or with the printed data.
 * @param isAuthentic - the chip is authentic
 */
export function compareWithPrint(
  zone: MachineReadableZone,
  { mrz, visual }: DocumentFacts,
  isAuthentic: boolean,
  { nameOther }: Thresholds,
): { readonly check: Check; readonly findings: readonly Finding[] } {
  if (mrz === undefined) return { check: checkOf(holdsNumber(visual.lines, zone.number) ? 'clear' : 'unidentified'), findings: [] }
  const { content, failed, settled } = mrz
  const date = (name: 'date_of_birth' | 'date_of_expiry', field: 'birth' | 'expiry'): CheckResult => {
    const [printed, stored] = [content[field], zone[field]]
    if (failed.includes(name) || printed === undefined || stored === undefined) return 'unidentified'
    // the printed zone contains no century
    return sameDate({ ...printed, year: printed.year % 100 }, { ...stored, year: stored.year % 100 }) ? 'clear' : 'consider'
  }
  const names = `${content.surname} ${content.givenNames}`.trim()
  const parts = [
    named('document_number', failed.includes('document_number') ? 'unidentified' : sameNumber(content.number, zone.number)),
    named('date_of_birth', date('date_of_birth', 'birth')),
    named('date_of_expiry', date('date_of_expiry', 'expiry')),
    // no check digit covers names
    named('names', similarity(names, `${zone.surname} ${zone.givenNames}`.trim()) < nameOther ? 'consider' : 'clear'),
  ]
  const differing = parts.filter(({ result }) => result === 'consider').length
  const isProven = isAuthentic && failed.length === 0 && settled && differing >= twoDocuments
  return { check: combined(parts), findings: differing === 0 ? [] : [isProven ? rejecting('chip_mismatch') : review('chip_mismatch')] }
}

/** Characters that readers confuse are not a difference. */
function sameNumber(printed: string, stored: string): CheckResult {
  if (printed === stored) return 'clear'
  const isSlip = printed.length === stored.length && [...printed].every((character, at) => areAlike(character, stored.charAt(at)))
  return isSlip ? 'unidentified' : 'consider'
}
