import { refuseStalled } from '../../foundation/health/health.ts'
import { newerAfterMs, newerSentence } from '../../foundation/health/newer-format.ts'
import { Stalled } from '../../foundation/health/stalled.ts'
import type { Database } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import { eventFormat } from './event-feed.ts'
import { event, eventCursor } from './tables.ts'

/**
 * Checks the oldest unprocessed event of a named follower by the clock of the server, whichever process follows.
 * @param what - "The oldest change that is not counted"
 * @throws {Stalled} if it has waited too long or only a newer release can read it
 * @throws {EngineUnavailable}
 */
export async function refuseLag(what: string, database: Database, follower: string, topic: string): Promise<void> {
  const { rows } = await database.orm.execute<{ age: string; format: number }>(sql`
    select extract(epoch from clock_timestamp() - at) * 1000 as age, format from ${event}
    where topic = ${topic} and position > coalesce(
      (select position from ${eventCursor} where topic = ${topic} and follower = ${follower}), 0)
    order by position limit 1`)
  const [oldest] = rows
  if (oldest === undefined) return
  if (oldest.format > eventFormat && Number(oldest.age) > newerAfterMs) throw new Stalled(newerSentence('changes'))
  refuseStalled(what, Number(oldest.age))
}
