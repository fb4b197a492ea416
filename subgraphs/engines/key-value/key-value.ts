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
