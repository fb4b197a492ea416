import type { Finding } from '../../shared/verification/findings.ts'

/** What a citizen can do about each reason; the words have a sentence for each. */
const advices = {
  'better-photographs': ['BETTER_PHOTOGRAPHS'],
  selfie: ['NO_FACE_SELFIE', 'MULTIPLE_FACES_SELFIE', 'SUNGLASSES', 'COVERED_FACE'],
  'better-photograph': ['BLURRED_PHOTO', 'GLARE_ON_PHOTO', 'DARK_PHOTO', 'CUT_OFF_DOCUMENT', 'OCR_UNREADABLE', 'NO_DOCUMENT_IN_IMAGE'],
  original: ['COPY_OF_DOCUMENT', 'SHOWN_ON_SCREEN'],
  'own-document': ['FACE_MISMATCH'],
  'check-declared': ['NAME_MISMATCH', 'DOB_MISMATCH', 'GENDER_MISMATCH', 'NATIONALITY_MISMATCH', 'DOCUMENT_TYPE_MISMATCH'],
  'both-sides': ['MISSING_BACK', 'WRONG_SIDE'],
  'one-document': ['TWO_DOCUMENTS'],
  'valid-document': ['DOCUMENT_EXPIRED'],
  'other-document': ['UNSUPPORTED_DOCUMENT', 'NO_FACE_DOCUMENT'],
  office: [
    'DATA_INCONSISTENT',
    'MRZ_CHECK_DIGIT_FAILED',
    'BARCODE_MISMATCH',
    'CHIP_ALTERED',
    'CHIP_SIGNATURE_INVALID',
    'CHIP_MISMATCH',
    'CHIP_NOT_GENUINE',
    'CHIP_SIGNER_REVOKED',
    'POSSIBLE_DUPLICATE',
  ],
  'read-chip-again': ['CHIP_SIGNER_EXPIRED', 'CHIP_SIGNER_UNKNOWN', 'CHIP_UNREADABLE', 'CHIP_PORTRAIT_UNREADABLE'],
  'challenge-again': ['CHALLENGE_OTHER_PERSON', 'CHALLENGE_FLAT', 'CHALLENGE_INCOMPLETE', 'CHALLENGE_LATE'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Advice = keyof typeof advices | 'compare-again'

/** Reviewers' reasons for a rejection that the citizen can do something about; the others lead to an office. */
const decisions: Readonly<Record<string, Advice>> = { DOCUMENT_EXPIRED: 'valid-document', DOCUMENT_UNUSABLE: 'better-photographs' }

/**
 * Returns the advice for findings, without duplicates, in order; unknown reasons lead to an office.
 * @param decision - reason of a reviewer's rejection, whose advice replaces that for the findings
 */
export function advicesFor(findings: readonly Finding[], decision: string | null = null): readonly Advice[] {
  if (decision !== null) return [decisions[decision] ?? 'office']
  const of = ({ reason, isEstablished }: Finding): Advice => {
    // faces that could not be compared do not suggest a document of another person
    if (reason === 'FACE_MISMATCH' && !isEstablished) return 'compare-again'
    return (Object.entries(advices) as [Advice, readonly string[]][]).find(([, codes]) => codes.includes(reason))?.[0] ?? 'office'
  }
  return [...new Set(findings.map(of))]
}
