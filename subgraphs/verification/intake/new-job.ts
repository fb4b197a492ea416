import type { Submission } from '../submission/submission.ts'
import type { JobRow } from '../tables.ts'
import type { Priority } from './start-order.ts'

/** A job before it is accepted: columns of its row and sealed content. */
export interface NewJob {
  readonly citizenCode: string
  readonly documentType: JobRow['documentType']
  readonly countryCode: string
  readonly priority: Priority
  readonly callbackUrl: string | null
  readonly submission: Submission
}
