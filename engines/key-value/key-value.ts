/**
 * Small values that live for a while and that the replicas of a component share: nonces, counters, persisted operations. All of them may be
 * gone at any time, as in a cache; nothing here is the only place of a truth. Keys and values are text, times are milliseconds.
 */
export interface KeyValue {
  /** which engine serves it, for health checks: memory, postgresql or redis */
  readonly engine: string
  /** undefined when it was never set, has expired or was deleted   @throws {EngineUnavailable} within about 2 s, as do the others */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** @returns whether this call set it: of many at once exactly one does */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<boolean>
  /**
   * Counts from 1. The time to live starts with the first count and is not prolonged.
   * @returns the count after this one; of many at once each gets its own
   */
  increment(key: string, ttlMs: number): Promise<number>
  delete(key: string): Promise<void>
  /** Deletes it only while it has this value: who holds a lease gives back its own, and not that of who came after it. */
  deleteIf(key: string, value: string): Promise<void>
  /** @throws {EngineUnavailable} when it does not answer before the signal is aborted */
  health(signal: AbortSignal): Promise<void>
}

/**
 * What callers can fill, each kept apart from the rest: `claims` of ids that were sent (idempotency), `counters` of requests by address, the `cache` of
 * persisted queries, and `entities` with the marks of their changes.
 */
export type Partition = 'claims' | 'counters' | 'cache' | 'entities'

/**
 * A store whose own entries are security state: locks and failures of logins, leases. No entry of a partition displaces one of them or of another partition.
 * Each is bounded (`KeyValueLimits`):
 *
 * - memory, at the limit: security state, claims, counters and entities lose the entries that expire soonest, never the newest lock; the cache loses the least recently used.
 * - PostgreSQL, once a minute: the partitions lose the entries that expire soonest beyond the limit; security state is never removed before it expires.
 * - Redis: everything ends by its time to live; `maxmemory-policy` must be `noeviction`, so that a full server refuses writes (logins are answered 503)
 *   instead of dropping locks.
 */
export interface PartitionedKeyValue extends KeyValue {
  /** Returns a store whose keys are apart from those of this one; it has the same health. */
  partition(name: Partition): KeyValue
}

/** The greatest number of entries. */
export type KeyValueLimits = Readonly<Record<Partition | 'security', number>>

export const defaultLimits: KeyValueLimits = { security: 100_000, claims: 100_000, counters: 50_000, cache: 50_000, entities: 50_000 }

/** The key under which an engine with one name space stores an entry of a partition. */
export const partitionKey = (partition: Partition | 'security', key: string): string =>
  partition === 'security' ? key : `${partition}:${key}`
