import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, gt, sql } from '../../../engines/relational/drizzle.ts'
import { newerAfterMs } from '../../../foundation/health/newer-format.ts'
import { jobFormat, verificationJob } from '../tables.ts'

/** Counts jobs of a newer format that have waited longer than a rolling update takes. */
export function countNewerJobs({ orm }: Database): Promise<number> {
  const { format, status, queuedAt } = verificationJob
  // the literal lets the planner use the partial index of formats above 1
  const isNewer = and(sql`${format} > 1`, gt(format, jobFormat))
  return orm.$count(
    verificationJob,
    and(isNewer, eq(status, 'queued'), sql`${queuedAt} < now() - ${newerAfterMs}::int * interval '1 millisecond'`),
  )
}
