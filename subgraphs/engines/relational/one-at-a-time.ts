import { Fault } from '../../foundation/fault.ts'
import type { Database } from './database.ts'

/**
 * Does what only one process of all may be at.
 * @param lock - one of `advisoryLocks`   @param sentence - what the others are told
 * @throws {Fault} CONFLICT when somebody else is at it
 */
export async function oneAtATime<Result>(
  { pool }: Pick<Database, 'pool'>,
  lock: number,
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = await pool.connect()
  try {
    const { rows } = await holder.query<{ yes: boolean }>(`select pg_try_advisory_lock(${lock}) as yes`)
    if (rows[0]?.yes !== true) throw new Fault('CONFLICT', sentence)
    return await work()
  } finally {
    // the lock goes with the connection
    holder.release(true)
  }
}
