import { sql } from './drizzle.ts'

/**
 * The numbers under which transactions of one database exclude each other (PostgreSQL, "Advisory Locks"): one for each kind of work, the
 * same in every version of the platform, since an old and a new process may run side by side. Work that is longer than a transaction takes
 * a lease.
 */
export const advisoryLocks = {
  migrations: 1_667_856_227,
  signingKeys: 1_667_856_228,
} as const

/** Held until the transaction ends; waits for who holds it. */
export const takeLock = (lock: number) => sql`select pg_advisory_xact_lock(${lock})`

/** What concerns one service key: two numbers, which no lock of one number excludes. Held until the transaction ends. */
export const takeServiceKeyLock = (name: string) => sql`select pg_advisory_xact_lock(hashtext('service key'), hashtext(${name}))`
