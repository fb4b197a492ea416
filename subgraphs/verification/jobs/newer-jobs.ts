import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, gt, sql } from '../../../engines/relational/drizzle.ts'
import { newerAfterMs } from '../../../foundation/health/newer-format.ts'
import { jobFormat, verificationJob } from '../tables.ts'

/** Jobs that only a newer release can do, and that none has begun for longer than it takes while releases follow one another. */
export function countNewerJobs({ orm }: Database): Promise<number> {
  const { format, status, queuedAt } = verificationJob
  // the literal lets the planner use the index of what is above 1
  const isNewer = and(sql`${format} > 1`, gt(format, jobFormat))
  return orm.$count(
    verificationJob,
    and(isNewer, eq(status, 'queued'), sql`${queuedAt} < now() - ${newerAfterMs}::int * interval '1 millisecond'`),
  )
}
