import type { Database } from '../../engines/relational/database.ts'
import { and, asc, sql } from '../../engines/relational/drizzle.ts'
import { type JobRow, verificationJob } from '../tables.ts'
import type { Visibility } from '../visibility.ts'

/**
 * The jobs of each of these batches that the caller may see, in the order of their ids, in one statement.
 * @param page - `after`: only jobs after the one of this id
 * @returns by batch; one without any is not there
 */
export async function findBatchJobs(
  database: Database,
  batches: readonly string[],
  visibility: Visibility,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<ReadonlyMap<string, readonly JobRow[]>> {
  const perBatch = database.orm
    .select({ id: verificationJob.id })
    .from(verificationJob)
    .where(
      and(
        sql`${verificationJob.batchId} = wanted.batch`,
        visibility === 'all' ? undefined : sql`${verificationJob.owner} = ${visibility.owner}`,
        page.after === undefined ? undefined : sql`${verificationJob.id} > ${page.after}`,
      ),
    )
    .orderBy(asc(verificationJob.id))
    .limit(page.limit)
    .as('page')
  const wanted = sql`unnest(${sql.param([...batches])}::text[]) as wanted (batch)`
  const ids = database.orm.select({ id: perBatch.id }).from(wanted).crossJoinLateral(perBatch)
  const rows = await database.orm
    .select()
    .from(verificationJob)
    .where(sql`${verificationJob.id} in ${ids}`)
    .orderBy(asc(verificationJob.id))
  return Map.groupBy(rows, ({ batchId }) => batchId ?? '')
}
