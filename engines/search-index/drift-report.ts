import type { Database } from '../relational/database.ts'
import { bigint, desc, pgTable, sql, text, timestamp } from '../relational/drizzle.ts'

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull()

const searchIndexDrift = pgTable('search_index_drift', {
  indexName: text('index_name').primaryKey(),
  compared: amount('compared'),
  missing: amount('missing'),
  stale: amount('stale'),
  extra: amount('extra'),
  at: timestamp('at', { withTimezone: true, mode: 'date', precision: 3 }).notNull().defaultNow(),
})

/** The differences between a search index and the analytics store at the last comparison. */
export interface IndexDrift {
  /** number of compared expressions */
  readonly compared: number
  /** number missing in the index */
  readonly missing: number
  /** number with another version in the index */
  readonly stale: number
  /** number in the index but not in the store */
  readonly extra: number
}

/**
 * Stores the result of a comparison. @param indexName - the engine, which uses one index at a time
 * @throws {EngineUnavailable}
 */
export async function saveDrift(database: Database, indexName: string, drift: IndexDrift): Promise<void> {
  const { compared, missing, stale, extra } = drift
  const values = { compared, missing, stale, extra }
  await database.transaction((tx) =>
    tx
      .insert(searchIndexDrift)
      .values({ indexName, ...values })
      .onConflictDoUpdate({ target: searchIndexDrift.indexName, set: { ...values, at: sql`now()` } }),
  )
}

/** Returns the latest comparison of any index; undefined before the first. @throws {EngineUnavailable} */
export async function readDrift(database: Database): Promise<(IndexDrift & { readonly at: Date }) | undefined> {
  const [row] = await database.orm.select().from(searchIndexDrift).orderBy(desc(searchIndexDrift.at)).limit(1)
  return row
}

/** Returns the number of differing expressions in the latest comparison; null before the first. */
export async function driftOf(database: Database): Promise<number | null> {
  const drift = await readDrift(database)
  return drift === undefined ? null : drift.missing + drift.stale + drift.extra
}
