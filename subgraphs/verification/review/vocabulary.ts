import type { ImageMember } from '../submission/submission.ts'

/** State of a review; lapsed: the retention of its images ended before a decision. */
export const ReviewState = { WAITING: 'waiting', DECIDED: 'decided', LAPSED: 'lapsed' } as const
export const ReviewDecision = { VERIFIED: 'verified', REJECTED: 'rejected' } as const
/** Reasons of a reviewer's decision. */
export const ReviewReason = {
  CONFIRMED: 'confirmed',
  OTHER_PERSON: 'other_person',
  DATA_CONTRADICTED: 'data_contradicted',
  DOCUMENT_FORGED: 'document_forged',
  DOCUMENT_EXPIRED: 'document_expired',
  DOCUMENT_UNUSABLE: 'document_unusable',
  DUPLICATE: 'duplicate',
  OTHER: 'other',
} as const
export const ImageName = { SELFIE: 'selfie', DOCUMENT_FRONT: 'documentFront', DOCUMENT_BACK: 'documentBack' } as const satisfies Readonly<
  Record<string, ImageMember>
>

export type ReviewDecision = (typeof ReviewDecision)[keyof typeof ReviewDecision]
export type ReviewReason = (typeof ReviewReason)[keyof typeof ReviewReason]
