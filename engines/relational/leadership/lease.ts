import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { codeOf, EngineUnavailable } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { leadersOfFirstRelease } from '../advisory-locks.ts'
import type { Database } from '../database.ts'
import { translated } from '../query-errors.ts'
import { clientOf, type Transaction } from '../session.ts'

/** How long things take. A holder that is frozen, or cut off, is replaced after `expiresMs`, at the next try of somebody else. */
export interface LeaseTimes {
  /** so long a lease lasts that is not renewed */
  readonly expiresMs: number
  readonly renewEveryMs: number
  /** how long the server may take to answer */
  readonly answerLimitMs: number
}

const usualTimes: LeaseTimes = { expiresMs: 15_000, renewEveryMs: 4000, answerLimitMs: 4000 }
/** who waits longer for the row of a lease leaves it: its holder is writing */
const lockLimit = '1s'

/** The lease of a work was lost: somebody else may be at it. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`another process is at ${name} now`)
    this.name = 'LeaseLost'
  }
}

/** A work that is this process's own until the lease is lost or released. */
export interface Lease {
  readonly name: string
  /** aborted as soon as the lease is lost, released, or may have expired unnoticed */
  readonly signal: AbortSignal
  /**
   * Until the end of the transaction nobody else gets the lease; to be called before anything is written in it.
   * @throws {LeaseLost} when somebody else has it, or may have
   */
  guard(tx: Transaction): Promise<void>
  /**
   * For what is written elsewhere than in a transaction: to be called right before.
   * @throws {LeaseLost} when the lease may have expired, also in a process that has just been woken
   */
  check(): void
  release(): Promise<void>
}

/**
 * Takes the lease of a work, by the server's clock: of many processes one has it at a time. The name that a holder gives
 * itself is the fence: what a former one still tries to write is refused by it. No connection is kept, so it also works behind a pooler of transactions.
 * @returns undefined while somebody else has it   @throws {EngineUnavailable} when the server does not answer
 * @see Kleppmann, "How to do distributed locking", 2016 (leases, clocks and fencing tokens)
 */
export async function takeLease(
  database: Database,
  name: string,
  { expiresMs, renewEveryMs, answerLimitMs }: LeaseTimes = usualTimes,
): Promise<Lease | undefined> {
  const holder = randomUUID()
  const lost = new AbortController()
  const seconds = expiresMs / 1000
  let askedAt = performance.now()
  const taking = take(database, name, holder, seconds)
  const expire = () =>
    database.pool.query('update lease set expires_at = clock_timestamp() where name = $1 and holder = $2', [name, holder])
  try {
    if (!(await inTime(taking, answerLimitMs))) return undefined
  } catch (error) {
    // an answer that comes later gives nobody a lease that is not renewed
    void taking.then((taken) => (taken ? expire() : undefined)).catch(() => undefined)
    throw error
  }
  let sureUntil = askedAt + expiresMs
  const lose = (): void => lost.abort(new LeaseLost(name))

  const renew = async (): Promise<void> => {
    askedAt = performance.now()
    const { rowCount } = await inTime(
      database.pool.query(
        'update lease set expires_at = clock_timestamp() + make_interval(secs => $3) where name = $1 and holder = $2 and expires_at > clock_timestamp()',
        [name, holder, seconds],
      ),
      answerLimitMs,
    )
    if (rowCount === 1) sureUntil = askedAt + expiresMs
    else lose()
  }
  const renewing = (async () => {
    while (!lost.signal.aborted) {
      await pause(Math.min(renewEveryMs, Math.max(0, sureUntil - performance.now())), lost.signal)
      if (lost.signal.aborted) return
      if (performance.now() >= sureUntil) return lose()
      // a server that does not answer now may do so before the lease is over
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
        // a renewal does not change the key and passes; a taking waits for the end of the transaction, of a frozen holder too
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

/** Takes the lease as soon as a holder that died lets it expire. @returns undefined when its holder lives, as a renewal shows */
export async function takeLeaseInTime(database: Database, name: string, times: LeaseTimes = usualTimes): Promise<Lease | undefined> {
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

/** @returns false while somebody else has the lease or writes under it */
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
    // locked as a change of the key would: it waits for whoever writes under the lease
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

/** Whether a process of version 1.0 leads. Until the end of the transaction none of them begins to; the lock is shared by our own. */
async function isLedByFirstRelease(client: pg.PoolClient, name: string): Promise<boolean> {
  const lock = leadersOfFirstRelease[name]
  if (lock === undefined) return false
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock_shared($1) as taken', [lock])
  return rows[0]?.taken !== true
}

const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

const inTime = <Result>(work: Promise<Result>, ms: number): Promise<Result> =>
  withTimeout(work, ms, undefined, () => new EngineUnavailable('database', new Error('no answer in time'))).catch((error: unknown) => {
    throw translated(error)
  })

/** The same database for who works under a lease: each transaction begins by making sure that the lease is still held. */
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
