import { sql } from './drizzle.ts'

/**
 * The numbers under which transactions of one database exclude each other (PostgreSQL, "Advisory Locks"): one for each kind of work, the
 * same in every version of the platform, since an old and a new process may run side by side. Work that is longer than a transaction takes
 * a lease.
 */
export const advisoryLocks = {
  migrations: 1_667_856_227,
  signingKeys: 1_667_856_228,
  faceTemplates: 1_667_856_230,
} as const

/**
 * Who led in version 1.0 held a session's lock of such a number, and sees no lease. For as long as processes of 1.0 may run beside ours, a
 * lease of these names is taken and written under only while none of them leads; goes when 1.0 does.
 */
export const leadersOfFirstRelease: Readonly<Record<string, number>> = {
  'callback delivery': 1_667_856_229,
  'search index upkeep': 1_667_856_301,
  'roll-ups': 7_310_001,
}

/** Held until the transaction ends; waits for who holds it. */
export const takeLock = (lock: number) => sql`select pg_advisory_xact_lock(${lock})`

/** What concerns one service key: two numbers, which no lock of one number excludes. Held until the transaction ends. */
export const takeServiceKeyLock = (name: string) => sql`select pg_advisory_xact_lock(hashtext('service key'), hashtext(${name}))`

/** What concerns the challenges of one citizen of one caller; as above. */
export const takeChallengeLock = (whose: string) => sql`select pg_advisory_xact_lock(hashtext('liveness challenge'), hashtext(${whose}))`
