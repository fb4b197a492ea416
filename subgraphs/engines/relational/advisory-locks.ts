import { sql } from './drizzle.ts'

/**
 * The numbers under which processes of one database exclude each other (PostgreSQL, "Advisory Locks"): one for each kind of work, the same
 * in every version of the platform, since an old and a new process may run side by side.
 */
export const advisoryLocks = {
  migrations: 1_667_856_227,
  signingKeys: 1_667_856_228,
  callbackDelivery: 1_667_856_229,
  searchIndexUpkeep: 1_667_856_301,
  rollUpUpkeep: 7_310_001,
  rollUpRebuild: 7_310_002,
  searchIndexRebuild: 7_310_003,
} as const

/** Taking in a file: two files of one content are one. @param digest - SHA-256 in hex, of which 48 bits lie far above the numbers here */
export const lockOfFile = (digest: string): number => Number.parseInt(digest.slice(0, 12), 16)

/** Held until the transaction ends; waits for who holds it. */
export const takeLock = (lock: number) => sql`select pg_advisory_xact_lock(${lock})`

/** What concerns one service key: two numbers, which no lock of one number excludes. Held until the transaction ends. */
export const takeServiceKeyLock = (name: string) => sql`select pg_advisory_xact_lock(hashtext('service key'), hashtext(${name}))`
