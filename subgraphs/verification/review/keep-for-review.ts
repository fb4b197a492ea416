import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { encodeResult, type ReviewedResult } from '../jobs/result.ts'
import { verificationReview } from './tables.ts'

/**
 * In the transaction that makes a job final: leaves its images where they are, and keeps what the machine found beside them, which an
 * acknowledgement of the result does not take away.
 */
export async function keepForReview(tx: Transaction, vault: ImageVault, jobId: string, found: ReviewedResult): Promise<void> {
  await tx.insert(verificationReview).values({ jobId, reasons: found.crossValidations?.reasons ?? [] })
  await vault.seal(tx, [{ jobId, record: 'review', content: [encodeResult(found)] }])
}
