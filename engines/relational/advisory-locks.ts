import { sql } from './drizzle.ts'

/**
 * Keys of PostgreSQL advisory locks, by which transactions exclude each other: one per kind of work and stable over releases, since old and new
 * processes may run together. Work longer than a transaction uses a lease.
 */
export const advisoryLocks = {
  migrations: 1_667_856_227,
  signingKeys: 1_667_856_228,
  faceTemplates: 1_667_856_230,
  processRegistry: 1_667_856_231,
  erasedCitizens: 1_667_856_232,
  taxonomy: 1_667_856_240,
} as const

/**
 * Lock keys of leaders in version 1.0, which held session locks and does not know leases. While 1.0 may run beside this release, a lease of these
 * names is valid only if no 1.0 process leads. To be removed with support for 1.0.
 */
export const leadersOfFirstRelease: Readonly<Record<string, number>> = {
  'callback delivery': 1_667_856_229,
  'search index upkeep': 1_667_856_301,
  'roll-ups': 7_310_001,
}

/** Acquires a lock until the end of the transaction; waits for its holder. */
export const takeLock = (lock: number) => sql`select pg_advisory_xact_lock(${lock})`

/** As `takeLock`, beside other holders that share it. */
export const shareLock = (lock: number) => sql`select pg_advisory_xact_lock_shared(${lock})`

/** Serialises work on one service key: a two-key lock, which never conflicts with a single-key lock. Held until the end of the transaction. */
export const takeServiceKeyLock = (name: string) => sql`select pg_advisory_xact_lock(hashtext('service key'), hashtext(${name}))`

/** Serialises work on the challenges of one citizen of one caller; as above. */
export const takeChallengeLock = (whose: string) => sql`select pg_advisory_xact_lock(hashtext('liveness challenge'), hashtext(${whose}))`
