/** The words that a job's columns hold, by the names that GraphQL gives them. */
export const DocumentType = { CNI: 'CNI', PASSPORT: 'PASSPORT', TITRE_DE_SEJOUR: 'TITRE_DE_SEJOUR', NATIONAL_ID: 'NATIONAL_ID' } as const
/** male, female, other, not said */
export const DeclaredGender = { M: 'M', F: 'F', O: 'O', N: 'N' } as const
export const VerificationPriority = { NORMAL: 'normal', HIGH: 'high' } as const
export const VerificationStatus = { QUEUED: 'queued', PROCESSING: 'processing', COMPLETED: 'completed', ERROR: 'error' } as const
export const VerificationOutcome = { VERIFIED: 'verified', PENDING_REVIEW: 'pending_review', REJECTED: 'rejected', ERROR: 'error' } as const
/** What a callback tells: the `type` of its message. */
export const CallbackType = {
  COMPLETED: 'verification.job.completed',
  FAILED: 'verification.job.failed',
} as const
export type CallbackType = (typeof CallbackType)[keyof typeof CallbackType]

/** What a subscriber is told of a job; LAGGED: of which is not known. */
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

/** The words of a vocabulary, as a column or a rule lists them. */
export function wordsOf<Word extends string>(vocabulary: Readonly<Record<string, Word>>): [Word, ...Word[]] {
  const [first, ...others] = Object.values(vocabulary)
  if (first === undefined) throw new TypeError('a vocabulary must have at least one word')
  return [first, ...others]
}
