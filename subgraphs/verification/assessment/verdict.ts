import type { FaceTemplate } from '../duplicates/face-template.ts'
import type { SearchedFaces } from '../duplicates/keep-template.ts'
import type { JobRow } from '../tables.ts'
import type { CrossValidations } from './cross-validation.ts'
import type { Scores } from './scores.ts'

/** What a verification ended with. The last two are null for an error. */
export interface Verdict {
  readonly outcome: NonNullable<JobRow['outcome']>
  /** "<code>: <sentence>"; null unless the outcome is error */
  readonly failureReason: string | null
  readonly crossValidations: CrossValidations | null
  readonly scores: Scores | null
  /** ids of templates that are near to the selfie's: for reviewers alone */
  readonly duplicates?: readonly number[]
  /** the selfie's face where faces are kept: never part of a result */
  readonly template?: FaceTemplate
  /** how far it was searched for under other codes; absent where not everybody was */
  readonly searched?: SearchedFaces
}

/** An end without a verification. @param failureReason - "<code>: <sentence>" */
export const errorVerdict = (failureReason: string): Verdict => ({ outcome: 'error', failureReason, crossValidations: null, scores: null })
