import type pg from 'pg'
import type { ApplyOptions, EngineSchema } from '../../../foundation/engine-start/engine-schema.ts'
import { refuseProblems } from '../../../foundation/engine-start/schema-at-start.ts'
import { codeOf, messageOf } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Database } from '../database.ts'
import { prepareRecord, readRecord, recordStatement } from './applied-migrations.ts'
import { applyConcurrently, applyInTransaction, type LockWaits, prepareConnection } from './apply-migration.ts'
import { type MigrationFile, readMigrations } from './migration-files.ts'
import { releaseMigrationLock, takeMigrationLock } from './migration-lock.ts'
import { type ProcessWatch, refuseOlderProcesses } from './older-processes.ts'
import { compareSchema, type SchemaState, statusOf } from './schema-state.ts'

const defaultWaits: LockWaits = { lockMs: 2000, tries: 100, restMs: 6000 }
/** pools close connections after 10 s idle, and busy processes connect more often */
const defaultWatch: ProcessWatch = { forMs: 10_000, everyMs: 500 }
const engine = 'PostgreSQL'

const lastNumber = (files: readonly MigrationFile[]): number => files.at(-1)?.number ?? 0

/**
 * The database schema: every NNNN-name.sql of a folder, applied once and in order. Concurrent migrations wait for one another. A changed or missing
 * applied file is refused and named, since the actual schema would be unknown.
 * @param options - `release`: of this process, such as 1.4.0; `waits`, `watch`: for tests
 */
export function relationalSchema(options: {
  readonly database: Database
  readonly folder: string
  readonly release: string
  readonly waits?: LockWaits
  readonly watch?: ProcessWatch
}): EngineSchema {
  const { database, folder, release, waits = defaultWaits, watch = defaultWatch } = options
  const schemaOf = async (client: Pick<pg.ClientBase, 'query'>): Promise<SchemaState> =>
    compareSchema(await readMigrations(folder), await readRecord(client), release)
  return {
    engine,
    async status(signal) {
      signal.throwIfAborted()
      return statusOf(await schemaOf(database.pool))
    },
    async apply(applying) {
      const state = await schemaOf(database.pool)
      refuseProblems(engine, state.problems)
      if (dueOf(state, applying).length === 0) return
      if (applying.contract === true && state.contracts.length > 0) {
        applying.onProgress(`checking for processes of other builds for ${watch.forMs / 1000} s`)
        await refuseOlderProcesses(
          database.pool,
          { version: release, schemaLevel: lastNumber(await readMigrations(folder)) },
          watch,
          applying.signal,
        )
      }
      const client = await database.pool.connect()
      try {
        await prepareConnection(client)
        await takeMigrationLock(client, applying.signal, () => applying.onProgress('another process is changing the schema; waiting'))
        await prepareRecord(client)
        await applyDue(client, await schemaOf(client), { ...applying, release, waits })
        await releaseMigrationLock(client)
      } finally {
        // closes the connection, whose settings differ from the pool's, and releases the lock
        client.release(true)
      }
    },
  }
}

interface Application extends ApplyOptions {
  readonly release: string
  readonly waits: LockWaits
}

const dueOf = ({ pending, contracts }: SchemaState, { contract = false }: ApplyOptions): readonly MigrationFile[] =>
  contract ? [...pending, ...contracts].sort((a, b) => a.number - b.number) : pending

async function applyDue(client: pg.ClientBase, state: SchemaState, applying: Application): Promise<void> {
  refuseProblems(engine, state.problems)
  for (const file of dueOf(state, applying)) {
    applying.signal.throwIfAborted()
    const durationMs = await applyPatiently(client, file, applying)
    applying.onProgress(`${file.name} applied in ${durationMs} ms`)
  }
}

/** Retries a file that does not get its locks in time, so that requests can proceed in between. */
async function applyPatiently(client: pg.ClientBase, file: MigrationFile, applying: Application): Promise<number> {
  const { release, waits, signal, onProgress } = applying
  for (let tried = 1; ; tried++) {
    try {
      return file.concurrently === undefined
        ? await applyInTransaction(client, file, release, waits.lockMs)
        : await applyConcurrently(client, file, file.concurrently, release)
    } catch (error) {
      if (!isAboutLocks(error))
        throw new Error(`The migration ${file.name} fails: ${messageOf(error)}${nextStep(error, file, release)}`, { cause: error })
      if (tried === waits.tries)
        throw new Error(
          `The migration ${file.name} did not get its locks in ${tried} attempts: check pg_stat_activity for long transactions`,
        )
      onProgress(`${file.name} waits for locks of other transactions (attempt ${tried} of ${waits.tries})`)
      await pause(waits.restMs * (0.5 + Math.random() / 2), signal)
      signal.throwIfAborted()
    }
  }
}

/** lock_not_available, deadlock_detected */
const isAboutLocks = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error))

/** duplicate_table, duplicate_column, duplicate_object, duplicate_function */
const isThereAlready = (error: unknown): boolean => ['42P07', '42701', '42710', '42723'].includes(codeOf(error))

/** Suggests to restore a lost record if the objects exist already. */
const nextStep = (error: unknown, file: MigrationFile, release: string): string =>
  isThereAlready(error) ? `; if it was applied and only its record was lost, restore the record: ${recordStatement(file, release)}` : ''
