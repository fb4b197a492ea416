import { messageOf } from '../../foundation/fault.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import { outbox, outboxDeadLetter } from './tables.ts'

/** As it was taken from the outbox. */
export interface TakenMessage {
  readonly queue: string
  readonly kind: string
  readonly content: unknown
  readonly format: number
}

/** Puts what no worker can handle where an operator finds it, in the transaction that takes it from the outbox. */
export async function keepDeadLetter(tx: Transaction, { queue, kind, content, format }: TakenMessage, error: unknown): Promise<void> {
  await tx.execute(sql`
    insert into ${outboxDeadLetter} (queue, kind, content, format, reason)
    values (${queue}, ${kind}, ${JSON.stringify(content)}::json, ${format}, ${messageOf(error)})`)
}

/** Messages that wait for an operator.   @throws {EngineUnavailable} */
export const countDeadMessages = (database: Database): Promise<number> => database.orm.$count(outboxDeadLetter)

/** Gives all of them to the workers of their queues again.   @returns how many there were   @throws {EngineUnavailable} */
export async function redriveMessages(database: Database): Promise<number> {
  const { rows } = await database.orm.execute<{ count: number }>(sql`
    with again as (delete from ${outboxDeadLetter} returning queue, kind, content, format, position),
    sent as (insert into ${outbox} (queue, kind, content, format) select queue, kind, content, format from again order by position returning 1)
    select count(*)::int as count from sent`)
  return rows[0]?.count ?? 0
}
