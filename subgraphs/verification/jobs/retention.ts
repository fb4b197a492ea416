import type { SQL } from 'drizzle-orm'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, inArray, isNull, or, sql } from '../../../engines/relational/drizzle.ts'
import { deleteOldKeys } from '../intake/idempotency.ts'
import { verificationJob, verificationReview } from '../tables.ts'

const pageSize = 1000

/**
 * Removes jobs acknowledged 30 days ago, unless a review is pending, and, with a retention period, unacknowledged jobs that finished before
 * it, each with its sealed records in one transaction.
 */
export async function removeOldJobs(
  database: Database,
  vault: ImageVault,
  resultRetentionDays: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { id, acknowledgedAt, completedAt } = verificationJob
  const isReviewed = sql`exists (select from ${verificationReview} as review where review.job_id = ${id} and review.state = 'waiting')`
  const forgotten: SQL = sql`${acknowledgedAt} < now() - interval '30 days' and not ${isReviewed}`
  const overdue =
    resultRetentionDays === undefined
      ? undefined
      : and(isNull(acknowledgedAt), sql`${completedAt} < now() - make_interval(days => ${resultRetentionDays})`)
  await deleteOldKeys(database.orm)
  let removed = pageSize
  while (removed === pageSize && !signal.aborted) {
    removed = await database.transaction(async (tx) => {
      const page = await tx
        .select({ id })
        .from(verificationJob)
        .where(or(forgotten, overdue))
        .limit(pageSize)
        .for('update', { skipLocked: true })
      const ids = page.map((row) => row.id)
      if (ids.length === 0) return 0
      await vault.erase(tx, ids)
      await tx.delete(verificationJob).where(inArray(id, ids))
      return ids.length
    })
  }
}
