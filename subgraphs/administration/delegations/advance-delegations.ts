import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { holdOffErasures } from './erased-citizens.ts'

const rowsAtOnce = 1000

/**
 * Updates the status of due delegations: pending to active, both to expired. Replicas can run it concurrently; each updates other rows.
 * @returns the number of updated rows  @throws {EngineUnavailable}
 */
export async function advanceDelegations(database: Database, signal: AbortSignal): Promise<number> {
  let moved = 0
  for (const due of [
    sql`update delegation set status = 'expired', updated_at = now() where id in (
      select id from delegation where status in ('pending', 'active') and ends_at <= now() order by ends_at limit ${rowsAtOnce} for update skip locked)`,
    sql`update delegation set status = 'active', updated_at = now() where id in (
      select id from delegation where status = 'pending' and starts_at <= now() and (ends_at is null or ends_at > now())
      order by starts_at limit ${rowsAtOnce} for update skip locked)`,
  ])
    for (let more = true; more && !signal.aborted; ) {
      const { rowCount } = await database.transaction(async (tx) => {
        // the triggers lock entries of the register, which an erasure locks in another order
        await tx.execute(holdOffErasures)
        return tx.execute(due)
      })
      moved += rowCount ?? 0
      more = rowCount === rowsAtOnce
    }
  return moved
}

/** Returns how long the oldest due delegation has waited for its status change, in ms; 0 when none is due. @throws {EngineUnavailable} */
export async function overdueMs(database: Database): Promise<number> {
  const { rows } = await database.orm.execute<{ age: string | null }>(sql`
    select extract(epoch from now() - least(
      (select min(starts_at) from delegation where status = 'pending' and starts_at <= now()),
      (select min(ends_at) from delegation where status in ('pending', 'active') and ends_at <= now())
    )) * 1000 as age`)
  return Math.max(0, Number(rows[0]?.age ?? 0))
}
