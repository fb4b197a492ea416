import { messageOf } from '../../foundation/fault.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, asc, eq, inArray, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { outbox, outboxDeadLetter } from './tables.ts'

/** A message as taken from its queue. */
export interface ClaimedMessage {
  readonly queue: string
  readonly kind: string
  readonly content: unknown
  readonly format: number
}

/** A message that awaits an operator, without content. */
export interface DeadMessage {
  readonly id: number
  readonly queue: string
  readonly kind: string
  readonly reason: string
  /** time of the failure */
  readonly at: Date
}

/**
 * Stores a message that no worker can handle for an operator.
 * @param orm - the transaction that removes it from the outbox; the database for a message of a broker, which is removed afterwards
 * @throws {EngineUnavailable}
 */
export async function storeDeadLetter(
  orm: Transaction | Database['orm'],
  { queue, kind, content, format }: ClaimedMessage,
  error: unknown,
): Promise<void> {
  await orm.execute(sql`
    insert into ${outboxDeadLetter} (queue, kind, content, format, reason)
    values (${queue}, ${withoutNul(kind)}, ${JSON.stringify(content ?? null)}::json, ${format}, ${withoutNul(messageOf(error))})`)
}

/** PostgreSQL text cannot contain NUL. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')

/** Counts the dead letters of a queue. @throws {EngineUnavailable} */
export const countDeadMessages = (database: Database, queue: string): Promise<number> =>
  database.orm.$count(outboxDeadLetter, eq(outboxDeadLetter.queue, queue))

/** Returns the oldest dead letters of all queues and their total. @throws {EngineUnavailable} */
export async function deadMessages(
  { orm }: Database,
  limit: number,
): Promise<{ readonly messages: readonly DeadMessage[]; readonly total: number }> {
  const { position: id, queue, kind, reason, at } = outboxDeadLetter
  const messages = await orm.select({ id, queue, kind, reason, at }).from(outboxDeadLetter).orderBy(asc(id)).limit(limit)
  return { messages, total: messages.length < limit ? messages.length : await orm.$count(outboxDeadLetter) }
}

/**
 * Returns dead letters of a queue, oldest first. @param window - positions are ids
 * @throws {EngineUnavailable}
 */
export async function pageOfDeadMessages({ orm }: Database, name: string, window: RowWindow<number>): Promise<readonly DeadMessage[]> {
  const { position: id, queue, kind, reason, at } = outboxDeadLetter
  const { past, order } = keyset([id], 'ascending', window, (place) => [place])
  return orm
    .select({ id, queue, kind, reason, at })
    .from(outboxDeadLetter)
    .where(and(eq(queue, name), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** A filter of dead letters; empty: all. */
export interface DeadMessageFilter {
  readonly queue?: string
  readonly ids?: readonly number[] | undefined
}

/**
 * Returns dead letters to their queues. @returns the ids of those that existed
 * @throws {EngineUnavailable}
 */
export async function redriveMessages(database: Database, { queue, ids }: DeadMessageFilter = {}): Promise<readonly number[]> {
  const wanted = and(
    queue === undefined ? undefined : eq(outboxDeadLetter.queue, queue),
    ids && inArray(outboxDeadLetter.position, [...ids]),
  )
  const { rows } = await database.orm.execute<{ position: string }>(sql`
    with again as (delete from ${outboxDeadLetter} where ${wanted ?? sql`true`} returning queue, kind, content, format, position),
    sent as (insert into ${outbox} (queue, kind, content, format) select queue, kind, content, format from again order by position)
    select position from again order by position`)
  return rows.map(({ position }) => Number(position))
}

/**
 * Deletes one permanently. @returns false if it does not exist
 * @throws {EngineUnavailable}
 */
export async function removeDeadMessage({ orm }: Database, id: number): Promise<boolean> {
  const removed = await orm.delete(outboxDeadLetter).where(eq(outboxDeadLetter.position, id)).returning({ id: outboxDeadLetter.position })
  return removed.length > 0
}
