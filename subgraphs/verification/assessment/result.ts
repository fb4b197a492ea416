import type { FaceTemplate } from '../duplicates/face-template.ts'
import type { SearchedFaces } from '../duplicates/stored-templates.ts'
import type { JobRow } from '../tables.ts'
import type { ReviewReason } from '../vocabulary.ts'
import type { CrossValidations } from './cross-validation.ts'
import type { FaceAreas } from './face-area.ts'
import type { DocumentReadings } from './read-values.ts'
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
  /** what was read from the document, for reviewers only */
  readonly read?: DocumentReadings
  /** places of the compared faces, for reviewers only */
  readonly faces?: FaceAreas
}

/** Returns the verdict of a failed verification. @param failureReason - "<code>: <sentence>" */
export const errorVerdict = (failureReason: string): Verdict => ({ outcome: 'error', failureReason, crossValidations: null, scores: null })

/** The result of a job, sealed until it is acknowledged. */
export interface JobResult extends Omit<Verdict, 'template' | 'duplicates' | 'searched' | 'read' | 'faces'> {
  /** from the first start to the end, over all attempts */
  readonly processingTimeMs: number
  /** a reviewer's decision and reason; checks and scores stay those of the automatic checks */
  readonly review?: { readonly reason: ReviewReason }
}

/** The material of a reviewer: the result, and template ids of possible duplicates, including later ones. */
export interface ReviewedResult extends JobResult {
  readonly duplicates?: readonly number[]
  /** extent of the duplicate search; absent when it was incomplete */
  readonly searched?: SearchedFaces
  /** absent for jobs of earlier releases */
  readonly read?: DocumentReadings
  readonly faces?: FaceAreas
}

export const encodeResult = (result: ReviewedResult): Uint8Array => Buffer.from(JSON.stringify(result))

// sealed results are authenticated and written by encodeResult only
export const decodeResult = (record: Uint8Array): ReviewedResult => JSON.parse(Buffer.from(record).toString('utf8')) as ReviewedResult
