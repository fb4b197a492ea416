import { messageOf } from '../../foundation/fault.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, asc, eq, inArray, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { outbox, outboxDeadLetter } from './tables.ts'

/** As it was taken from its queue. */
export interface TakenMessage {
  readonly queue: string
  readonly kind: string
  readonly content: unknown
  readonly format: number
}

/** A message that waits for an operator, without what it holds. */
export interface DeadMessage {
  readonly id: number
  readonly queue: string
  readonly kind: string
  readonly reason: string
  /** when it was given up */
  readonly at: Date
}

/**
 * Puts what no worker can handle where an operator finds it.
 * @param orm - the transaction that takes it from the outbox, or the database for a message of a broker, which is taken off after it
 * @throws {EngineUnavailable}
 */
export async function keepDeadLetter(
  orm: Transaction | Database['orm'],
  { queue, kind, content, format }: TakenMessage,
  error: unknown,
): Promise<void> {
  await orm.execute(sql`
    insert into ${outboxDeadLetter} (queue, kind, content, format, reason)
    values (${queue}, ${withoutNul(kind)}, ${JSON.stringify(content ?? null)}::json, ${format}, ${withoutNul(messageOf(error))})`)
}

/** PostgreSQL has none in a text. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')

/** Messages of a queue that wait for an operator.   @throws {EngineUnavailable} */
export const countDeadMessages = (database: Database, queue: string): Promise<number> =>
  database.orm.$count(outboxDeadLetter, eq(outboxDeadLetter.queue, queue))

/** The oldest ones of all queues, and how many there are.   @throws {EngineUnavailable} */
export async function deadMessages(
  { orm }: Database,
  limit: number,
): Promise<{ readonly messages: readonly DeadMessage[]; readonly total: number }> {
  const { position: id, queue, kind, reason, at } = outboxDeadLetter
  const messages = await orm.select({ id, queue, kind, reason, at }).from(outboxDeadLetter).orderBy(asc(id)).limit(limit)
  return { messages, total: messages.length < limit ? messages.length : await orm.$count(outboxDeadLetter) }
}

/** Those of one queue, the oldest first. @param window - places are their ids   @throws {EngineUnavailable} */
export async function pageOfDeadMessages({ orm }: Database, name: string, window: RowWindow<number>): Promise<readonly DeadMessage[]> {
  const { position: id, queue, kind, reason, at } = outboxDeadLetter
  const { past, order } = keyset([id], 'rising', window, (place) => [place])
  return orm
    .select({ id, queue, kind, reason, at })
    .from(outboxDeadLetter)
    .where(and(eq(queue, name), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Which dead messages are meant; all without a word. */
export interface WantedMessages {
  readonly queue?: string
  readonly ids?: readonly number[] | undefined
}

/** Gives them to the workers of their queues again.   @returns the ids of those that there were   @throws {EngineUnavailable} */
export async function redriveMessages(database: Database, { queue, ids }: WantedMessages = {}): Promise<readonly number[]> {
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

/** Forgets one for good.   @returns false when there is none   @throws {EngineUnavailable} */
export async function removeDeadMessage({ orm }: Database, id: number): Promise<boolean> {
  const removed = await orm.delete(outboxDeadLetter).where(eq(outboxDeadLetter.position, id)).returning({ id: outboxDeadLetter.position })
  return removed.length > 0
}
