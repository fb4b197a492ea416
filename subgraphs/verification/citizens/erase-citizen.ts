import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { chipChallenge } from '../chip/tables.ts'
import { eraseTemplates } from '../duplicates/stored-templates.ts'
import { deleteErasedFromKeys } from '../intake/idempotency.ts'
import { livenessChallenge } from '../liveness/tables.ts'
import { verificationJob, verificationReviewCase } from '../tables.ts'

/** What the erasure of verifications removed. */
export interface ErasedVerifications {
  readonly jobIds: readonly string[]
  readonly templates: number
  readonly challenges: number
}

/**
 * Erases all verifications of a citizen in one transaction: jobs of all callers in every state, with images, results, reviews, callbacks,
 * challenges, Idempotency-Keys and face templates. A worker that runs one of the jobs finds no row to write.
 * @param account - writes the audit record in the same transaction
 * @returns the ids of the erased jobs
 */
export async function eraseCitizen(
  { database, vault }: { readonly database: Database; readonly vault: ImageVault },
  code: string,
  account: (tx: Transaction, erased: ErasedVerifications) => Promise<void>,
  deadline?: Deadline,
): Promise<readonly string[]> {
  return database.transaction(async (tx) => {
    const rows = await tx
      .select({ id: verificationJob.id })
      .from(verificationJob)
      .where(eq(verificationJob.citizenCode, code))
      .for('update')
    const jobIds = rows.map((row) => row.id)
    await vault.erase(tx, jobIds)
    await deleteErasedFromKeys(tx, jobIds)
    await tx.delete(verificationReviewCase).where(sql`${verificationReviewCase.jobId} = any(${sql.param(jobIds)}::text[])`)
    const templates = await eraseTemplates(tx, code)
    const chips = await tx.delete(chipChallenge).where(eq(chipChallenge.citizenCode, code)).returning({ nonce: chipChallenge.nonce })
    const frames = await tx
      .delete(livenessChallenge)
      .where(eq(livenessChallenge.citizenCode, code))
      .returning({ nonce: livenessChallenge.nonce })
    await tx.delete(verificationJob).where(sql`${verificationJob.id} = any(${sql.param(jobIds)}::text[])`)
    await account(tx, { jobIds, templates, challenges: chips.length + frames.length })
    return jobIds
  }, deadline)
}
