import { type Clock, systemClock } from '../../foundation/clock.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { KeyValue } from './key-value.ts'

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/**
 * In the memory of this process, for a platform that is one process.
 * @param maxEntries - beyond it the least recently used one goes
 */
export function memoryKeyValue({ maxEntries = 50_000, clock = systemClock }: { maxEntries?: number; clock?: Clock } = {}): KeyValue & Part {
  // A Map iterates in the order of insertion; every use puts an entry last.
  const entries = new Map<string, Entry>()
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    entries.delete(key)
    if (entry.expiresAt <= clock.now()) return undefined
    entries.set(key, entry)
    return entry
  }
  const put = (key: string, entry: Entry): void => {
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
  }
  return {
    name: 'key-value store',
    engine: 'memory',
    async get(key) {
      return find(key)?.value
    },
    async set(key, value, ttlMs) {
      put(key, { value, expiresAt: clock.now() + ttlMs })
    },
    async setIfAbsent(key, value, ttlMs) {
      if (find(key) !== undefined) return false
      put(key, { value, expiresAt: clock.now() + ttlMs })
      return true
    },
    async increment(key, ttlMs) {
      const entry = find(key)
      const count = Number(entry?.value ?? 0) + 1
      put(key, { value: `${count}`, expiresAt: entry?.expiresAt ?? clock.now() + ttlMs })
      return count
    },
    async delete(key) {
      entries.delete(key)
    },
    async health() {},
    async start() {},
    async stop() {
      entries.clear()
    },
  }
}
