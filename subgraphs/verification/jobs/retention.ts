import type { SQL } from 'drizzle-orm'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, inArray, isNotNull, isNull, or, sql } from '../../../engines/relational/drizzle.ts'
import { statusDays } from '../access/visibility.ts'
import { deleteOldKeys } from '../intake/idempotency.ts'
import { verificationJob, verificationReview } from '../tables.ts'

const pageSize = 1000

export interface JobRetention {
  /** days after the end of an unacknowledged job; undefined: forever */
  readonly resultDays: number | undefined
  /** days after an acknowledgement in which administrators can see outcome and reasons; 0: not at all */
  readonly outcomeDays: number
}

/**
 * Removes acknowledged jobs, unless a review is pending, and, with a retention period, unacknowledged jobs that finished before it, each with
 * its sealed records in one transaction.
 */
export async function removeOldJobs(
  database: Database,
  vault: ImageVault,
  { resultDays, outcomeDays }: JobRetention,
  signal: AbortSignal,
): Promise<void> {
  const { id, acknowledgedAt, completedAt, reasons } = verificationJob
  const isReviewed = sql`exists (select from ${verificationReview} as review where review.job_id = ${id} and review.state in ('waiting', 'held'))`
  const isHeld = sql`exists (select from ${verificationReview} as review where review.job_id = ${id} and review.state = 'held')`
  const forgotten: SQL = sql`${acknowledgedAt} < now() - make_interval(days => ${Math.max(statusDays, outcomeDays)}) and not ${isReviewed}`
  const overdue =
    resultDays === undefined
      ? undefined
      : and(isNull(acknowledgedAt), sql`${completedAt} < now() - make_interval(days => ${resultDays})`, sql`not ${isHeld}`)
  await deleteOldKeys(database.orm)
  if (outcomeDays < statusDays)
    await database.orm
      .update(verificationJob)
      .set({ reasons: null, failureReason: null })
      .where(and(sql`${acknowledgedAt} < now() - make_interval(days => ${outcomeDays})`, isNotNull(reasons)))
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
