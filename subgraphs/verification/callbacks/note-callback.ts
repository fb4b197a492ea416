import type { Transaction } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'
import { type JobRow, verificationCallback } from '../tables.ts'
import { receiverOf } from './callback-address.ts'

/** In the transaction that makes a job final: what its receiver is to be told. */
export async function noteCallback(tx: Transaction, job: JobRow): Promise<void> {
  if (job.callbackUrl === null) return
  const { id: jobId, owner, callbackUrl } = job
  await tx
    .insert(verificationCallback)
    .values({ jobId, owner, receiver: receiverOf(callbackUrl), nextAt: sql`now()` })
    .onConflictDoNothing()
}
