import type { Transaction } from '../../../engines/relational/database.ts'
import { ne, sql } from '../../../engines/relational/drizzle.ts'
import { type JobRow, verificationCallback } from '../tables.ts'
import { receiverOf } from './callback-address.ts'

/**
 * Schedules the callback in the transaction that makes a job final. Another completion is delivered under another id, unless the receiver
 * has stopped it.
 */
export async function scheduleCallback(tx: Transaction, job: JobRow): Promise<void> {
  if (job.callbackUrl === null) return
  const { id: jobId, owner, callbackUrl } = job
  await tx
    .insert(verificationCallback)
    .values({ jobId, owner, receiver: receiverOf(callbackUrl), nextAt: sql`now()` })
    .onConflictDoUpdate({
      target: verificationCallback.jobId,
      // like a redelivery: an earlier attempt in progress is no longer recorded
      set: { state: 'pending', tries: 0, nextAt: sql`now()`, delivery: sql`${verificationCallback.delivery} + 1` },
      setWhere: ne(verificationCallback.state, 'stopped'),
    })
}
