import pg from 'pg'
import { z } from 'zod'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded, EngineUnavailable, messageOf, OutcomeUnknown } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { indicatesUnavailable } from './query-errors.ts'

/** Identifies a transaction, so that its outcome can be determined later. */
interface TransactionId {
  /** xid8 */
  readonly xid: string
  /** flushed WAL position when the transaction got its id (pg_lsn); no crash undoes that */
  readonly flushed: string
  /** WAL timeline of the server; a promoted standby starts a new one */
  readonly timeline: string
  /** server time of the start (timestamptz) */
  readonly since: string
}

/** A transaction that commits in time or not at all. */
export interface TimedTransaction extends TransactionId {
  /** start at the server or slightly later, by performance.now() */
  readonly begunAt: number
}

const pollMs = 50
/** maximum wait for an outcome without a window */
const maxWaitMs = 10_000
/** part of the wait that is reserved for the response of the server */
const responseReserveMs = 500

/**
 * Begins a transaction whose statements the server cancels at the deadline. @param maxMs - limit of a statement in any case
 * @throws {DeadlineExceeded} if the deadline has passed
 */
export async function beginTimed(client: pg.PoolClient, { remainingMs }: CommitWindow, maxMs: number): Promise<TimedTransaction> {
  if (remainingMs === 0) throw new DeadlineExceeded()
  const limitMs = Math.max(1, Math.floor(Math.min(remainingMs, maxMs)))
  // one message, one response: node-postgres types the results of several statements as one
  const results: unknown = await client.query(
    `begin; set local statement_timeout = ${limitMs}; select pg_current_xact_id() as xid, ${flushedNow} as flushed, ${timelineNow} as timeline, now()::text as since`,
  )
  const begunAt = performance.now()
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  return { ...transactionIdIn(last), begunAt }
}

const flushedNow = 'pg_current_wal_flush_lsn()'
const timelineNow = `left(pg_walfile_name(${flushedNow}), 8)`

/**
 * Commits if time remains. The server refuses a late commit by its own clock, so clocks need not agree; if its response is lost, the outcome of the
 * transaction is queried.
 * @throws {DeadlineExceeded} {EngineUnavailable} if nothing was committed
 * @throws {OutcomeUnknown} if the outcome cannot be determined in time
 */
export function commitTimed(pool: pg.Pool, client: pg.PoolClient, window: CommitWindow, begun: TimedTransaction): Promise<void> {
  return window.commit(async () => {
    const latestMs = Math.max(1, Math.floor(performance.now() + window.patienceMs - responseReserveMs - begun.begunAt))
    const isInTime = Number.isFinite(latestMs)
      ? `select 1 / (clock_timestamp() - transaction_timestamp() < interval '${latestMs} ms')::int; `
      : ''
    try {
      await client.query(`${isInTime}commit`)
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === divisionByZero) throw new DeadlineExceeded(undefined, error)
      if (!isLost(error)) throw error
      const outcome = await outcomeOf(pool, begun, window.patienceMs)
      if (outcome === 'aborted') throw new EngineUnavailable('database', error)
      if (outcome === 'unknown') throw new OutcomeUnknown(new Error(messageOf(error)))
    }
  })
}

const divisionByZero = '22012'

/** Whether the server may have committed although the client got an error: the connection or the whole server failed. */
function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(error.code ?? '')
  return indicatesUnavailable(error) && !/not queryable/.test(messageOf(error))
}

/**
 * Whether the id still belongs to our transaction. A crashed server forgets ids of transactions of which nothing reached the disk and assigns them
 * again; `pg_xact_status` then reports on another transaction.
 *
 * Crash recovery ends with a checkpoint at the end of the WAL (only checkpoints of a starting or stopping server begin where they are written), which
 * contains the next id. If the last checkpoint began before the WAL that was already flushed, there was no crash since. After a later one, such as
 * that of DROP DATABASE, the WAL statistics decide: a crash resets them. For a promoted standby the answer is unknown.
 */
const isOurs = `
  case when timeline <> $3 then null
    when redo_lsn < $2::pg_lsn then true
    when redo_lsn = checkpoint_lsn
      then split_part(next_xid, ':', 1)::numeric * 4294967296 + split_part(next_xid, ':', 2)::numeric > $1::numeric
    when (select stats_reset from pg_stat_wal) < $4::timestamptz then true
  end`
/** Fails on a standby, which has no timeline of its own and may not have replayed the transaction yet. */
const outcomeQuery = `
  with server as materialized (select ${timelineNow} as timeline, redo_lsn, checkpoint_lsn, next_xid from pg_control_checkpoint())
  select ${isOurs} as is_ours, pg_xact_status($1::text::xid8) as status from server`

/**
 * Queries the outcome of a transaction (PostgreSQL, "Transaction ID and Snapshot Information Functions" and "Control Data Functions"). "aborted" is
 * true for every transaction with that id; "committed" may refer to a later one.
 */
async function outcomeOf(pool: pg.Pool, { xid, flushed, timeline, since }: TransactionId, patienceMs: number): Promise<Outcome> {
  /** @returns undefined while the transaction is running */
  const readOutcome = async (): Promise<Outcome | undefined> => {
    const { rows } = await pool.query<{ status: string | null; is_ours: boolean | null }>(outcomeQuery, [xid, flushed, timeline, since])
    const [{ status, is_ours: ours } = { status: null, is_ours: null }] = rows
    if (status === 'committed') return ours === null ? 'unknown' : ours ? 'committed' : 'aborted'
    return status === 'aborted' ? 'aborted' : undefined
  }
  const timeoutError = (): Error => new Error('the database did not report the outcome of the transaction within the time limit')
  for (const until = performance.now() + Math.min(patienceMs, maxWaitMs); performance.now() < until; await pause(pollMs)) {
    const outcome = await withTimeout(readOutcome(), until - performance.now(), undefined, timeoutError).catch(abortedIfNeverAssigned)
    if (outcome !== undefined) return outcome
  }
  return 'unknown'
}

type Outcome = 'committed' | 'aborted' | 'unknown'

/** An id "in the future" was forgotten, with its transaction. */
const abortedIfNeverAssigned = (error: unknown): 'aborted' | undefined =>
  error instanceof pg.DatabaseError && error.code === invalidParameter ? 'aborted' : undefined
const invalidParameter = '22023'

function transactionIdIn(result: unknown): TransactionId {
  const rows: unknown = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : undefined
  const { data } = Answer.safeParse(rows)
  if (data === undefined) throw new Error('PostgreSQL returned no id for a new transaction')
  return data[0]
}

const Answer = z.tuple([z.object({ xid: z.string(), flushed: z.string(), timeline: z.string(), since: z.string() })])
