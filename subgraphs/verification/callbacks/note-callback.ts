import type { Transaction } from '../../../engines/relational/database.ts'
import { ne, sql } from '../../../engines/relational/drizzle.ts'
import { type JobRow, verificationCallback } from '../tables.ts'
import { receiverOf } from './callback-address.ts'

/**
 * In the transaction that makes a job final: what its receiver is to be told. A job that becomes final again is told again, under another id;
 * not to a receiver that wants no more of it.
 */
export async function noteCallback(tx: Transaction, job: JobRow): Promise<void> {
  if (job.callbackUrl === null) return
  const { id: jobId, owner, callbackUrl } = job
  await tx
    .insert(verificationCallback)
    .values({ jobId, owner, receiver: receiverOf(callbackUrl), nextAt: sql`now()` })
    .onConflictDoUpdate({
      target: verificationCallback.jobId,
      // as a redelivery: a try of before that is still under way is not noted any more
      set: { state: 'pending', tries: 0, nextAt: sql`now()`, delivery: sql`${verificationCallback.delivery} + 1` },
      setWhere: ne(verificationCallback.state, 'stopped'),
    })
}
