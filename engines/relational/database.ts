import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { refuseOld } from '../../foundation/engine-start/engine-opening.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { FullDisk, Stalled } from '../../foundation/health/stalled.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { DatabaseServer } from './connections/database-server.ts'
import { openPool } from './connections/pool.ts'
import { connectReasonOf, translatedError } from './query-errors.ts'
import { sessionOn, type Transaction } from './session.ts'

export type { Transaction } from './session.ts'
/** A transaction, or the pool for single statements. */
export type Queryable = NodePgDatabase | Transaction

/**
 * PostgreSQL 15 or newer. Throws EngineUnavailable if the server is unavailable, shutting down, out of connections or too slow, QueryRefused for a
 * statement that it rejects. Nothing is retried here.
 */
export interface Database extends Part {
  readonly orm: NodePgDatabase
  /** for what Drizzle cannot express; throws the driver's errors */
  readonly pool: pg.Pool
  /**
   * Commits when `work` resolves, rolls back when it rejects. @param window - of the caller; a commit that would be too late is rolled back
   * @throws {DeadlineExceeded} if it was not committed in time
   * @throws {OutcomeUnknown} if the outcome is unknown
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, window?: CommitWindow): Promise<Result>
  /**
   * @throws {EngineUnavailable} if the server does not respond before the signal is aborted
   * @throws {Stalled} while it rejects writes for lack of disk space, or its clock differs from this machine's
   */
  health(signal: AbortSignal): Promise<void>
}

const statementLimitMs = 15_000
const idleTransactionLimitMs = 30_000
/** for a frozen or unreachable server; the server's own limit is shorter */
const answerLimitMs = 20_000
const closeLimitMs = 5000
/** Maximum clock difference for tokens and timestamps to work; network latency is smaller. */
export const clockToleranceMs = 5000
/** oldest supported major version of PostgreSQL */
export const oldestVersion = 15

/**
 * @param aheadMs - how far the database clock is ahead of this machine's
 * @throws {Stalled} beyond the tolerance
 */
function refuseClockDifference(aheadMs: number): void {
  if (Math.abs(aheadMs) <= clockToleranceMs) return
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  throw new Stalled(
    `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of the database; synchronise both with NTP`,
  )
}

/**
 * @param refusal - called for each new connection; returns an error while the database must not be used yet
 * @param poolSize - maximum connections; callers wait up to `connectLimitMs` for a free one
 */
export function openDatabase(
  options: DatabaseServer & {
    readonly name: string
    readonly poolSize: number
    readonly log: Log
    readonly connectLimitMs?: number
    readonly refusal?: () => EngineUnavailable | undefined
  },
): Database {
  const { name, poolSize, recheck, connectLimitMs = 5000 } = options
  const pool = openPool({
    ...options,
    settings: {
      max: poolSize,
      application_name: name,
      connectionTimeoutMillis: connectLimitMs,
      statement_timeout: statementLimitMs,
      idle_in_transaction_session_timeout: idleTransactionLimitMs,
      query_timeout: answerLimitMs,
      keepAlive: true,
    },
  })
  const disk = new FullDisk()
  const { orm, transactionWithin } = sessionOn(pool, statementLimitMs, (failure) => {
    if (!(failure instanceof EngineUnavailable)) return
    disk.note(failure.cause)
    recheck?.()
  })

  const ask = async (statement: string, signal: AbortSignal): Promise<unknown> => {
    const answer = pool.query<{ answer: unknown }>(statement).then(({ rows }) => rows[0]?.answer)
    try {
      return await withTimeout(
        answer,
        connectLimitMs,
        signal,
        () => new EngineUnavailable('database', new Error(`no connection within ${connectLimitMs} ms`)),
      )
    } catch (error) {
      throw translatedError(error)
    }
  }

  return {
    name: 'database',
    orm,
    pool,
    transaction: (work, window) => (window === undefined ? orm.transaction(work) : transactionWithin(work, window)),
    async health(signal) {
      refuseClockDifference(Number(await ask('select extract(epoch from clock_timestamp())::float8 as answer', signal)) * 1000 - Date.now())
      disk.refuse()
    },
    async start(signal) {
      let version: string
      try {
        version = String(await ask("select current_setting('server_version') as answer", signal))
      } catch (error) {
        const cause = error instanceof EngineUnavailable ? error.cause : error
        throw new Error(`The database cannot be used: ${connectReasonOf(cause)}`, { cause: error })
      }
      refuseOld('PostgreSQL', version, oldestVersion)
    },
    async stop() {
      if (pool.ended || pool.ending) return
      await withTimeout(pool.end(), closeLimitMs, undefined, () => new Error(`${pool.totalCount} connections are still in use`))
    },
  }
}
