/** What somebody can do about a reason; each is said in words. */
const advices = {
  selfie: ['no_face_selfie', 'multiple_faces_selfie', 'sunglasses', 'covered_face'],
  'better-photograph': ['blurred_photo', 'glare_on_photo', 'dark_photo', 'cut_off_document', 'ocr_unreadable', 'no_document_in_image'],
  original: ['copy_of_document', 'shown_on_screen'],
  'own-document': ['face_mismatch'],
  'check-declared': ['name_mismatch', 'dob_mismatch', 'gender_mismatch', 'nationality_mismatch', 'document_type_mismatch'],
  'both-sides': ['missing_back', 'wrong_side'],
  'one-document': ['two_documents'],
  'valid-document': ['document_expired'],
  'other-document': ['unsupported_document', 'no_face_document'],
  office: [
    'data_inconsistent',
    'mrz_check_digit_failed',
    'barcode_mismatch',
    'chip_altered',
    'chip_signature_invalid',
    'chip_mismatch',
    'chip_not_genuine',
    'chip_signer_revoked',
    'possible_duplicate',
  ],
  'read-chip-again': ['chip_signer_expired', 'chip_signer_unknown', 'chip_unreadable', 'chip_portrait_unreadable'],
  'challenge-again': ['challenge_other_person', 'challenge_flat', 'challenge_incomplete', 'challenge_late'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Advice = keyof typeof advices

/** What can be done about these reasons, each once, in their order; an office helps with those that are not known here. */
export function advicesFor(reasons: readonly string[]): readonly Advice[] {
  const of = (reason: string): Advice =>
    (Object.entries(advices) as [Advice, readonly string[]][]).find(([, codes]) => codes.includes(reason))?.[0] ?? 'office'
  return [...new Set(reasons.map(of))]
}
