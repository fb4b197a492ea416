import type { CrossValidations } from '../assessment/cross-validation.ts'
import type { Scores } from '../assessment/scores.ts'
import type { Outcome } from './job.ts'

/** What a job ended with, as it is sealed until its acknowledgement. Both parts are null for an error. */
export interface JobResult {
  readonly outcome: Outcome
  /** "<code>: <sentence>"; null unless the outcome is error */
  readonly failureReason: string | null
  /** from the first start to the end, all attempts together */
  readonly processingTimeMs: number
  readonly crossValidations: CrossValidations | null
  readonly scores: Scores | null
}

export const encodeResult = (result: JobResult): Uint8Array => Buffer.from(JSON.stringify(result))

// Only this program writes sealed results, and the seal authenticates them: the bytes are what encodeResult made.
export const decodeResult = (record: Uint8Array): JobResult => JSON.parse(Buffer.from(record).toString('utf8')) as JobResult
