import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import type { Visibility } from '../access/visibility.ts'
import { type JobRow, verificationJob } from '../tables.ts'

/**
 * Returns the jobs of each batch that the caller may see, in the order of ids, in one statement.
 * @param window - positions are ids
 * @returns by batch; a batch without jobs is absent
 */
export async function findBatchJobs(
  database: Database,
  batches: readonly string[],
  visibility: Visibility,
  window: RowWindow<string>,
): Promise<ReadonlyMap<string, readonly JobRow[]>> {
  const { past, order } = keyset([verificationJob.id], 'rising', window, (id) => [id])
  const perBatch = database.orm
    .select({ id: verificationJob.id })
    .from(verificationJob)
    .where(and(sql`${verificationJob.batchId} = wanted.batch`, visibleTo(visibility), past))
    .orderBy(...order)
    .limit(window.limit)
    .as('page')
  const wanted = sql`unnest(${sql.param([...batches])}::text[]) as wanted (batch)`
  const ids = database.orm.select({ id: perBatch.id }).from(wanted).crossJoinLateral(perBatch)
  const rows = await database.orm
    .select()
    .from(verificationJob)
    .where(sql`${verificationJob.id} in ${ids}`)
    .orderBy(...order)
  return Map.groupBy(rows, ({ batchId }) => batchId ?? '')
}

/** Counts the stored jobs of a batch that the caller may see. */
export async function countBatchJobs(database: Database, batch: string, visibility: Visibility): Promise<number> {
  return database.orm.$count(verificationJob, and(eq(verificationJob.batchId, batch), visibleTo(visibility)))
}

const visibleTo = (visibility: Visibility) => (visibility === 'all' ? undefined : eq(verificationJob.owner, visibility.owner))
