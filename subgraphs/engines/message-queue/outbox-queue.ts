import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Announcer } from '../event-feed/announcer.ts'
import type { Database } from '../relational/database.ts'
import { eq, sql } from '../relational/drizzle.ts'
import type { MessageQueue } from './message-queue.ts'
import { outbox } from './tables.ts'

export const outboxTopic = (name: string): string => `outbox:${name}`

/**
 * A message queue in PostgreSQL: what was sent is committed there, so it survives whatever else is away or loses its memory; `outboxWorker`
 * takes the messages.
 * @param options - `name`: of the queue, the same for its workers
 */
export function outboxQueue(options: { readonly name: string; readonly database: Database; readonly announcer: Announcer }): MessageQueue {
  const { name, database, announcer } = options
  const inTime = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
    withTimeout(work, limitMs, signal, () => new EngineUnavailable('database', new Error('no answer in time')))
  return {
    engine: 'postgresql',
    async send(kind, content, window) {
      await database.transaction(
        (tx) => tx.execute(sql`insert into ${outbox} (queue, kind, content) values (${name}, ${kind}, ${JSON.stringify(content)}::json)`),
        window,
      )
      announcer.announce(outboxTopic(name), 0)
    },
    depth: (signal) => inTime(database.orm.$count(outbox, eq(outbox.queue, name)), signal),
    async oldestAgeMs(signal) {
      const { rows } = await inTime(
        database.orm.execute<{ age: string | null }>(sql`
          select extract(epoch from clock_timestamp() - at) * 1000 as age from ${outbox} where queue = ${name} order by position limit 1`),
        signal,
      )
      return Math.max(0, Number(rows[0]?.age ?? 0))
    },
  }
}

const limitMs = 2000
