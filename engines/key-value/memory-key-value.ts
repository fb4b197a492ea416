import { type Clock, systemClock } from '../../foundation/clock.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import { defaultLimits, type KeyValue, type KeyValueLimits, type PartitionedKeyValue } from './key-value.ts'

type Eviction = 'soonest to expire' | 'least recently used'

/** Stores values in the memory of this process, for a platform with one process. @param limits - maximum number of entries by partition */
export function memoryKeyValue({
  limits = {},
  clock = systemClock,
}: {
  readonly limits?: Partial<KeyValueLimits>
  readonly clock?: Clock
} = {}): PartitionedKeyValue & Part {
  const entriesOf = { ...defaultLimits, ...limits }
  const security = memoryPartition(entriesOf.security, 'soonest to expire', clock)
  const others = {
    claims: memoryPartition(entriesOf.claims, 'soonest to expire', clock),
    counters: memoryPartition(entriesOf.counters, 'soonest to expire', clock),
    cache: memoryPartition(entriesOf.cache, 'least recently used', clock),
    entities: memoryPartition(entriesOf.entities, 'soonest to expire', clock),
    searches: memoryPartition(entriesOf.searches, 'soonest to expire', clock),
  }
  return {
    ...security,
    name: 'key-value store',
    partition: (name) => others[name],
    async start() {},
    async stop() {
      for (const { clear } of [security, ...Object.values(others)]) clear()
    },
  }
}

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/** share of a full partition that is removed at once */
const removedShare = 0.05

function memoryPartition(maxEntries: number, eviction: Eviction, clock: Clock): KeyValue & { clear(): void } {
  /** in order of last use for least-recently-used partitions */
  const entries = new Map<string, Entry>()
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry !== undefined && entry.expiresAt <= clock.now()) {
      entries.delete(key)
      return undefined
    }
    if (entry !== undefined && eviction === 'least recently used') {
      entries.delete(key)
      entries.set(key, entry)
    }
    return entry
  }
  const put = (key: string, value: string, expiresAt: number): void => {
    if (eviction === 'least recently used') entries.delete(key)
    if (!entries.has(key) && entries.size >= maxEntries) evict()
    entries.set(key, { value, expiresAt })
  }
  const evict = (): void => {
    if (eviction === 'least recently used') {
      const [first] = entries.keys()
      if (first !== undefined) entries.delete(first)
      return
    }
    const count = Math.max(1, Math.floor(maxEntries * removedShare))
    const soonest = [...entries].sort(([, one], [, other]) => one.expiresAt - other.expiresAt)
    const expired = soonest.findIndex(([, { expiresAt }]) => expiresAt > clock.now())
    for (const [key] of soonest.slice(0, Math.max(count, expired === -1 ? soonest.length : expired))) entries.delete(key)
  }
  return {
    engine: 'memory',
    async get(key) {
      return find(key)?.value
    },
    async set(key, value, ttl) {
      put(key, value, clock.now() + ttl)
    },
    async setIfAbsent(key, value, ttl) {
      if (find(key) !== undefined) return false
      put(key, value, clock.now() + ttl)
      return true
    },
    async increment(key, ttl) {
      const before = find(key)
      const count = Number(before?.value ?? 0) + 1
      put(key, `${count}`, before?.expiresAt ?? clock.now() + ttl)
      return count
    },
    async delete(key) {
      entries.delete(key)
    },
    async deleteIf(key, value) {
      if (find(key)?.value === value) entries.delete(key)
    },
    async health() {},
    clear: () => entries.clear(),
  }
}
