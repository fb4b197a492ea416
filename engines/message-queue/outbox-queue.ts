import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { newerAfterMs } from '../../foundation/health/newer-format.ts'
import type { Announcer } from '../event-feed/event-feed.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, desc, eq, gt, lte, sql } from '../relational/drizzle.ts'
import { afterCommit } from '../relational/session.ts'
import { countDeadMessages, pageOfDeadMessages, redriveMessages } from './dead-letters.ts'
import { type DeadLetters, type MessageQueue, messageFormat } from './message-queue.ts'
import { outbox } from './tables.ts'

export const outboxTopic = (name: string): string => `outbox:${name}`

/** The next position of a message, for `sendWithin`. */
export const nextPosition = sql`nextval(pg_get_serial_sequence('outbox', 'position'))`

/** A queue whose content can be searched. */
export interface OutboxQueue extends MessageQueue, DeadLetters {
  readonly name: string
  /** Stores a message in the transaction of the caller. @param position - from `nextPosition` */
  sendWithin(tx: Transaction, kind: string, content: object, position?: number): Promise<void>
  /** Whether one of the latest unfinished messages contains a word. @throws {EngineUnavailable} */
  holds(word: string, signal: AbortSignal): Promise<boolean>
}

/**
 * A message queue in PostgreSQL: a sent message is committed there and survives the loss of all other engines; `outboxWorker` consumes it. @param
 * options - `name`: of the queue, the same for its workers; `format`: of the messages, for tests
 */
export function outboxQueue(options: {
  readonly name: string
  readonly database: Database
  readonly announcer: Announcer
  readonly format?: number
}): OutboxQueue {
  const { name, database, announcer, format = messageFormat } = options
  const inTime = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
    withTimeout(work, limitMs, signal, () => new EngineUnavailable('database', new Error(`no response within ${limitMs} ms`)))
  const sendWithin: OutboxQueue['sendWithin'] = async (tx, kind, content, position) => {
    await tx.execute(sql`
      insert into ${outbox} (position, queue, kind, content, format) overriding system value
      values (${position ?? nextPosition}, ${name}, ${kind}, ${JSON.stringify(content)}::json, ${format})`)
    afterCommit(tx, () => announcer.announce(outboxTopic(name), 0))
  }
  return {
    name,
    engine: 'postgresql',
    sendWithin,
    send: (kind, content, window) => database.transaction((tx) => sendWithin(tx, kind, content), window),
    depth: (signal) => inTime(database.orm.$count(outbox, and(eq(outbox.queue, name), lte(outbox.format, format))), signal),
    async oldestAgeMs(signal) {
      const { rows } = await inTime(
        database.orm.execute<{ age: string | null }>(sql`
          select extract(epoch from clock_timestamp() - at) * 1000 as age from ${outbox} where queue = ${name} and format <= ${format} order by position limit 1`),
        signal,
      )
      return Math.max(0, Number(rows[0]?.age ?? 0))
    },
    newer: (signal) => inTime(newerMessages(database, name, format), signal),
    dead: (signal) => inTime(countDeadMessages(database, name), signal),
    deadMessages: (window) => pageOfDeadMessages(database, name, window),
    async redrive(ids) {
      const sent = await redriveMessages(database, { queue: name, ids })
      if (sent.length > 0) announcer.announce(outboxTopic(name), 0)
      return sent
    },
    async holds(word, signal) {
      const newest = database.orm
        .select({ content: sql<string>`${outbox.content}::text`.as('content') })
        .from(outbox)
        .where(eq(outbox.queue, name))
        .orderBy(desc(outbox.position))
        .limit(newestLookedAt)
        .as('newest')
      const rows = await inTime(
        database.orm.select({ is: sql`1` }).from(newest).where(sql`strpos(${newest.content}, ${word}) > 0`).limit(1),
        signal,
      )
      return rows.length > 0
    },
  }
}

const limitMs = 2000
/** number of latest messages searched; a message contains up to 500 expressions */
const newestLookedAt = 100

/** Counts messages above a format that have waited longer than during a rolling update. */
export function newerMessages(database: Database, name: string, format: number): Promise<number> {
  const waited = sql`${outbox.at} < clock_timestamp() - ${newerAfterMs}::int * interval '1 millisecond'`
  return database.orm.$count(outbox, and(eq(outbox.queue, name), gt(outbox.format, format), waited))
}
