import type pg from 'pg'
import { pause } from '../../../foundation/lifecycle.ts'
import { advisoryLocks } from '../advisory-locks.ts'

const pollEveryMs = 250
const maxAttempts = 2400

/**
 * Acquires the session lock of migrations, which ends with the connection. Polls instead of waiting in a statement, whose snapshot would block
 * concurrent index builds. @throws {Error} after ten minutes
 */
export async function takeMigrationLock(client: pg.ClientBase, signal: AbortSignal, onWait: () => void): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    signal.throwIfAborted()
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [advisoryLocks.migrations])
    if (rows[0]?.taken === true) return
    if (attempt === 0) onWait()
    await pause(pollEveryMs, signal)
  }
  throw new Error('Another process has been migrating the schema for ten minutes: try again when it has finished')
}

export const releaseMigrationLock = (client: pg.ClientBase): Promise<unknown> =>
  client.query('select pg_advisory_unlock($1)', [advisoryLocks.migrations])
