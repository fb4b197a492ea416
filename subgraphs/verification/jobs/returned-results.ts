import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, inArray, sql } from '../../../engines/relational/drizzle.ts'
import type { JobResult } from '../assessment/result.ts'
import { verificationJob, verificationReview } from '../tables.ts'

/**
 * Whether a reviewer has decided a job and the new result was not returned yet. Acknowledgements name jobs, not results: one for the
 * previous result would erase an unseen decision.
 */
export const hasUnreturnedDecision = sql`exists (
  select from ${verificationReview} as review where review.job_id = ${verificationJob.id} and review.state = 'decided' and not review.handed_out)`

/** Records which of these results the service receives now. @param results - by job id */
export async function recordReturned({ orm }: Database, results: Iterable<readonly [string, JobResult]>): Promise<void> {
  const decided = [...results].filter(([, { review }]) => review !== undefined).map(([jobId]) => jobId)
  if (decided.length === 0) return
  const { jobId, handedOut } = verificationReview
  await orm
    .update(verificationReview)
    .set({ handedOut: true })
    .where(and(inArray(jobId, decided), eq(handedOut, false)))
}
