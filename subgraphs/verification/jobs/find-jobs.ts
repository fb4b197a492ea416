import type { Database } from '../../../engines/relational/database.ts'
import { inArray } from '../../../engines/relational/drizzle.ts'
import { isVisible, type Visibility } from '../access/visibility.ts'
import { type JobRow, verificationJob } from '../tables.ts'

/** Returns the rows in the order of the ids; undefined for unknown ids and those of other callers. */
export async function findJobs(database: Database, ids: readonly string[], visibility: Visibility): Promise<(JobRow | undefined)[]> {
  // UUIDs only: PostgreSQL would refuse an id with U+0000
  const known = ids.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  const rows = known.length === 0 ? [] : await database.orm.select().from(verificationJob).where(inArray(verificationJob.id, known))
  const byId = new Map(rows.filter((row) => isVisible(row, visibility)).map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}
