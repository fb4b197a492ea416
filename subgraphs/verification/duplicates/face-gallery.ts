import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, gt, isNull, ne, sql } from '../../../engines/relational/drizzle.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Fault } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { FaceMatrix, type NearFace } from './face-matrix.ts'
import { type FaceTemplate, openTemplate } from './face-template.ts'
import { verificationFaceTemplate as template } from './tables.ts'

/** templates in memory per process, 512 bytes each */
const maxFaces = 200_000
const pageSize = 2000
/** interval after which erased faces leave memory, and faces committed out of order enter it */
const compareEveryMs = 60_000
const maxHits = 10

export interface GalleryEngines {
  readonly database: Database
  /** DEDUPLICATION_KEY and earlier keys */
  readonly keys: VaultKeys
  readonly clock: Clock
  readonly log: Log
}

/** Similar faces, and the extent of the search. */
export interface GallerySearch {
  readonly hits: readonly NearFace[]
  /** number of faces searched */
  readonly searched: number
  /** highest id of a face in memory: later ones were not searched */
  readonly upTo: number
  readonly isWhole: boolean
}

/**
 * Faces of verified citizens: the sealed rows of the database, opened into memory and followed by id. A match always exists in the
 * database.
 */
export class FaceGallery {
  readonly #engines: GalleryEngines
  readonly #maxSearched: number
  readonly #matrices = new Map<string, FaceMatrix>()
  #last = 0
  #comparedAt = Number.NEGATIVE_INFINITY
  #isWhole = true
  #refreshing: Promise<void> | undefined

  constructor(engines: GalleryEngines, maxSearched = maxFaces) {
    this.#engines = engines
    this.#maxSearched = maxSearched
  }

  /**
   * Returns citizens of the same tenant with another code within a distance.
   * @throws {EngineUnavailable}  @throws {Fault} INTERNAL when a template cannot be opened
   */
  async search(owner: string, citizenCode: string, { model, vector }: FaceTemplate, within: number): Promise<GallerySearch> {
    await this.refresh()
    const matrix = this.#matrices.get(placeOf(owner, model))
    const upTo = this.#last
    const near = matrix?.search(vector, within, maxHits) ?? []
    const others = near.length === 0 ? new Set() : await this.#others(near, citizenCode)
    return { hits: near.filter(({ id }) => others.has(id)), searched: matrix?.size ?? 0, upTo, isWhole: this.#isWhole }
  }

  async #others(near: readonly NearFace[], citizenCode: string): Promise<ReadonlySet<unknown>> {
    const ids = sql.param(near.map(({ id }) => id))
    const rows = await this.#engines.database.orm
      .select({ id: template.id })
      .from(template)
      .where(and(sql`${template.id} = any(${ids}::bigint[])`, ne(template.citizenCode, citizenCode)))
    return new Set(rows.map(({ id }) => id))
  }

  /** Resolves when the faces are in memory or the database is unavailable. @throws {Fault} INTERNAL when one cannot be opened */
  readable(): Promise<void> {
    return this.refresh().catch((thrown: unknown) => {
      if (thrown instanceof Fault && thrown.code === 'INTERNAL') throw thrown
    })
  }

  /** Updates memory from the database; concurrent calls share one update. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#bringUp().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #bringUp(): Promise<void> {
    const now = this.#engines.clock.now()
    if (Math.abs(now - this.#comparedAt) >= compareEveryMs) {
      await this.#compare()
      this.#comparedAt = now
    }
    await this.#follow(this.#last)
  }

  /** Removes erased faces and adds those that were committed after higher ids. */
  async #compare(): Promise<void> {
    const rows = await this.#engines.database.orm.select({ id: template.id }).from(template).where(isNull(template.awaitsJobId))
    const storedIds = new Set(rows.map(({ id }) => id))
    for (const matrix of this.#matrices.values()) matrix.keep((id) => storedIds.has(id))
    const loadedIds = new Set([...this.#matrices.values()].flatMap(({ ids }) => ids))
    const missed = rows.filter(({ id }) => id <= this.#last && !loadedIds.has(id)).map(({ id }) => id)
    this.#isWhole = storedIds.size <= this.#maxSearched
    if (!this.#isWhole)
      this.#engines.log.error(
        { faces: storedIds.size, searched: this.#maxSearched },
        'there are more face templates than a worker can search',
      )
    if (missed.length > 0 && this.#isWhole) await this.#follow(missed.reduce((min, id) => Math.min(min, id)) - 1)
  }

  async #follow(after: number): Promise<void> {
    const loadedIds = new Set(after < this.#last ? [...this.#matrices.values()].flatMap(({ ids }) => ids) : [])
    for (let from = after, page = pageSize; page === pageSize && this.#size < this.#maxSearched; ) {
      const rows = await this.#engines.database.orm
        .select()
        .from(template)
        .where(and(gt(template.id, from), isNull(template.awaitsJobId)))
        .orderBy(template.id)
        .limit(pageSize)
      for (const row of rows.filter(({ id }) => !loadedIds.has(id)).slice(0, this.#maxSearched - this.#size)) {
        const place = placeOf(row.owner, row.model)
        const matrix = this.#matrices.get(place) ?? new FaceMatrix()
        matrix.add(row.id, openTemplate(this.#engines.keys, row.id, row, row))
        this.#matrices.set(place, matrix)
        this.#last = Math.max(this.#last, row.id)
      }
      from = rows.at(-1)?.id ?? from
      page = rows.length
    }
  }

  get #size(): number {
    return [...this.#matrices.values()].reduce((sum, { size }) => sum + size, 0)
  }
}

const placeOf = (owner: string, model: string): string => JSON.stringify([owner, model])
