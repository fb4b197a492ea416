import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { encodeResult, type ReviewedResult } from '../assessment/result.ts'
import { verificationReview } from './tables.ts'

/**
 * Keeps the images and the result of the automatic checks in the transaction that makes a job final; an acknowledgement of the result does
 * not
 * remove them.
 */
export async function keepForReview(tx: Transaction, vault: ImageVault, jobId: string, found: ReviewedResult): Promise<void> {
  await tx.insert(verificationReview).values({ jobId, reasons: found.crossValidations?.reasons ?? [] })
  await vault.seal(tx, [{ jobId, record: 'review', content: [encodeResult(found)] }])
}
