import type { FaceTemplate } from '../duplicates/face-template.ts'
import type { SearchedFaces } from '../duplicates/keep-template.ts'
import type { JobRow } from '../tables.ts'
import type { CrossValidations } from './cross-validation.ts'
import type { Scores } from './scores.ts'

/** The result of a verification. The last two are null for an error. */
export interface Verdict {
  readonly outcome: NonNullable<JobRow['outcome']>
  /** "<code>: <sentence>"; null unless the outcome is error */
  readonly failureReason: string | null
  readonly crossValidations: CrossValidations | null
  readonly scores: Scores | null
  /** template ids of similar faces, for reviewers only */
  readonly duplicates?: readonly number[]
  /** template of the selfie, if faces are stored; never part of a result */
  readonly template?: FaceTemplate
  /** extent of the duplicate search; absent when it was incomplete */
  readonly searched?: SearchedFaces
}

/** Returns the verdict of a failed verification. @param failureReason - "<code>: <sentence>" */
export const errorVerdict = (failureReason: string): Verdict => ({ outcome: 'error', failureReason, crossValidations: null, scores: null })
