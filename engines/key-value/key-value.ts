/**
 * Small expiring values shared by the replicas of a component: nonces, counters, persisted operations. Any of them may be lost at any time, as in a
 * cache. Keys and values are text, times are milliseconds.
 */
export interface KeyValue {
  /** engine, for health checks: memory, postgresql or redis */
  readonly engine: string
  /** Returns undefined if it was never set, has expired or was deleted. @throws {EngineUnavailable} within about 2 s, as all methods */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** @returns whether this call set it; of concurrent calls exactly one does */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>
  /**
   * Increments a counter from 1. The time to live starts with the first increment and is not extended. @returns the new count; concurrent calls get
   * distinct ones
   */
  increment(key: string, ttlMs: number): Promise<number>
  delete(key: string): Promise<void>
  /** Deletes an entry only if it has this value, so that a lease holder cannot release the lease of its successor. */
  deleteIf(key: string, value: string): Promise<void>
  /** @throws {EngineUnavailable} if it does not respond before the signal is aborted */
  health(signal: AbortSignal): Promise<void>
}

/**
 * Entries that callers can create, each limited separately: `counters` of requests by address, the `cache` of persisted queries, `entities` with
 * their change marks, and results of `searches` (up to 30 kB each).
 */
export type Partition = 'counters' | 'cache' | 'entities' | 'searches'

/**
 * A store whose own entries are security state: login locks and failures, leases. Entries of a partition never displace these or those of another
 * partition. Each is bounded (`KeyValueLimits`):
 *
 * - memory, at the limit, or at 64 Mi characters of a partition: security state, counters, entities and searches lose the entries that expire soonest, never the newest lock; the cache loses
 * the least recently used.
 * - PostgreSQL, once a minute: partitions lose the entries that expire soonest beyond the limit; security state is never removed before it expires.
 * - Redis: entries end by their time to live; `maxmemory-policy` must be `noeviction`, so that a full server refuses writes (logins are answered 503)
 * instead of dropping locks.
 */
export interface PartitionedKeyValue extends KeyValue {
  /** Returns a store with a separate key space and the same health. */
  partition(name: Partition): KeyValue
}

/** Maximum numbers of entries. */
export type KeyValueLimits = Readonly<Record<Partition | 'security', number>>

export const defaultLimits: KeyValueLimits = {
  security: 100_000,
  counters: 50_000,
  cache: 50_000,
  entities: 50_000,
  searches: 2000,
}

/** Returns the key of a partition's entry in an engine with a single name space. */
export const partitionKey = (partition: Partition | 'security', key: string): string =>
  partition === 'security' ? key : `${partition}:${key}`
