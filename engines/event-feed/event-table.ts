import type { Database, Queryable, Transaction } from '../relational/database.ts'
import { and, eq, gt, inArray, sql } from '../relational/drizzle.ts'
import type { EventDetail, FeedEvent, NewEvent } from './event-feed.ts'
import { event, eventCursor, eventTopic } from './tables.ts'

/** Events of a topic after a position, with the last position of the topic in the same snapshot. */
export interface Page {
  readonly last: number
  readonly events: readonly FeedEvent[]
}

interface Row extends Record<string, unknown> {
  readonly last: string
  readonly position: string | null
  readonly kind: string
  readonly id: string
  readonly at: string
  readonly format: number
}

/**
 * One statement. The topic row is both counter and lock: a second transaction waits for the end of the first, and a rollback returns the positions.
 */
export async function appendEvents(tx: Transaction, topic: string, events: readonly NewEvent[], above = 0): Promise<number> {
  // rows are passed as JSON: the driver writes a list of texts ten times slower
  const json = JSON.stringify(events)
  const { rows } = await tx.execute<{ position: string }>(sql`
    with counter as (
      insert into ${eventTopic} as t (topic, position) values (${topic}, ${above + events.length})
      on conflict (topic) do update set position = greatest(t.position, ${above}::bigint) + ${events.length}
      returning position
    ), added as (
      insert into ${event} (topic, position, kind, id, detail)
      select ${topic}, counter.position - ${events.length}::bigint + e.n, e.kind, e.id, e.detail
      from counter, rows from (jsonb_to_recordset(${json}::jsonb) as (kind text, id text, detail text)) with ordinality as e(kind, id, detail, n)
    )
    select position from counter`)
  return Number(rows[0]?.position)
}

/** @param limit - maximum number of events */
export async function readPage(database: Database, topic: string, after: number, limit: number): Promise<Page> {
  const { rows } = await database.orm.execute<Row>(sql`
    select t.position as last, e.position, e.kind, e.id, e.at, e.format
    from ${eventTopic} t
    left join lateral (
      select position, kind, id, at, format from ${event} where topic = t.topic and position > ${after} order by position limit ${limit}
    ) e on true
    where t.topic = ${topic}
    order by e.position`)
  const events = rows.flatMap(({ position, kind, id, at, format }) =>
    position === null ? [] : [{ type: 'event' as const, topic, position: Number(position), kind, id, at: new Date(at), format }],
  )
  return { last: Number(rows[0]?.last ?? 0), events }
}

export async function readPosition(database: Database, topic: string): Promise<number> {
  const [row] = await database.orm.select({ position: eventTopic.position }).from(eventTopic).where(eq(eventTopic.topic, topic))
  return row?.position ?? 0
}

export async function readCursor(database: Database, follower: string, topic: string): Promise<number> {
  const [row] = await database.orm
    .select({ position: eventCursor.position })
    .from(eventCursor)
    .where(and(eq(eventCursor.topic, topic), eq(eventCursor.follower, follower)))
  return row?.position ?? 0
}

export async function advanceCursor(tx: Transaction, follower: string, topic: string, position: number): Promise<void> {
  await tx
    .insert(eventCursor)
    .values({ topic, follower, position })
    .onConflictDoUpdate({
      target: [eventCursor.topic, eventCursor.follower],
      set: { position: sql`greatest(${eventCursor.position}, excluded.position)` },
    })
}

export async function forgetCursor(tx: Transaction, follower: string, topic: string): Promise<void> {
  await tx.delete(eventCursor).where(and(eq(eventCursor.topic, topic), eq(eventCursor.follower, follower)))
}

export async function idsSince(on: Queryable, topic: string, after: number, kinds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await on
    .selectDistinct({ id: event.id })
    .from(event)
    .where(and(eq(event.topic, topic), gt(event.position, after), inArray(event.kind, [...kinds])))
  return new Set(rows.map(({ id }) => id))
}

export async function detailsOf(tx: Transaction, topic: string, after: number, upTo: number): Promise<readonly EventDetail[]> {
  const { rows } = await tx.execute<EventDetail & Record<string, unknown>>(
    sql`select id, detail from ${event} where topic = ${topic} and position > ${after} and position <= ${upTo} order by position`,
  )
  return rows
}

/** Retains the latest `window` events of each topic and everything after the lowest cursor; erases details before it. */
export async function pruneEvents(database: Database, window: number): Promise<number> {
  const { rowCount } = await database.orm.execute(sql`
    delete from ${event} e using (
      select t.topic, least(t.position - ${window}::bigint, min(c.position)) as upto
      from ${eventTopic} t left join ${eventCursor} c using (topic)
      group by t.topic, t.position
    ) b
    where e.topic = b.topic and e.position <= b.upto`)
  await database.orm.execute(sql`
    update ${event} e set detail = null from (select topic, min(position) as upto from ${eventCursor} group by topic) c
    where e.topic = c.topic and e.position <= c.upto and e.detail is not null`)
  return rowCount ?? 0
}
