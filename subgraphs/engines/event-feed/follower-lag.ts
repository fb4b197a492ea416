import type { Database } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import { event, eventCursor } from './tables.ts'

/**
 * How long the oldest event that a named follower has not taken has been waiting for it, by the server's clock; 0 when it has taken all.
 * Whichever process follows: it is the same for all that ask.
 * @throws {EngineUnavailable}
 */
export async function waitingMs(database: Database, follower: string, topic: string): Promise<number> {
  const { rows } = await database.orm.execute<{ age: string }>(sql`
    select extract(epoch from clock_timestamp() - at) * 1000 as age from ${event}
    where topic = ${topic} and position > coalesce(
      (select position from ${eventCursor} where topic = ${topic} and follower = ${follower}), 0)
    order by position limit 1`)
  return Math.max(0, Number(rows[0]?.age ?? 0))
}
