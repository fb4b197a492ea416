import type { Database } from '../../../../engines/relational/database.ts'
import { and, eq, inArray, sql } from '../../../../engines/relational/drizzle.ts'
import type { JobResult } from '../../jobs/result.ts'
import { verificationJob } from '../../tables.ts'
import { verificationReview } from '../tables.ts'

/**
 * That a person has decided on a job and nobody has got that result yet. An acknowledgement names jobs, not results: one that was sent for the
 * result before would erase a decision that nobody has seen.
 */
export const notHandedOut = sql`exists (
  select from ${verificationReview} as review where review.job_id = ${verificationJob.id} and review.state = 'decided' and not review.handed_out)`

/** Notes which of these results its service gets now. @param results - by job id */
export async function noteHandedOut({ orm }: Database, results: Iterable<readonly [string, JobResult]>): Promise<void> {
  const decided = [...results].filter(([, { review }]) => review !== undefined).map(([jobId]) => jobId)
  if (decided.length === 0) return
  const { jobId, handedOut } = verificationReview
  await orm
    .update(verificationReview)
    .set({ handedOut: true })
    .where(and(inArray(jobId, decided), eq(handedOut, false)))
}
