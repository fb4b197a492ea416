import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { refuseOld } from '../../foundation/engine-start/engine-refusal.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { FullDisk } from '../../foundation/health/full-disk.ts'
import { Stalled } from '../../foundation/health/stalled.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { DatabaseServer } from './connections/database-server.ts'
import { openPool } from './connections/pool.ts'
import { connectReasonOf, translated } from './query-errors.ts'
import { sessionOn, type Transaction } from './session.ts'

export type { Transaction } from './session.ts'
/** Where a statement may run: in a transaction or on its own. */
export type Queryable = NodePgDatabase | Transaction

/**
 * PostgreSQL, 15 or newer. A server that is away, shuts down, has no connection left or takes too long is EngineUnavailable; a statement
 * that it refuses is QueryRefused. Nothing is retried here.
 */
export interface Database extends Part {
  readonly orm: NodePgDatabase
  /** for what Drizzle cannot say; its errors are the driver's own */
  readonly pool: pg.Pool
  /**
   * Commits when `work` resolves, rolls back when it throws.
   * @param window - of who waits for it: what would be committed too late is rolled back
   * @throws {DeadlineExceeded} for lack of time: nothing was committed   @throws {OutcomeUnknown} when it was lost whether it was
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, window?: CommitWindow): Promise<Result>
  /**
   * @throws {EngineUnavailable} when the server does not answer before the signal is aborted
   * @throws {Stalled} while it answers and refuses, for lack of space, what is to be written; or when its clock is not this machine's
   */
  health(signal: AbortSignal): Promise<void>
}

const statementLimitMs = 15_000
const idleTransactionLimitMs = 30_000
/** the server's own limit comes first; this one is for a server that is frozen or unreachable */
const answerLimitMs = 20_000
const closeLimitMs = 5000
/** Tokens and times do not fit beyond it. What an answer takes on its way is less. */
export const clockToleranceMs = 5000
/** of PostgreSQL, that we work with */
export const oldestVersion = 15

/** @param aheadMs - how far the clock of the database is ahead of this machine's   @throws {Stalled} when it is far */
function refuseApart(aheadMs: number): void {
  if (Math.abs(aheadMs) <= clockToleranceMs) return
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  throw new Stalled(`The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's; let NTP set both`)
}

/**
 * @param refusal - asked at each new connection: what it gets instead while nobody may use the database yet
 * @param poolSize - connections at most; who finds none free waits for `connectLimitMs`
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
  const { name, poolSize, lookAgain, connectLimitMs = 5000 } = options
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
    lookAgain?.()
  })

  const ask = async (statement: string, signal: AbortSignal): Promise<unknown> => {
    const answer = pool.query<{ answer: unknown }>(statement).then(({ rows }) => rows[0]?.answer)
    try {
      return await withTimeout(answer, connectLimitMs, signal, () => new EngineUnavailable('database', new Error('no answer in time')))
    } catch (error) {
      throw translated(error)
    }
  }

  return {
    name: 'database',
    orm,
    pool,
    transaction: (work, window) => (window === undefined ? orm.transaction(work) : transactionWithin(work, window)),
    async health(signal) {
      refuseApart(Number(await ask('select extract(epoch from clock_timestamp())::float8 as answer', signal)) * 1000 - Date.now())
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
