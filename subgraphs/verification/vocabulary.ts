/** Values of job columns by their GraphQL names. */
export const DocumentType = { CNI: 'CNI', PASSPORT: 'PASSPORT', TITRE_DE_SEJOUR: 'TITRE_DE_SEJOUR', NATIONAL_ID: 'NATIONAL_ID' } as const
/** male, female, other, not stated */
export const DeclaredGender = { M: 'M', F: 'F', O: 'O', N: 'N' } as const
/** the same values under whole words */
export const Gender = { MALE: 'M', FEMALE: 'F', OTHER: 'O', NOT_STATED: 'N' } as const
export const VerificationPriority = { NORMAL: 'normal', HIGH: 'high' } as const
export const VerificationStatus = { QUEUED: 'queued', PROCESSING: 'processing', COMPLETED: 'completed', ERROR: 'error' } as const
export const VerificationOutcome = { VERIFIED: 'verified', PENDING_REVIEW: 'pending_review', REJECTED: 'rejected', ERROR: 'error' } as const
/** The `type` of a callback's message. */
export const CallbackType = {
  COMPLETED: 'verification.job.completed',
  FAILED: 'verification.job.failed',
} as const
export type CallbackType = (typeof CallbackType)[keyof typeof CallbackType]

/** Kinds of events about started jobs; LAGGED: events were missed. */
export const StartedKind = {
  STARTED: 'started',
  LAGGED: 'lagged',
} as const

/** Kinds of events about finished jobs; LAGGED: events were missed. */
export const FinishedKind = {
  COMPLETED: 'completed',
  ERROR: 'error',
  LAGGED: 'lagged',
} as const
export type StartedKind = (typeof StartedKind)[keyof typeof StartedKind]
export type FinishedKind = (typeof FinishedKind)[keyof typeof FinishedKind]

export const CallbackState = {
  PENDING: 'pending',
  DELIVERED: 'delivered',
  REFUSED: 'refused',
  FAILED: 'failed',
  STOPPED: 'stopped',
} as const

/** Steps of a challenge; left and right are the citizen's. */
export const LivenessStep = {
  TURN_LEFT: 'turn_left',
  TURN_RIGHT: 'turn_right',
  LOOK_UP: 'look_up',
  BLINK: 'blink',
  MOVE_CLOSER: 'move_closer',
} as const

export type Step = (typeof LivenessStep)[keyof typeof LivenessStep]

/** Maximum of frames: enough to show three steps there and back. */
export const maxFrames = 20
/** Minimum of frames: the face before the first step, and one per step. */
export const minFrames = 4
/** Seconds from the start of a challenge to the submission of its frames, by the database clock. */
export const challengeSeconds = 60

/** State of a review; held: decided, and the decision can be undone; lapsed: the retention of its images ended before a decision. */
export const ReviewState = { WAITING: 'waiting', HELD: 'held', DECIDED: 'decided', LAPSED: 'lapsed' } as const
export const ReviewDecision = { VERIFIED: 'verified', REJECTED: 'rejected', BETTER_PHOTOGRAPHS: 'better_photographs' } as const
/** Reasons of a reviewer's decision. */
export const ReviewReason = {
  CONFIRMED: 'confirmed',
  OTHER_PERSON: 'other_person',
  DATA_CONTRADICTED: 'data_contradicted',
  DOCUMENT_FORGED: 'document_forged',
  DOCUMENT_EXPIRED: 'document_expired',
  DOCUMENT_UNUSABLE: 'document_unusable',
  DUPLICATE: 'duplicate',
  BETTER_PHOTOGRAPHS: 'better_photographs',
  OTHER: 'other',
} as const
/** Kinds of events in the history of a job. */
export const JobEventKind = {
  SUBMITTED: 'submitted',
  CHECKED: 'checked',
  TAKEN: 'taken',
  DECIDED: 'decided',
  COMPLETED: 'completed',
  FETCHED: 'fetched',
  ACKNOWLEDGED: 'acknowledged',
} as const
export type JobEventKind = (typeof JobEventKind)[keyof typeof JobEventKind]
/** Images of a submission. */
export const ImageName = { SELFIE: 'selfie', DOCUMENT_FRONT: 'documentFront', DOCUMENT_BACK: 'documentBack' } as const

export type ReviewDecision = (typeof ReviewDecision)[keyof typeof ReviewDecision]
export type ReviewReason = (typeof ReviewReason)[keyof typeof ReviewReason]

/** Returns the values of a vocabulary as a non-empty tuple, for columns and schemas. */
export function wordsOf<Word extends string>(vocabulary: Readonly<Record<string, Word>>): [Word, ...Word[]] {
  const [first, ...others] = Object.values(vocabulary)
  if (first === undefined) throw new TypeError('a vocabulary must have at least one word')
  return [first, ...others]
}
