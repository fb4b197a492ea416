/** What a citizen can do about each reason; the words have a sentence for each. */
const advices = {
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

export type Advice = keyof typeof advices

/** Returns the advice for reasons, without duplicates, in order; unknown reasons lead to an office. */
export function advicesFor(reasons: readonly string[]): readonly Advice[] {
  const of = (reason: string): Advice =>
    (Object.entries(advices) as [Advice, readonly string[]][]).find(([, codes]) => codes.includes(reason))?.[0] ?? 'office'
  return [...new Set(reasons.map(of))]
}
