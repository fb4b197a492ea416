import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, inArray, sql } from '../../../engines/relational/drizzle.ts'
import { deletePendingTemplate } from '../duplicates/stored-templates.ts'
import { verificationReview } from '../tables.ts'
import { unclaimed } from './review-claims.ts'

const pageSize = 1000

/**
 * Ends reviews that exceed the retention of their images: these are erased, and the outcome stays pending_review.
 * @param retentionDays - 0 ends all  @returns the number of ended reviews
 */
export async function expireReviews(database: Database, vault: ImageVault, retentionDays: number, signal: AbortSignal): Promise<number> {
  const { jobId, state, waitingSince } = verificationReview
  let lapsed = 0
  for (let page = pageSize; page === pageSize && !signal.aborted; lapsed += page) {
    page = await database.transaction(async (tx) => {
      const expired = await tx
        .select({ jobId })
        .from(verificationReview)
        .where(and(eq(state, 'waiting'), sql`${waitingSince} < now() - make_interval(days => ${retentionDays})`))
        .limit(pageSize)
        .for('update', { skipLocked: true })
      const ids = expired.map((row) => row.jobId)
      if (ids.length === 0) return 0
      await vault.erase(tx, ids, 'submission')
      await vault.erase(tx, ids, 'review')
      await deletePendingTemplate(tx, ids)
      await tx
        .update(verificationReview)
        .set({ ...unclaimed, state: 'lapsed', reasons: [] })
        .where(inArray(jobId, ids))
      return ids.length
    })
  }
  return lapsed
}
