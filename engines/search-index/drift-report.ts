import type { Database } from '../relational/database.ts'
import { desc, sql } from '../relational/drizzle.ts'
import { searchIndexDrift } from './tables.ts'

/** How a search index differed from the analytics store when they were last compared. */
export interface IndexDrift {
  /** expressions that were looked at */
  readonly compared: number
  /** those that the index lacked */
  readonly missing: number
  /** those that it had in another version */
  readonly stale: number
  /** those that it had although the store has not */
  readonly extra: number
}

/** Keeps what a comparison has found. @param indexName - the engine, which has one in use   @throws {EngineUnavailable} */
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

/** The latest comparison of any index, undefined before the first.   @throws {EngineUnavailable} */
export async function readDrift(database: Database): Promise<(IndexDrift & { readonly at: Date }) | undefined> {
  const [row] = await database.orm.select().from(searchIndexDrift).orderBy(desc(searchIndexDrift.at)).limit(1)
  return row
}

/** How many expressions differed in the latest comparison; null before the first. */
export async function driftOf(database: Database): Promise<number | null> {
  const drift = await readDrift(database)
  return drift === undefined ? null : drift.missing + drift.stale + drift.extra
}
