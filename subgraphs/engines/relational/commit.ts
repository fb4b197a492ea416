import pg from 'pg'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded, EngineUnavailable, messageOf, OutcomeUnknown } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { saysUnavailable } from './query-errors.ts'

/** A transaction that becomes durable in time, or not at all. */
export interface TimedTransaction {
  /** of the server (xid8), to ask later what became of it */
  readonly xid: string
  /** by performance.now(): when the server had begun it, or a little later */
  readonly begunAt: number
}

const askAgainMs = 50
/** where nobody says how long the outcome is waited for */
const longestMs = 10_000
/** what is left of the patience for the server's answer to come back */
const wayBackMs = 500

/**
 * Begins a transaction whose statements the server cancels when the time is over.
 * @param mostMs - what a statement may take in any case   @throws {DeadlineExceeded} when the time is over already
 */
export async function beginTimed(client: pg.PoolClient, { remainingMs }: CommitWindow, mostMs: number): Promise<TimedTransaction> {
  if (remainingMs === 0) throw new DeadlineExceeded()
  const limitMs = Math.max(1, Math.floor(Math.min(remainingMs, mostMs)))
  // one message, one answer: node-postgres types the results of several statements as one
  const results: unknown = await client.query(`begin; set local statement_timeout = ${limitMs}; select pg_current_xact_id() as xid`)
  const begunAt = performance.now()
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  return { xid: xidIn(last), begunAt }
}

/**
 * Commits when there is time left. The server itself refuses a commit that reaches it too late (both its readings are of its own clock, so
 * clocks need not agree), and when its answer is lost it is asked what became of the transaction.
 * @throws {DeadlineExceeded} {EngineUnavailable} when nothing was committed   @throws {OutcomeUnknown} when nobody can tell in time
 */
export function commitTimed(pool: pg.Pool, client: pg.PoolClient, window: CommitWindow, { xid, begunAt }: TimedTransaction): Promise<void> {
  return window.commit(async () => {
    const latestMs = Math.max(1, Math.floor(performance.now() + window.patienceMs - wayBackMs - begunAt))
    const isInTime = Number.isFinite(latestMs)
      ? `select 1 / (clock_timestamp() - transaction_timestamp() < interval '${latestMs} ms')::int; `
      : ''
    try {
      await client.query(`${isInTime}commit`)
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === divisionByZero) throw new DeadlineExceeded(undefined, error)
      if (!isLost(error)) throw error
      const outcome = await outcomeOf(pool, xid, window.patienceMs)
      if (outcome === 'aborted') throw new EngineUnavailable('database', error)
      if (outcome === undefined) throw new OutcomeUnknown(new Error(messageOf(error)))
    }
  })
}

const divisionByZero = '22012'

/** Whether the server may have committed without our hearing of it: then what failed is the connection, or the server as a whole. */
function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(error.code ?? '')
  return saysUnavailable(error) && !/not queryable/.test(messageOf(error))
}

/** What became of a transaction, as its server says (PostgreSQL, "Transaction ID and Snapshot Information Functions"). */
async function outcomeOf(pool: pg.Pool, xid: string, patienceMs: number): Promise<'committed' | 'aborted' | undefined> {
  const look = async (): Promise<string | null | undefined> => {
    const { rows } = await pool.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [xid])
    return rows[0]?.status
  }
  const notYet = (): Error => new Error('no answer in time')
  for (const until = performance.now() + Math.min(patienceMs, longestMs); performance.now() < until; await pause(askAgainMs)) {
    const status = await withTimeout(look(), until - performance.now(), undefined, notYet).catch(() => undefined)
    if (status === 'committed' || status === 'aborted') return status
  }
  return undefined
}

function xidIn(result: unknown): string {
  const rows: unknown = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : undefined
  const first: unknown = Array.isArray(rows) ? rows[0] : undefined
  if (typeof first === 'object' && first !== null && 'xid' in first && typeof first.xid === 'string') return first.xid
  throw new Error('PostgreSQL began a transaction without saying which')
}
