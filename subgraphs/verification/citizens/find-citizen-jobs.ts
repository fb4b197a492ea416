import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { type JobRow, verificationJob } from '../tables.ts'

/**
 * Returns the newest verifications of each citizen, in one statement.
 * @param window - positions are ids, ordered by time of submission (RFC 9562 version 7)
 * @returns by code, newest first; a citizen without verifications is absent
 */
export async function findCitizenJobs(
  database: Database,
  codes: readonly string[],
  window: RowWindow<string>,
): Promise<ReadonlyMap<string, readonly JobRow[]>> {
  const { past, order } = keyset([verificationJob.id], 'falling', window, (id) => [id])
  const perCitizen = database.orm
    .select({ id: verificationJob.id })
    .from(verificationJob)
    .where(and(sql`${verificationJob.citizenCode} = wanted.code`, past))
    .orderBy(...order)
    .limit(window.limit)
    .as('page')
  // codes are stored escaped: see tables.ts
  const wanted = sql`unnest(${sql.param(codes.map((code) => JSON.stringify(code)))}::text[]) as wanted (code)`
  const ids = database.orm.select({ id: perCitizen.id }).from(wanted).crossJoinLateral(perCitizen)
  const rows = await database.orm
    .select()
    .from(verificationJob)
    .where(sql`${verificationJob.id} in ${ids}`)
    .orderBy(...order)
  return Map.groupBy(rows, (row) => row.citizenCode)
}

/** Counts the stored verifications of a citizen. */
export async function countCitizenJobs(database: Database, code: string): Promise<number> {
  return database.orm.$count(verificationJob, eq(verificationJob.citizenCode, code))
}
