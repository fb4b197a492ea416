import type { Database } from '../../../engines/relational/database.ts'
import { and, eq } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { type JobRow, verificationJob } from '../tables.ts'

/** Filter for jobs; a job has an outcome when it is final. */
export interface JobFilter {
  readonly status?: JobRow['status'] | undefined
  readonly outcome?: JobRow['outcome'] | undefined
}

/**
 * Returns the jobs of all services, newest first.
 * @param window - positions are ids, ordered by time of submission (RFC 9562 version 7)
 */
export function listJobs(database: Database, filter: JobFilter, window: RowWindow<string>): Promise<readonly JobRow[]> {
  const { past, order } = keyset([verificationJob.id], 'falling', window, (id) => [id])
  return database.orm
    .select()
    .from(verificationJob)
    .where(and(wanted(filter), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Counts the jobs of all services. */
export async function countJobs(database: Database, filter: JobFilter): Promise<number> {
  return database.orm.$count(verificationJob, wanted(filter))
}

const wanted = ({ status, outcome }: JobFilter) =>
  and(
    status === undefined ? undefined : eq(verificationJob.status, status),
    outcome == null ? undefined : eq(verificationJob.outcome, outcome),
  )
