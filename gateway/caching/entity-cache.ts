import { createHash, randomUUID } from 'node:crypto'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'

/** Stores entities, for all replicas of a gateway or for one process. */
export interface EntityStore {
  /** Returns undefined if it was never set or has expired */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
}

export interface EntityCacheOptions {
  readonly store: EntityStore
  readonly log: Log
  /** maximum wait of a request for the store, ms (default: 100) */
  readonly waitMs?: number
  /** maximum length of a stored value in characters (default: 65,536) */
  readonly maxValueLength?: number
}

/** Changed entities: one of a type by its key fields, or all of a type. */
export interface ChangedEntity {
  readonly type: string
  /** key fields with values; absent: every entity of the type */
  readonly key?: Readonly<Record<string, unknown>>
}

/** Maximum lifetime of an entity, whatever its hint. */
const maxAgeMs = 86_400_000
/** Change marks outlive everything stored before them. */
const markMs = 2 * maxAgeMs
/** Pause after a failure of the store. */
const restMs = 1000
/** Maximum duration of a pending write. */
const writeMs = 5000
const maxPendingWrites = 1000

/**
 * Caches entities of subgraphs for the lifetime of `@cacheControl`, together with marks that change with the entities: an entity with an outdated
 * mark is ignored and expires. While the store does not respond, nothing is read or stored.
 */
export class EntityCache {
  readonly #store: EntityStore
  readonly #log: Log
  readonly #waitMs: number
  readonly #largest: number
  #restUntil = Number.NEGATIVE_INFINITY
  #writing = 0
  #changes = 0

  constructor({ store, log, waitMs = 100, maxValueLength = 65_536 }: EntityCacheOptions) {
    this.#store = store
    this.#log = log
    this.#waitMs = waitMs
    this.#largest = maxValueLength
  }

  /** number of invalidations by this process */
  get changes(): number {
    return this.#changes
  }

  /** Invalidates entities: after it resolves, no earlier version is returned. @throws {Error} if the store is unavailable */
  async invalidate(changed: ChangedEntity): Promise<void> {
    this.#changes += 1
    const mark = changed.key === undefined ? typeMark(changed.type) : entityMark(changed.type, changed.key)
    await this.#store.set(mark, randomUUID(), markMs)
  }

  /** @returns stored values by key; undefined if the store does not respond */
  async read(keys: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
    if (performance.now() < this.#restUntil) return undefined
    try {
      const timeoutError = (): Error => new Error(`no response of the store within ${this.#waitMs} ms`)
      const reading = Promise.all(keys.map((key) => this.#store.get(key)))
      const values = await withTimeout(reading, this.#waitMs, undefined, timeoutError)
      return new Map(keys.flatMap((key, index) => (values[index] === undefined ? [] : [[key, values[index]] as const])))
    } catch (error) {
      this.#rest(error)
      return undefined
    }
  }

  /** Stores a value in the background. */
  write(key: string, value: string, maxAgeSeconds: number): void {
    if (value.length > this.#largest || this.#writing >= maxPendingWrites || performance.now() < this.#restUntil) return
    this.#writing += 1
    const timeoutError = (): Error => new Error(`no confirmation of the store within ${writeMs} ms`)
    void withTimeout(this.#store.set(key, value, Math.min(maxAgeSeconds * 1000, maxAgeMs)), writeMs, undefined, timeoutError)
      .catch((error: unknown) => this.#rest(error))
      .finally(() => {
        this.#writing -= 1
      })
  }

  #rest(error: unknown): void {
    this.#restUntil = performance.now() + restMs
    this.#log.warn({ cause: messageOf(error) }, 'entity cache unavailable, fetching entities')
  }
}

export const typeMark = (type: string): string => `entities:type:${type}`

export const entityMark = (type: string, key: Readonly<Record<string, unknown>>): string =>
  `entities:one:${digestOf([type, Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1))])}`

/** Digests keep key contents out of the store. */
export const digestOf = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
