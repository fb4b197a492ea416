import type { Database } from '../../engines/relational/database.ts'
import { and, desc, sql } from '../../engines/relational/drizzle.ts'
import { type JobRow, verificationJob } from '../tables.ts'

/**
 * The newest verifications of each of these citizens, in one statement.
 * @param before - only jobs submitted before the one of this id (ids rise with the time of submission, RFC 9562 version 7)
 * @returns by code, newest first; a citizen without any is not there
 */
export async function findCitizenJobs(
  database: Database,
  codes: readonly string[],
  page: { readonly limit: number; readonly before?: string | undefined },
): Promise<ReadonlyMap<string, readonly JobRow[]>> {
  const older = page.before === undefined ? undefined : sql`${verificationJob.id} < ${page.before}`
  const perCitizen = database.orm
    .select({ id: verificationJob.id })
    .from(verificationJob)
    .where(and(sql`${verificationJob.citizenCode} = wanted.code`, older))
    .orderBy(desc(verificationJob.id))
    .limit(page.limit)
    .as('page')
  // codes are kept escaped: see tables.ts
  const wanted = sql`unnest(${sql.param(codes.map((code) => JSON.stringify(code)))}::text[]) as wanted (code)`
  const ids = database.orm.select({ id: perCitizen.id }).from(wanted).crossJoinLateral(perCitizen)
  const rows = await database.orm
    .select()
    .from(verificationJob)
    .where(sql`${verificationJob.id} in ${ids}`)
    .orderBy(desc(verificationJob.id))
  return Map.groupBy(rows, (row) => row.citizenCode)
}
