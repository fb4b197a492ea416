import type pg from 'pg'
import type { Database } from '../../../engines/relational/database.ts'
import { translatedError } from '../../../engines/relational/query-errors.ts'
import { type ReadReplicas, ReplicaBehind } from '../../../engines/relational/read-replicas.ts'
import { dayIn } from '../../../foundation/calendar-day.ts'
import type { Clock } from '../../../foundation/clock.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'
import type { RolledDomain } from '../tables.ts'
import { TaxonomyTree } from './taxonomy-tree.ts'

/** A consistent snapshot of the roll-ups. */
export interface Snapshot {
  /** changes whenever an answer may have changed */
  readonly version: string
  /** time of that version */
  readonly at: Date
  /** time zone that defines days */
  readonly timezone: string
  /** such as 20261121 */
  readonly today: number
  readonly taxonomy: TaxonomyTree
  /** by number of the key, with current domains */
  readonly keys: readonly (RollUpKey | undefined)[]
  rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[]): Promise<readonly Row[]>
}

/** Version of the roll-ups. */
export interface RollUpVersion {
  /** number of rebuilds */
  readonly generation: number
  readonly version: number
}

/** Formats the version of the roll-ups on a day. */
export const versionOf = ({ generation, version }: RollUpVersion, day: number): string => `${generation}-${version}-${day}`

const isBefore = (one: RollUpVersion, other: RollUpVersion): boolean =>
  one.generation < other.generation || (one.generation === other.generation && one.version < other.version)

/** Reads from replicas that may lag behind. */
export interface LaggingReads {
  readonly replicas: ReadReplicas
  /** oldest version that an answer may have; undefined while unknown */
  readonly oldest: () => RollUpVersion | undefined
}

/**
 * Locks come first: they take no snapshot, so that this and a rebuild wait for each other. Joins use indexes only, because the planner
 * cannot know that a list of ranges selects few cells.
 */
const begin = `begin isolation level repeatable read read only;
  lock table roll_up, roll_up_key, roll_up_cell, roll_up_expression, participant_count in access share mode;
  set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_bitmapscan = off;
  set local jit = off; set local max_parallel_workers_per_gather = 0`

type StateRow = readonly [generation: number, version: string, at: Date, timezone: string, taxonomyDigest: string, lastKey: number | null]

/** Reads the roll-ups. Only keys and taxonomy are cached between snapshots, because they seldom change. */
export class RollUps {
  readonly #database: Database
  readonly #clock: Clock
  readonly #timezone: string
  readonly #lagging: LaggingReads | undefined
  #generation = -1
  /** as stored */
  #keys: Snapshot['keys'] = []
  #digest = ''
  #taxonomy = new TaxonomyTree()
  /** the keys of one taxonomy, computed from those two */
  #current: { readonly stored: Snapshot['keys']; readonly taxonomy: TaxonomyTree; readonly keys: Snapshot['keys'] } | undefined

  /** @param timezone - defines the current day before the roll-ups are built */
  constructor(database: Database, clock: Clock, timezone: string, lagging?: LaggingReads) {
    this.#database = database
    this.#clock = clock
    this.#timezone = timezone
    this.#lagging = lagging
  }

  /** Returns whether the domain existed at the latest read. */
  knows(domain: string): boolean {
    return this.#taxonomy.knows(domain)
  }

  /**
   * Reads from a replica that has at least the known version, otherwise from the primary.
   * @throws {EngineUnavailable} while the database is unavailable
   */
  async read<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const oldest = this.#lagging?.oldest()
    const read = oldest && (await this.#lagging?.replicas.read((pool) => this.#readOn(pool, work, oldest)))
    return read === undefined ? this.readNewest(work) : read.result
  }

  /**
   * Reads from the primary, for a caller that was just notified of a change.
   * @throws {EngineUnavailable} while the database is unavailable
   */
  readNewest<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.#readOn(this.#database.pool, work)
  }

  async #readOn<Result>(pool: pg.Pool, work: (snapshot: Snapshot) => Promise<Result>, oldest?: RollUpVersion): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw translatedError(error)
    })
    let broken = true
    try {
      await client.query(begin)
      const result = await work(await this.#snapshot(client, oldest))
      await client.query('commit')
      broken = false
      return result
    } catch (error) {
      if (broken)
        await client
          .query('rollback')
          .then(() => (broken = false))
          .catch(() => undefined)
      throw translatedError(error)
    } finally {
      client.release(broken)
    }
  }

  async #snapshot(client: pg.PoolClient, oldest?: RollUpVersion): Promise<Snapshot> {
    const rows = async <Row extends readonly unknown[]>(text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
      const result = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
      // the row type describes the statement beside it
      return result.rows as unknown as readonly Row[]
    }
    const [state] = await rows<StateRow>(
      `select generation, version, changed_at, timezone, md5(taxonomy::text || successors::text || taxonomy_number), (select max(id) from roll_up_key) from roll_up`,
      [],
    )
    const now = this.#clock.now()
    const current: RollUpVersion = { generation: state?.[0] ?? 0, version: Number(state?.[1] ?? 0) }
    if (oldest !== undefined && isBefore(current, oldest)) throw new ReplicaBehind()
    if (state === undefined) {
      const today = dayIn(this.#timezone, now)
      const at = new Date(now)
      return { version: `0-0-${today}`, at, timezone: this.#timezone, today, taxonomy: new TaxonomyTree(), keys: [], rows }
    }
    const [generation, , at, timezone, digest, lastKey] = state
    const cachedKeys = generation === this.#generation ? this.#keys : []
    // a list of its own: a concurrent snapshot may be older than a key
    const stored = cachedKeys.length > (lastKey ?? 0) ? cachedKeys : await readKeys(rows)
    this.#keys = stored
    this.#generation = generation
    const taxonomy = digest === this.#digest ? this.#taxonomy : await readTaxonomy(rows)
    this.#taxonomy = taxonomy
    this.#digest = digest
    const today = dayIn(timezone, now)
    return {
      version: versionOf(current, today),
      at,
      timezone,
      today,
      taxonomy,
      keys: this.#currentKeys(stored, taxonomy),
      rows,
    }
  }

  #currentKeys(stored: Snapshot['keys'], taxonomy: TaxonomyTree): Snapshot['keys'] {
    if (this.#current?.stored !== stored || this.#current.taxonomy !== taxonomy)
      this.#current = { stored, taxonomy, keys: stored.map((key) => key && taxonomy.currentKey(key)) }
    return this.#current.keys
  }
}

async function readTaxonomy(rows: Snapshot['rows']): Promise<TaxonomyTree> {
  type TaxonomyRow = [readonly RolledDomain[], number, Readonly<Record<string, string | null>>]
  const [row] = await rows<TaxonomyRow>('select taxonomy, taxonomy_number, successors from roll_up', [])
  return row === undefined ? new TaxonomyTree() : new TaxonomyTree(...row)
}

async function readKeys(rows: Snapshot['rows']): Promise<Snapshot['keys']> {
  type KeyRow = readonly [number, string | null, string | null, RollUpKey['sentiment'], string]
  const keys: (RollUpKey | undefined)[] = []
  for (const [id, domain, subDomain, sentiment, lang] of await rows<KeyRow>(
    'select id, domain, sub_domain, sentiment, lang from roll_up_key',
    [],
  ))
    keys[id] = { id, domain, subDomain, sentiment, lang }
  return keys
}
