import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, isNotNull, isNull, sql } from '../../../engines/relational/drizzle.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { notHandedOut } from '../review/decision/handed-out.ts'
import { verificationJob } from '../tables.ts'
import type { Visibility } from '../visibility.ts'

/**
 * Takes results off the store: marked and erased in one transaction.
 * @param account - writes in the same transaction what has been done
 * @returns which were acknowledged now; every other distinct id is not found (unknown, foreign, unfinished, acknowledged before, or decided
 * by a person since it was last handed out: it comes again)
 */
export async function acknowledge(
  { database, vault }: { readonly database: Database; readonly vault: ImageVault },
  visibility: Visibility,
  jobIds: readonly string[],
  account: (tx: Transaction, acknowledged: readonly string[]) => Promise<void>,
  deadline?: Deadline,
): Promise<{ readonly acknowledged: readonly string[]; readonly notFound: number }> {
  const distinct = [...new Set(jobIds)]
  const known = distinct.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  if (known.length === 0) return { acknowledged: [], notFound: distinct.length }
  const acknowledged = await database.transaction(async (tx) => {
    const rows = await tx
      .update(verificationJob)
      .set({ acknowledgedAt: sql`now()` })
      .where(
        and(
          // `= any(…)` may become a filter of another index: each of 100,000 rows against each of 100,000 ids
          sql`${verificationJob.id} in (select unnest(${sql.param(known)}::text[]))`,
          isNotNull(verificationJob.completedAt),
          isNull(verificationJob.acknowledgedAt),
          sql`not ${notHandedOut}`,
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
