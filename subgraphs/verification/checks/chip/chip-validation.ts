import { compareDates, dayOf } from '../../document/dates.ts'
import type { DocumentFacts } from '../../document/document-facts.ts'
import { type Check, checkOf } from '../check.ts'
import { childBy } from '../child.ts'
import type { Evidence } from '../evidence.ts'
import { faceProblems } from '../image-integrity.ts'
import { type Finding, type Reason, review } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'
import { checkActiveAuthentication } from './chip-active-authentication.ts'
import { compareWithDeclared } from './chip-against-declared.ts'
import { compareWithPrint } from './chip-against-print.ts'
import { checkAuthenticity } from './chip-authenticity.ts'
import { comparePortrait } from './chip-portrait.ts'

/** Results of reading the chip of the document. */
export interface ChipValidation {
  dataGroups: Check
  signature: Check
  signer: Check
  /** absent without a challenge */
  activeAuthentication?: Check
  machineReadableZone: Check
  declaredIdentity: Check
  portrait: Check
  /** all checks passed: the chip decides where the print could not be read */
  decisive: boolean
  /** reasons that would have required a review without the chip */
  outweighed: Reason[]
}

/** reasons that only state that the print or an image could not be read, not contradictions */
const unread: readonly Reason[] = [
  'ocr_unreadable',
  'unsupported_document',
  'name_mismatch',
  'dob_mismatch',
  'gender_mismatch',
  'nationality_mismatch',
  'mrz_check_digit_failed',
  'face_mismatch',
  'no_face_document',
  'wrong_side',
  'missing_back',
]
const poorPicture: readonly Reason[] = ['blurred_photo', 'glare_on_photo', 'dark_photo', 'cut_off_document']

/**
 * Runs the chip checks and removes the findings that an authentic chip outweighs, never a rejecting one.
 * @param others - findings of the images  @param contradictions - those by which the document contradicts itself
 */
export function validateChip(
  evidence: Evidence,
  facts: DocumentFacts,
  others: readonly Finding[],
  contradictions: readonly Finding[],
  thresholds: Thresholds,
): { readonly checks?: ChipValidation; readonly findings: readonly Finding[] } {
  const { chip } = evidence
  if (chip === undefined) return { findings: others }
  if ('problem' in chip) return { checks: unreadable(chip.problem), findings: [...others, review('chip_unreadable')] }
  const { findings: ofSigning, ...authenticity } = checkAuthenticity(chip.authentication)
  const isAuthentic = Object.values(authenticity).every(({ result }) => result === 'clear')
  const active = chip.activeAuthentication && checkActiveAuthentication(chip.activeAuthentication)
  const print = compareWithPrint(chip.zone, facts, isAuthentic, thresholds)
  const declared = compareWithDeclared(chip, evidence, isAuthentic, thresholds)
  const portrait = comparePortrait(evidence, chip, isAuthentic, childBy(evidence, facts, thresholds) !== undefined, thresholds)
  const { expiry } = chip.zone
  const hasRunOut = expiry !== undefined && compareDates(expiry, dayOf(evidence.now)) < 0
  const own = [
    ...ofSigning,
    ...(active?.findings ?? []),
    ...print.findings,
    ...declared.findings,
    ...portrait.findings,
    ...(hasRunOut ? [review('document_expired')] : []),
  ]
  const isProven = isAuthentic && own.length === 0 && declared.check.result === 'clear' && portrait.check.result === 'clear'
  const isUnread = (finding: Finding): boolean =>
    !finding.rejecting && !contradictions.includes(finding) && couldNotBeRead(finding.reason, evidence, thresholds)
  const outweighed = isProven ? others.filter(isUnread) : []
  return {
    checks: {
      ...authenticity,
      ...(active && { activeAuthentication: active.check }),
      machineReadableZone: print.check,
      declaredIdentity: declared.check,
      portrait: portrait.check,
      decisive: isProven,
      outweighed: [...new Set(outweighed.map(({ reason }) => reason))],
    },
    findings: [...others.filter((finding) => !outweighed.includes(finding)), ...own],
  }
}

function couldNotBeRead(reason: Reason, { selfie: { faces }, front }: Evidence, thresholds: Thresholds): boolean {
  // with several persons in the image, a reviewer must decide whose document it is
  if (faces.length !== 1 || (front.otherPersons ?? 0) > 0) return false
  // the chip does not make up for a poor selfie
  return unread.includes(reason) || (poorPicture.includes(reason) && faces.every((face) => faceProblems(face, thresholds).length === 0))
}

function unreadable(problem: string): ChipValidation {
  const check = checkOf('unidentified')
  return {
    dataGroups: checkOf('unidentified', { note: problem }),
    signature: check,
    signer: check,
    machineReadableZone: check,
    declaredIdentity: check,
    portrait: check,
    decisive: false,
    outweighed: [],
  }
}
