import type { BarcodeContent } from '../document/barcode-content.ts'
import { type CalendarDate, sameDate } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import { best, editDistance, matchName } from '../document/name-matching.ts'
import { type SealKeys, verifySeal } from '../document/verify-seal.ts'
import { closestName, holdsNumber } from '../document/visual-zone.ts'
import { type Check, combined, type NamedCheck, named } from './check.ts'
import { type Finding, review } from './reasons.ts'
import type { Thresholds } from './thresholds.ts'

/** Compares the barcodes with the machine-readable zone, or without one with the printed data. @returns no check without a barcode */
export function compareBarcodes(facts: DocumentFacts, thresholds: Thresholds, keys: SealKeys): { check?: Check; findings: Finding[] } {
  const { barcodes, barcodesFound } = facts
  if (barcodesFound === 0) return { findings: [] }
  const parts = barcodes.flatMap((content) => [
    nameAgainst('last_name', content.surname, 'surname', facts, thresholds),
    nameAgainst('first_name', content.givenNames, 'givenNames', facts, thresholds),
    dateAgainst('date_of_birth', content.birth, 'birth', facts, thresholds),
    dateAgainst('date_of_expiry', content.expiry, 'expiry', facts, thresholds),
    numberAgainst(content, facts),
    sealOf(content, keys),
  ])
  const compared = parts.filter((part) => part !== undefined)
  const standards = [...new Set(barcodes.map(({ standard }) => standard))].join(' ')
  const check = compared.length === 0 ? { result: 'unidentified' as const } : combined(compared)
  return {
    check: {
      ...check,
      properties: [{ key: 'found', number: barcodesFound }, ...(standards === '' ? [] : [{ key: 'standards', text: standards }])],
    },
    findings: check.result === 'consider' ? [review('barcode_mismatch')] : [],
  }
}

function nameAgainst(
  name: string,
  encoded: string | undefined,
  field: 'surname' | 'givenNames',
  { mrz, visual }: DocumentFacts,
  { nameSame, nameOther, textSure }: Thresholds,
): NamedCheck | undefined {
  if (encoded === undefined) return undefined
  const part = field === 'surname' ? 'surname' : 'given'
  const zone = mrz?.content[field] ?? ''
  const label = visual[field]
  const match = best([
    ...(mrz === undefined || zone === '' ? [] : [matchName(encoded, zone, { part, cut: mrz.content.cut[field] })]),
    ...(label === undefined ? [] : [matchName(encoded, label.value, { part })]),
    closestName(visual, encoded, { part: 'surname' }),
  ])
  if (match.similarity >= nameOther)
    return named(name, match.similarity >= nameSame ? 'clear' : 'unidentified', { similarity: match.similarity })
  const isConfident = zone !== '' || (label?.confidence ?? 0) >= textSure
  return named(name, isConfident ? 'consider' : 'unidentified', { similarity: match.similarity })
}

function dateAgainst(
  name: 'date_of_birth' | 'date_of_expiry',
  encoded: CalendarDate | undefined,
  field: 'birth' | 'expiry',
  { mrz, visual }: DocumentFacts,
  { textSure }: Thresholds,
): NamedCheck | undefined {
  if (encoded === undefined) return undefined
  const zone = mrz === undefined || mrz.failed.includes(name) ? undefined : mrz.content[field]
  if (zone !== undefined) return named(name, sameDate(zone, encoded) ? 'clear' : 'consider')
  const printed = (readings: readonly CalendarDate[]): boolean => readings.some((date) => sameDate(date, encoded))
  if (visual.dates.some(({ readings }) => printed(readings))) return named(name, 'clear')
  const label = visual[field]
  return named(name, label !== undefined && label.confidence >= textSure && !printed(label.value.readings) ? 'consider' : 'unidentified')
}

/** Compares numbers. A document has numbers of several kinds: only a nearly equal one is the same number, altered. */
function numberAgainst({ number }: BarcodeContent, { mrz, visual }: DocumentFacts): NamedCheck | undefined {
  if (number === undefined) return undefined
  const encoded = number.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const zone = mrz === undefined || mrz.failed.includes('document_number') ? undefined : mrz.content.number
  if (encoded === zone || holdsNumber(visual.lines, encoded)) return named('document_number', 'clear')
  if (zone === undefined || encoded.length > 30 || editDistance(encoded, zone) > 2) return named('document_number', 'unidentified')
  return named('document_number', 'consider')
}

function sealOf({ seal }: BarcodeContent, keys: SealKeys): NamedCheck | undefined {
  if (seal === undefined) return undefined
  const state = verifySeal(seal, keys)
  if (state === 'unknown')
    return named('seal', 'unidentified', { certificate: seal.certificate, note: 'not verified: its certificate was not imported' })
  return named('seal', state === 'genuine' ? 'clear' : 'consider', { certificate: seal.certificate })
}
