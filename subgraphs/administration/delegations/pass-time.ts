import type { Database } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'

const rowsAtOnce = 1000

/**
 * Moves delegations whose time has come: pending to active, both to expired. Several replicas may do it at once; each takes other rows.
 * @returns how many it moved   @throws {EngineUnavailable}
 */
export async function passTime(database: Database, signal: AbortSignal): Promise<number> {
  let moved = 0
  for (const due of [
    sql`update delegation set status = 'expired', updated_at = now() where id in (
      select id from delegation where status in ('pending', 'active') and ends_at <= now() order by ends_at limit ${rowsAtOnce} for update skip locked)`,
    sql`update delegation set status = 'active', updated_at = now() where id in (
      select id from delegation where status = 'pending' and starts_at <= now() and (ends_at is null or ends_at > now())
      order by starts_at limit ${rowsAtOnce} for update skip locked)`,
  ])
    for (let more = true; more && !signal.aborted; ) {
      const { rowCount } = await database.orm.execute(due)
      moved += rowCount ?? 0
      more = rowCount === rowsAtOnce
    }
  return moved
}
