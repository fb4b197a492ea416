import type pg from 'pg'
import { type ReadReplicas, ReplicaBehind } from '../../../engines/relational/connections/read-replicas.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { translated } from '../../../engines/relational/query-errors.ts'
import type { Clock } from '../../../foundation/clock.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'
import type { RolledDomain } from '../tables.ts'
import { dayIn } from './period.ts'
import { TaxonomyTree } from './taxonomy-tree.ts'

/** The roll-ups at one moment: whatever is asked of one snapshot belongs together. */
export interface Snapshot {
  /** changes whenever an answer may */
  readonly version: string
  /** the moment of that version */
  readonly at: Date
  /** whose days are counted */
  readonly timezone: string
  /** 20261121 */
  readonly today: number
  readonly taxonomy: TaxonomyTree
  /** by its number */
  readonly keys: readonly (RollUpKey | undefined)[]
  rows<Row extends readonly unknown[]>(text: string, values: readonly unknown[]): Promise<readonly Row[]>
}

/** Where the roll-ups stand. */
export interface RollUpVersion {
  /** counts how often they were built */
  readonly generation: number
  readonly version: number
}

/** What names the state of the roll-ups on a day. */
export const versionOf = ({ generation, version }: RollUpVersion, day: number): string => `${generation}-${version}-${day}`

const isBefore = (one: RollUpVersion, other: RollUpVersion): boolean =>
  one.generation < other.generation || (one.generation === other.generation && one.version < other.version)

/** Where else the roll-ups may be read. */
export interface LaggingReads {
  readonly replicas: ReadReplicas
  /** the version that no answer may be older than; undefined while it is not known */
  readonly oldest: () => RollUpVersion | undefined
}

/**
 * Locks come first: they take no snapshot, and who builds the tables anew then waits for us or we for them. Joins by index only: the planner
 * cannot know how few cells a list of ranges is.
 */
const begin = `begin isolation level repeatable read read only;
  lock table roll_up, roll_up_key, roll_up_cell, roll_up_expression, participant_count in access share mode;
  set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_bitmapscan = off;
  set local jit = off; set local max_parallel_workers_per_gather = 0`

type StateRow = readonly [generation: number, version: string, at: Date, timezone: string, taxonomyDigest: string, lastKey: number | null]

/** Reads the roll-ups. Keys and taxonomy are kept between snapshots, since they seldom change; nothing else is. */
export class RollUps {
  readonly #database: Database
  readonly #clock: Clock
  readonly #timezone: string
  readonly #lagging: LaggingReads | undefined
  #generation = -1
  #keys: Snapshot['keys'] = []
  #digest = ''
  #taxonomy = new TaxonomyTree([])

  /** @param timezone - whose day it is before there are roll-ups */
  constructor(database: Database, clock: Clock, timezone: string, lagging?: LaggingReads) {
    this.#database = database
    this.#clock = clock
    this.#timezone = timezone
    this.#lagging = lagging
  }

  /** Whether there was such a domain when the roll-ups were last read. */
  knows(domain: string): boolean {
    return this.#taxonomy.find(domain) !== undefined
  }

  /**
   * From a replica, where one has the version that this process knows of; else from the primary.
   * @throws {EngineUnavailable} while the database is away
   */
  async read<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const oldest = this.#lagging?.oldest()
    const read = oldest && (await this.#lagging?.replicas.read((pool) => this.#readOn(pool, work, oldest)))
    return read === undefined ? this.readNewest(work) : read.result
  }

  /** From the primary: for whoever was just told of a change. @throws {EngineUnavailable} while the database is away */
  readNewest<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.#readOn(this.#database.pool, work)
  }

  async #readOn<Result>(pool: pg.Pool, work: (snapshot: Snapshot) => Promise<Result>, oldest?: RollUpVersion): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw translated(error)
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
      throw translated(error)
    } finally {
      client.release(broken)
    }
  }

  async #snapshot(client: pg.PoolClient, oldest?: RollUpVersion): Promise<Snapshot> {
    const rows = async <Row extends readonly unknown[]>(text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
      const result = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
      // the shape of each row is that of the statement beside the type
      return result.rows as unknown as readonly Row[]
    }
    const [state] = await rows<StateRow>(
      `select generation, version, changed_at, timezone, md5(taxonomy::text), (select max(id) from roll_up_key) from roll_up`,
      [],
    )
    const now = this.#clock.now()
    const stand: RollUpVersion = { generation: state?.[0] ?? 0, version: Number(state?.[1] ?? 0) }
    if (oldest !== undefined && isBefore(stand, oldest)) throw new ReplicaBehind()
    if (state === undefined) {
      const today = dayIn(this.#timezone, now)
      const at = new Date(now)
      return { version: `0-0-${today}`, at, timezone: this.#timezone, today, taxonomy: new TaxonomyTree([]), keys: [], rows }
    }
    const [generation, , at, timezone, digest, lastKey] = state
    const known = generation === this.#generation ? this.#keys : []
    // its own list: another snapshot, of a moment before a key, may be read at the same time
    const keys = known.length > (lastKey ?? 0) ? known : await readKeys(rows)
    this.#keys = keys
    this.#generation = generation
    const taxonomy = digest === this.#digest ? this.#taxonomy : await readTaxonomy(rows)
    this.#taxonomy = taxonomy
    this.#digest = digest
    const today = dayIn(timezone, now)
    return {
      version: versionOf(stand, today),
      at,
      timezone,
      today,
      taxonomy,
      keys,
      rows,
    }
  }
}

async function readTaxonomy(rows: Snapshot['rows']): Promise<TaxonomyTree> {
  const [row] = await rows<[readonly RolledDomain[]]>('select taxonomy from roll_up', [])
  return new TaxonomyTree(row?.[0] ?? [])
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
