import type { Verdict } from '../assessment/verdict.ts'
import type { SearchedFaces } from '../duplicates/keep-template.ts'
import type { ReviewReason } from '../review/vocabulary.ts'

/** What a job ended with, as it is sealed until its acknowledgement. */
export interface JobResult extends Omit<Verdict, 'template' | 'duplicates' | 'searched'> {
  /** from the first start to the end, all attempts together */
  readonly processingTimeMs: number
  /** the outcome is a person's, and why; checks and scores are the machine's */
  readonly review?: { readonly reason: ReviewReason }
}

/** What a person decides on: the same, and whom the face may be, too, by the ids of their templates (those that have come up since, as well). */
export interface ReviewedResult extends JobResult {
  readonly duplicates?: readonly number[]
  /** how far the machine has searched; absent where not everybody was */
  readonly searched?: SearchedFaces
}

export const encodeResult = (result: ReviewedResult): Uint8Array => Buffer.from(JSON.stringify(result))

// Only this program writes sealed results, and the seal authenticates them: the bytes are what encodeResult made.
export const decodeResult = (record: Uint8Array): ReviewedResult => JSON.parse(Buffer.from(record).toString('utf8')) as ReviewedResult
