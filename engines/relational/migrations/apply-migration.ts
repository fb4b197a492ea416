import type pg from 'pg'
import { recordBegun, recordFinished } from './applied-migrations.ts'
import type { ConcurrentStatement, MigrationFile } from './migration-files.ts'

/** of a statement that builds something; the pool's own limits are for requests */
const longestMs = 6 * 3_600_000

const runLong = (client: pg.ClientBase, text: string): Promise<unknown> => client.query({ text, ...{ query_timeout: longestMs } })

/** Nobody waits longer than that behind a change of the schema that waits itself. */
export interface LockWaits {
  readonly lockMs: number
  readonly tries: number
  /** before another try, at most; half of it at least */
  readonly restMs: number
}

/** What this connection may do is no matter of requests: it is closed afterwards. */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = ${longestMs}; set client_connection_check_interval = '5s'`)
}

/** A whole file or nothing of it. @returns milliseconds */
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

/** Statement by statement, each of which changes nothing when it was done before. @returns milliseconds */
export async function applyConcurrently(
  client: pg.ClientBase,
  file: MigrationFile,
  statements: readonly ConcurrentStatement[],
  release: string,
): Promise<number> {
  await recordBegun(client, file, release)
  // such a statement waits for transactions that are older than it, and nobody waits behind it
  await client.query(`set lock_timeout = ${longestMs}`)
  for (const { text, verb, index } of statements) {
    if (verb === 'create' && (await isInvalid(client, index))) await runLong(client, `drop index concurrently if exists ${index}`)
    await runLong(client, text)
  }
  return recordFinished(client, file)
}

/** What a failed building has left: it is kept up with each write and answers no question. @see PostgreSQL manual, "Building Indexes Concurrently" */
async function isInvalid(client: pg.ClientBase, index: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [index])
  return rowCount === 1
}
