import { refuseStalled } from '../../foundation/health/health-status.ts'
import { newerAfterMs, newerSentence } from '../../foundation/health/newer-format.ts'
import { Stalled } from '../../foundation/health/stalled.ts'
import type { Database } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import { eventFormat } from './event-feed.ts'
import { event, eventCursor } from './tables.ts'

/** Returns the moment up to which a follower has processed a topic, by the clock of the server. @throws {EngineUnavailable} */
export async function momentReached(database: Database, follower: string, topic: string): Promise<Date> {
  const { rows } = await database.orm.execute<{ at: string }>(sql`
    select coalesce((select at from ${event} where topic = ${topic} and position > ${positionOf(follower, topic)} order by position limit 1),
      clock_timestamp()) as at`)
  return new Date(rows[0]?.at ?? Date.now())
}

const positionOf = (follower: string, topic: string) =>
  sql`coalesce((select position from ${eventCursor} where topic = ${topic} and follower = ${follower}), 0)`

/**
 * Checks the oldest unprocessed event of a named follower by the clock of the server, whichever process follows.
 * @param what - "The oldest change that is not counted"
 * @throws {Stalled} if it has waited too long or only a newer release can read it
 * @throws {EngineUnavailable}
 */
export async function refuseLag(what: string, database: Database, follower: string, topic: string): Promise<void> {
  const { rows } = await database.orm.execute<{ age: string; format: number }>(sql`
    select extract(epoch from clock_timestamp() - at) * 1000 as age, format from ${event}
    where topic = ${topic} and position > ${positionOf(follower, topic)}
    order by position limit 1`)
  const [oldest] = rows
  if (oldest === undefined) return
  if (oldest.format > eventFormat && Number(oldest.age) > newerAfterMs) throw new Stalled(newerSentence('changes'))
  refuseStalled(what, Number(oldest.age))
}
