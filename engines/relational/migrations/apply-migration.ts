import type pg from 'pg'
import { recordBegun, recordFinished } from './applied-migrations.ts'
import type { ConcurrentStatement, MigrationFile } from './migration-files.ts'

/** statement timeout of a migration; the limits of the pool are for requests */
const maxMs = 6 * 3_600_000

const runLong = (client: pg.ClientBase, text: string): Promise<unknown> => client.query({ text, ...{ query_timeout: maxMs } })

/** Limits how long requests can queue behind a schema change that waits for its lock. */
export interface LockWaits {
  readonly lockMs: number
  readonly tries: number
  /** maximum delay before the next attempt; the minimum is half of it */
  readonly restMs: number
}

/** Sets the limits of a migration; the connection is closed afterwards. */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = ${maxMs}; set client_connection_check_interval = '5s'`)
}

/** Applies a whole file in one transaction. @returns milliseconds */
export async function applyInTransaction(client: pg.ClientBase, file: MigrationFile, release: string, lockMs: number): Promise<number> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockMs}`)
    await recordBegun(client, file, release)
    await runLong(client, file.content)
    const durationMs = await recordFinished(client, file)
    await client.query('commit')
    return durationMs
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Applies idempotent statements one by one outside a transaction. @returns milliseconds */
export async function applyConcurrently(
  client: pg.ClientBase,
  file: MigrationFile,
  statements: readonly ConcurrentStatement[],
  release: string,
): Promise<number> {
  await recordBegun(client, file, release)
  // such a statement waits for older transactions without blocking others
  await client.query(`set lock_timeout = ${maxMs}`)
  for (const { text, verb, index } of statements) {
    if (verb === 'create' && (await isInvalid(client, index))) await runLong(client, `drop index concurrently if exists ${index}`)
    await runLong(client, text)
  }
  return recordFinished(client, file)
}

/**
 * Whether an index is the remains of a failed build: it is maintained on writes but not used. @see PostgreSQL manual, "Building Indexes Concurrently"
 */
async function isInvalid(client: pg.ClientBase, index: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [index])
  return rowCount === 1
}
