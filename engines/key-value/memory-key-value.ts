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
  const security = memoryPartition(entriesOf.security, Number.POSITIVE_INFINITY, 'soonest to expire', clock)
  const others = {
    counters: memoryPartition(entriesOf.counters, maxCharacters, 'soonest to expire', clock),
    cache: memoryPartition(entriesOf.cache, maxCharacters, 'least recently used', clock),
    entities: memoryPartition(entriesOf.entities, maxCharacters, 'soonest to expire', clock),
    searches: memoryPartition(entriesOf.searches, maxCharacters, 'soonest to expire', clock),
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

/** Maximum of characters in a partition, keys included; security state, which callers cannot enlarge, is limited by its number only. */
const maxCharacters = 64 * 1024 * 1024

/** share of a full partition that is removed at once */
const removedShare = 0.05

function memoryPartition(maxEntries: number, maxCharacters: number, eviction: Eviction, clock: Clock): KeyValue & { clear(): void } {
  /** in order of last use for least-recently-used partitions */
  const entries = new Map<string, Entry>()
  let characters = 0
  const remove = (key: string): void => {
    const value = entries.get(key)?.value
    if (value === undefined) return
    entries.delete(key)
    characters -= key.length + value.length
  }
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry !== undefined && entry.expiresAt <= clock.now()) {
      remove(key)
      return undefined
    }
    if (entry !== undefined && eviction === 'least recently used') {
      entries.delete(key)
      entries.set(key, entry)
    }
    return entry
  }
  const put = (key: string, value: string, expiresAt: number): void => {
    remove(key)
    const length = key.length + value.length
    if (length > maxCharacters) return
    entries.set(key, { value, expiresAt })
    characters += length
    while (entries.size > maxEntries || characters > maxCharacters) evict(key)
  }
  /** @param newest - key of an entry that stays */
  const evict = (newest: string): void => {
    if (eviction === 'least recently used') {
      const [first] = entries.keys()
      if (first !== undefined) remove(first)
      return
    }
    const count = Math.max(1, Math.floor(entries.size * removedShare))
    const soonest = [...entries].filter(([key]) => key !== newest).sort(([, one], [, other]) => one.expiresAt - other.expiresAt)
    const expired = soonest.findIndex(([, { expiresAt }]) => expiresAt > clock.now())
    for (const [key] of soonest.slice(0, Math.max(count, expired === -1 ? soonest.length : expired))) remove(key)
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
      remove(key)
    },
    async deleteIf(key, value) {
      if (find(key)?.value === value) remove(key)
    },
    async health() {},
    clear() {
      entries.clear()
      characters = 0
    },
  }
}
