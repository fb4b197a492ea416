import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { verificationCallback } from '../tables.ts'
import { claimSeconds } from './deliver-callbacks.ts'

/**
 * Returns how long the oldest due callback has been due, in ms; 0 when none is due, and while others are being sent: a slow receiver delays
 * only
 * its own callbacks.
 * @throws {EngineUnavailable}
 */
export async function waitingMs(database: Database): Promise<number> {
  const { nextAt, state } = verificationCallback
  const { rows } = await database.orm.execute<{ age: string | null }>(sql`
    select extract(epoch from now() - min(${nextAt})) * 1000 as age from ${verificationCallback}
    where ${state} = 'pending' and ${nextAt} <= now() and not exists (
      select from ${verificationCallback} as tried where tried.state = 'pending'
        and tried.next_at between now() + ${claimSeconds / 2} * interval '1 second' and now() + ${claimSeconds} * interval '1 second')`)
  return Math.max(0, Number(rows[0]?.age ?? 0))
}
