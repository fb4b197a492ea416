import { Fault } from '../../../foundation/fault.ts'
import type { Database } from '../database.ts'
import { type Lease, type LeaseTimes, takeLeaseInTime } from './lease.ts'

/**
 * Does what only one process of all may be at. After one that was killed it waits until that one's lease is over, 15 s at most.
 * @param name - of the work, the same in every process   @param sentence - what the others are told
 * @param work - writes under the lease, see `Lease`   @param times - for tests
 * @throws {Fault} CONFLICT when somebody else is at it   @throws {LeaseLost} from its guard, when this process was away for too long
 */
export async function oneAtATime<Result>(
  database: Database,
  name: string,
  sentence: string,
  work: (lease: Lease) => Promise<Result>,
  times?: LeaseTimes,
): Promise<Result> {
  const lease = await takeLeaseInTime(database, name, times)
  if (lease === undefined) throw new Fault('CONFLICT', sentence)
  try {
    return await work(lease)
  } finally {
    await lease.release()
  }
}
