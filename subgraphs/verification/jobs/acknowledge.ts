import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, isNotNull, isNull, sql } from '../../../engines/relational/drizzle.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import type { Visibility } from '../access/visibility.ts'
import { verificationJob } from '../tables.ts'
import { hasUnreturnedDecision } from './poll-results.ts'

/**
 * Marks results as acknowledged and erases them in one transaction.
 * @param account - writes the audit record in the same transaction
 * @param options - `keepsReasons`: whether the findings remain for administrators (OUTCOME_RETENTION_DAYS)
 * @returns the ids acknowledged by this call; every other distinct id is not found (unknown, another caller's, not final, already
 * acknowledged, or changed by a reviewer since it was last returned: then it is returned again)
 */
export async function acknowledge(
  { database, vault }: { readonly database: Database; readonly vault: ImageVault },
  visibility: Visibility,
  jobIds: readonly string[],
  account: (tx: Transaction, acknowledged: readonly string[]) => Promise<void>,
  { keepsReasons, deadline }: { readonly keepsReasons: boolean; readonly deadline?: Deadline },
): Promise<{ readonly acknowledged: readonly string[]; readonly notFound: number }> {
  const distinct = [...new Set(jobIds)]
  const validIds = distinct.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  if (validIds.length === 0) return { acknowledged: [], notFound: distinct.length }
  const acknowledged = await database.transaction(async (tx) => {
    const rows = await tx
      .update(verificationJob)
      .set({ acknowledgedAt: sql`now()`, ...(!keepsReasons && { reasons: null, failureReason: null }) })
      .where(
        and(
          // the planner may apply `= any(…)` as a filter of another index: 100,000 rows times 100,000 ids
          sql`${verificationJob.id} in (select unnest(${sql.param(validIds)}::text[]))`,
          isNotNull(verificationJob.completedAt),
          isNull(verificationJob.acknowledgedAt),
          sql`not ${hasUnreturnedDecision}`,
          visibility === 'all' ? undefined : eq(verificationJob.owner, visibility.owner),
        ),
      )
      .returning({ id: verificationJob.id })
    const ids = rows.map((row) => row.id)
    if (ids.length > 0) {
      await vault.erase(tx, ids, 'result')
      await account(tx, ids)
    }
    return ids
  }, deadline)
  return { acknowledged, notFound: distinct.length - acknowledged.length }
}
