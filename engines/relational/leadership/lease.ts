import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { codeOf, EngineUnavailable } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { leadersOfFirstRelease } from '../advisory-locks.ts'
import type { Database } from '../database.ts'
import { translatedError } from '../query-errors.ts'
import { clientOf, type Transaction } from '../session.ts'

/** Durations of leases. A frozen or disconnected holder is replaced after `expiresMs`, at the next attempt of another process. */
export interface LeaseTimes {
  /** lifetime of a lease that is not renewed */
  readonly expiresMs: number
  readonly renewEveryMs: number
  /** time limit of a response of the server */
  readonly answerLimitMs: number
}

const defaultTimes: LeaseTimes = { expiresMs: 15_000, renewEveryMs: 4000, answerLimitMs: 4000 }
/** lock timeout on the lease row: beyond it its holder is writing */
const lockLimit = '1s'

/** The lease was lost: another process may be doing the work. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`another process holds the lease of ${name}`)
    this.name = 'LeaseLost'
  }
}

/** A lease on work that this process holds until it is lost or released. */
export interface Lease {
  readonly name: string
  /** aborted when the lease is lost, released, or may have expired unnoticed */
  readonly signal: AbortSignal
  /**
   * Locks the lease until the end of the transaction; must be called before any write in it. @throws {LeaseLost} if another process has it or may
   * have it
   */
  guard(tx: Transaction): Promise<void>
  /**
   * For writes outside a transaction; must be called immediately before. @throws {LeaseLost} if the lease may have expired, also after the process
   * was suspended
   */
  check(): void
  release(): Promise<void>
}

/**
 * Acquires a lease by the server's clock. The holder's name is the fencing token: writes of a former holder are rejected by it. Holds no connection,
 * so it works behind a transaction pooler.
 * @returns undefined while another process holds it
 * @throws {EngineUnavailable} if the server does not respond
 * @see Kleppmann, "How to do distributed locking", 2016 (leases, clocks and fencing tokens)
 */
export async function takeLease(
  database: Database,
  name: string,
  { expiresMs, renewEveryMs, answerLimitMs }: LeaseTimes = defaultTimes,
): Promise<Lease | undefined> {
  const holder = randomUUID()
  const lost = new AbortController()
  const seconds = expiresMs / 1000
  let requestedAt = performance.now()
  const taking = take(database, name, holder, seconds)
  const expire = () =>
    database.pool.query('update lease set expires_at = clock_timestamp() where name = $1 and holder = $2', [name, holder])
  try {
    if (!(await inTime(taking, answerLimitMs))) return undefined
  } catch (error) {
    // releases a lease that is acquired after the time limit, since it would not be renewed
    void taking.then((isTaken) => (isTaken ? expire() : undefined)).catch(() => undefined)
    throw error
  }
  let sureUntil = requestedAt + expiresMs
  const lose = (): void => lost.abort(new LeaseLost(name))

  const renew = async (): Promise<void> => {
    requestedAt = performance.now()
    const { rowCount } = await inTime(
      database.pool.query(
        'update lease set expires_at = clock_timestamp() + make_interval(secs => $3) where name = $1 and holder = $2 and expires_at > clock_timestamp()',
        [name, holder, seconds],
      ),
      answerLimitMs,
    )
    if (rowCount === 1) sureUntil = requestedAt + expiresMs
    else lose()
  }
  const renewing = (async () => {
    while (!lost.signal.aborted) {
      await pause(Math.min(renewEveryMs, Math.max(0, sureUntil - performance.now())), lost.signal)
      if (lost.signal.aborted) return
      if (performance.now() >= sureUntil) return lose()
      // the server may respond again before the lease expires
      await renew().catch(() => pause(renewEveryMs / 4, lost.signal))
    }
  })()

  const check = (): void => {
    if (performance.now() >= sureUntil) lose()
    lost.signal.throwIfAborted()
  }
  return {
    name,
    signal: lost.signal,
    check,
    async guard(tx) {
      check()
      const client = clientOf(tx)
      if (await isLedByFirstRelease(client, name)) {
        lose()
        throw new LeaseLost(name)
      }
      const { rowCount } = await client.query(
        // a renewal leaves the key unchanged and is not blocked; an acquisition waits for the end of the transaction, even of a frozen holder
        `with limited as (select set_config('idle_in_transaction_session_timeout', $3, true))
         select from lease, limited where name = $1 and holder = $2 and expires_at > clock_timestamp() for key share of lease`,
        [name, holder, String(expiresMs)],
      )
      if (rowCount !== 1) {
        lose()
        throw new LeaseLost(name)
      }
    },
    async release() {
      lose()
      await renewing
      await inTime(expire(), answerLimitMs).catch(() => undefined)
    },
  }
}

/** Acquires the lease as soon as that of a dead holder expires. @returns undefined if its holder is alive, as a renewal shows */
export async function takeLeaseInTime(database: Database, name: string, times: LeaseTimes = defaultTimes): Promise<Lease | undefined> {
  const expiry = async (): Promise<string | undefined> => {
    const { rows } = await inTime(
      database.pool.query<{ at: string }>('select expires_at::text as at from lease where name = $1', [name]),
      times.answerLimitMs,
    )
    return rows[0]?.at
  }
  const first = await expiry()
  for (;;) {
    const lease = await takeLease(database, name, times)
    if (lease !== undefined || (await expiry()) !== first) return lease
    await pause(times.renewEveryMs / 8)
  }
}

/** @returns false while another process holds the lease or writes under it */
async function take({ pool }: Database, name: string, holder: string, seconds: number): Promise<boolean> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query(`begin; set local lock_timeout = '${lockLimit}'`)
    if (await isLedByFirstRelease(client, name)) {
      await client.query('rollback')
      broken = false
      return false
    }
    await client.query(`insert into lease (name, holder, expires_at) values ($1, $2, '-infinity') on conflict (name) do nothing`, [
      name,
      holder,
    ])
    // locks the row as a key change would: waits for writers under the lease
    const { rowCount } = await client.query('select from lease where name = $1 and expires_at <= clock_timestamp() for update', [name])
    if (rowCount === 1)
      await client.query(
        'update lease set holder = $2, taken_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(secs => $3) where name = $1',
        [name, holder, seconds],
      )
    await client.query('commit')
    broken = false
    return rowCount === 1
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    await client.query('rollback')
    broken = false
    return false
  } finally {
    client.release(broken)
  }
}

/**
 * Whether a process of version 1.0 leads. Prevents one from starting to lead until the end of the transaction; processes of this release share the
 * lock.
 */
async function isLedByFirstRelease(client: pg.PoolClient, name: string): Promise<boolean> {
  const lock = leadersOfFirstRelease[name]
  if (lock === undefined) return false
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock_shared($1) as taken', [lock])
  return rows[0]?.taken !== true
}

const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

const inTime = <Result>(work: Promise<Result>, ms: number): Promise<Result> =>
  withTimeout(work, ms, undefined, () => new EngineUnavailable('database', new Error(`no response within ${ms} ms`))).catch(
    (error: unknown) => {
      throw translatedError(error)
    },
  )

/** Returns the database for work under a lease: each transaction first checks that the lease is still held. */
export function fenced(database: Database, lease: Lease): Database {
  return new Proxy(database, {
    get(target, member) {
      if (member !== 'transaction') return Reflect.get(target, member) as unknown
      const transaction: Database['transaction'] = (work, window) =>
        target.transaction(async (tx) => {
          await lease.guard(tx)
          return work(tx)
        }, window)
      return transaction
    },
  })
}
