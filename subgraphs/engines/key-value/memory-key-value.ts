import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../../foundation/clock.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { KeyValue } from './key-value.ts'

/**
 * In the memory of this process, for a platform that is one process.
 * @param maxEntries - beyond it the least recently used one goes
 */
export function memoryKeyValue({ maxEntries = 50_000, clock = systemClock }: { maxEntries?: number; clock?: Clock } = {}): KeyValue & Part {
  // the cache takes a moment 0 for none; without a resolution each look asks the clock: an entry is over when its time is
  const perf = { now: () => clock.now() + 1 }
  const entries = new LRUCache<string, string>({ max: maxEntries, perf, ttlResolution: 0 })
  return {
    name: 'key-value store',
    engine: 'memory',
    async get(key) {
      return entries.get(key)
    },
    async set(key, value, ttl) {
      entries.set(key, value, { ttl })
    },
    async setIfAbsent(key, value, ttl) {
      if (entries.get(key) !== undefined) return false
      entries.set(key, value, { ttl })
      return true
    },
    async increment(key, ttl) {
      const before = entries.get(key)
      const count = Number(before ?? 0) + 1
      entries.set(key, `${count}`, before === undefined ? { ttl } : { noUpdateTTL: true })
      return count
    },
    async delete(key) {
      entries.delete(key)
    },
    async deleteIf(key, value) {
      if (entries.get(key) === value) entries.delete(key)
    },
    async health() {},
    async start() {},
    async stop() {
      entries.clear()
    },
  }
}
