import type pg from 'pg'
import { pause } from '../../../foundation/lifecycle.ts'
import { advisoryLocks } from '../advisory-locks.ts'

const askEveryMs = 250
const askAtMost = 2400

/**
 * Of many processes one migrates at a time. The lock is the session's own, so it ends with the connection that changes the schema. Who
 * waits asks again and again: one that waited in a statement would keep a snapshot, and an index that is built concurrently waits for those.
 * @throws {Error} when another one is at it for ten minutes
 */
export async function takeMigrationLock(client: pg.ClientBase, signal: AbortSignal, onWait: () => void): Promise<void> {
  for (let asked = 0; asked < askAtMost; asked++) {
    signal.throwIfAborted()
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [advisoryLocks.migrations])
    if (rows[0]?.taken === true) return
    if (asked === 0) onWait()
    await pause(askEveryMs, signal)
  }
  throw new Error('Another process has been changing the schema for ten minutes; try again when it is done')
}

export const giveMigrationLockBack = (client: pg.ClientBase): Promise<unknown> =>
  client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations])
