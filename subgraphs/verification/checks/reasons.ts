/** Codes of findings, most serious first; lists of reasons use this order. */
export const reasonCodes = [
  'better_photographs',
  'chip_altered',
  'chip_signature_invalid',
  'face_mismatch',
  'chip_mismatch',
  'name_mismatch',
  'dob_mismatch',
  'mrz_check_digit_failed',
  'data_inconsistent',
  'barcode_mismatch',
  'nationality_mismatch',
  'gender_mismatch',
  'document_type_mismatch',
  'document_expired',
  'chip_not_genuine',
  'chip_signer_revoked',
  'chip_signer_expired',
  'chip_signer_unknown',
  'chip_unreadable',
  'chip_portrait_unreadable',
  'possible_duplicate',
  'challenge_other_person',
  'challenge_flat',
  'challenge_incomplete',
  'challenge_late',
  'no_document_in_image',
  'two_documents',
  'unsupported_document',
  'no_face_selfie',
  'no_face_document',
  'multiple_faces_selfie',
  'covered_face',
  'sunglasses',
  'child',
  'wrong_side',
  'missing_back',
  'ocr_unreadable',
  'copy_of_document',
  'shown_on_screen',
  'cut_off_document',
  'blurred_photo',
  'glare_on_photo',
  'dark_photo',
] as const

export type Reason = (typeof reasonCodes)[number]

/** Returns the codes that this release defines; results of a newer release may have others. */
export const definedReasons = (codes: readonly string[]): Reason[] =>
  codes.flatMap((code) => reasonCodes.find((each) => each === code) ?? [])

/** A finding against a verification. rejecting: the job is rejected; otherwise it goes to review. */
export interface Finding {
  readonly reason: Reason
  readonly rejecting: boolean
}

export const review = (reason: Reason): Finding => ({ reason, rejecting: false })
export const rejecting = (reason: Reason): Finding => ({ reason, rejecting: true })

/** Returns the distinct codes, rejecting ones first. */
export function reasonsOf(findings: readonly Finding[]): Reason[] {
  const rank = (code: Reason): number =>
    reasonCodes.indexOf(code) + (findings.some((finding) => finding.reason === code && finding.rejecting) ? 0 : reasonCodes.length)
  return [...new Set(findings.map(({ reason }) => reason))].sort((a, b) => rank(a) - rank(b))
}
