/** Values of job columns by their GraphQL names. */
export const DocumentType = { CNI: 'CNI', PASSPORT: 'PASSPORT', TITRE_DE_SEJOUR: 'TITRE_DE_SEJOUR', NATIONAL_ID: 'NATIONAL_ID' } as const
/** male, female, other, not stated */
export const DeclaredGender = { M: 'M', F: 'F', O: 'O', N: 'N' } as const
export const VerificationPriority = { NORMAL: 'normal', HIGH: 'high' } as const
export const VerificationStatus = { QUEUED: 'queued', PROCESSING: 'processing', COMPLETED: 'completed', ERROR: 'error' } as const
export const VerificationOutcome = { VERIFIED: 'verified', PENDING_REVIEW: 'pending_review', REJECTED: 'rejected', ERROR: 'error' } as const
/** The `type` of a callback's message. */
export const CallbackType = {
  COMPLETED: 'verification.job.completed',
  FAILED: 'verification.job.failed',
} as const
export type CallbackType = (typeof CallbackType)[keyof typeof CallbackType]

/** Kinds of events about finished jobs; LAGGED: events were missed. */
export const FinishedKind = {
  COMPLETED: 'completed',
  ERROR: 'error',
  LAGGED: 'lagged',
} as const
export type FinishedKind = (typeof FinishedKind)[keyof typeof FinishedKind]

export const CallbackState = {
  PENDING: 'pending',
  DELIVERED: 'delivered',
  REFUSED: 'refused',
  FAILED: 'failed',
  STOPPED: 'stopped',
} as const

/** Returns the values of a vocabulary as a non-empty tuple, for columns and schemas. */
export function wordsOf<Word extends string>(vocabulary: Readonly<Record<string, Word>>): [Word, ...Word[]] {
  const [first, ...others] = Object.values(vocabulary)
  if (first === undefined) throw new TypeError('a vocabulary must have at least one word')
  return [first, ...others]
}
