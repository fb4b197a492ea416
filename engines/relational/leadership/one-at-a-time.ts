import { Fault } from '../../../foundation/fault.ts'
import type { Database } from '../database.ts'
import { type Lease, type LeaseTimes, takeLeaseInTime } from './lease.ts'

/**
 * Runs work in one process at a time; waits up to 15 s for the lease of a killed process.
 * @param name - of the work, the same in every process
 * @param sentence - error message for the other processes
 * @param work - writes under the lease, see `Lease`
 * @param times - for tests
 * @throws {Fault} CONFLICT if another process is running it
 * @throws {LeaseLost} from its guard, if this process was suspended too long
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
