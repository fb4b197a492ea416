import { createHash, randomUUID } from 'node:crypto'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'

/** Where entities are kept, for all replicas of a gateway or for this process alone. */
export interface EntityStore {
  /** undefined when it was never set, or its time is over */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
}

export interface EntityCacheOptions {
  readonly store: EntityStore
  readonly log: Log
  /** longest time that a request waits for the store, ms (default: 100) */
  readonly waitMs?: number
  /** largest value that is kept, in characters (default: 65,536) */
  readonly largestValue?: number
}

/** Entities that are no longer as they were: one of a type by its key fields, or all of it. */
export interface ChangedEntity {
  readonly type: string
  /** its key fields with their values; absent: every entity of the type */
  readonly key?: Readonly<Record<string, unknown>>
}

/** Longest time that an entity is kept, whatever its hint says. */
const longestMs = 86_400_000
/** A mark of a change outlives all that was kept before it. */
const markMs = 2 * longestMs
/** The store is left alone for so long after it has failed. */
const restMs = 1000
/** Longest time that a write counts as pending. */
const writeMs = 5000
const maxPendingWrites = 1000

/**
 * Entities of subgraphs, kept for as long as `@cacheControl` says, under marks that change when the entities do: what was kept under
 * another mark is not read any more, and runs out by itself. While the store does not answer, nothing is kept and nothing is read.
 */
export class EntityCache {
  readonly #store: EntityStore
  readonly #log: Log
  readonly #waitMs: number
  readonly #largest: number
  #restUntil = Number.NEGATIVE_INFINITY
  #writing = 0
  #changes = 0

  constructor({ store, log, waitMs = 100, largestValue = 65_536 }: EntityCacheOptions) {
    this.#store = store
    this.#log = log
    this.#waitMs = waitMs
    this.#largest = largestValue
  }

  /** how often something was invalidated by this process */
  get changes(): number {
    return this.#changes
  }

  /** From when this resolves, nothing is answered that was kept of them before. @throws {Error} when the store cannot be told */
  async invalidate(changed: ChangedEntity): Promise<void> {
    this.#changes += 1
    const mark = changed.key === undefined ? typeMark(changed.type) : entityMark(changed.type, changed.key)
    await this.#store.set(mark, randomUUID(), markMs)
  }

  /** @returns what is kept under these keys; undefined when the store does not answer */
  async read(keys: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
    if (performance.now() < this.#restUntil) return undefined
    try {
      const late = (): Error => new Error(`the store did not answer in ${this.#waitMs} ms`)
      const reading = Promise.all(keys.map((key) => this.#store.get(key)))
      const values = await withTimeout(reading, this.#waitMs, undefined, late)
      return new Map(keys.flatMap((key, index) => (values[index] === undefined ? [] : [[key, values[index]] as const])))
    } catch (error) {
      this.#rest(error)
      return undefined
    }
  }

  /** Nobody waits for it. */
  keep(key: string, value: string, maxAgeSeconds: number): void {
    if (value.length > this.#largest || this.#writing >= maxPendingWrites || performance.now() < this.#restUntil) return
    this.#writing += 1
    const late = (): Error => new Error(`the store kept nothing in ${writeMs} ms`)
    void withTimeout(this.#store.set(key, value, Math.min(maxAgeSeconds * 1000, longestMs)), writeMs, undefined, late)
      .catch((error: unknown) => this.#rest(error))
      .finally(() => {
        this.#writing -= 1
      })
  }

  #rest(error: unknown): void {
    this.#restUntil = performance.now() + restMs
    this.#log.warn({ cause: messageOf(error) }, 'entities cannot be kept; they are fetched')
  }
}

export const typeMark = (type: string): string => `entities:type:${type}`

export const entityMark = (type: string, key: Readonly<Record<string, unknown>>): string =>
  `entities:one:${digestOf([type, Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1))])}`

/** The store need not know what is in a key. */
export const digestOf = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
