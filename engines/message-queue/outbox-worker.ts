import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { newerWatch } from '../../foundation/health/newer-format.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Announcer } from '../event-feed/event-feed.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import { clientOf } from '../relational/session.ts'
import { storeDeadLetter } from './dead-letters.ts'
import { type BatchOptions, type Message, type MessageHandler, messageFormat } from './message-queue.ts'
import { newerMessages, outboxTopic } from './outbox-queue.ts'
import { outbox } from './tables.ts'

export interface OutboxWorkerOptions {
  readonly name: string
  readonly database: Database
  readonly announcer: Announcer
  readonly log: Log
  readonly handler: MessageHandler
  readonly gathering?: BatchOptions
  /** a worker that does not renew its lock for this long loses its messages to another one */
  readonly lockMs?: number
  /** poll interval without a notification */
  readonly pollEveryMs?: number
  /** newest format that the handler can read; newer messages stay in the outbox */
  readonly format?: number
}

const retryMs = 1000
/** how long a stop waits for messages in progress, ms */
const drainTimeoutMs = 5000

/**
 * Consumes an outbox in order of arrival, with several workers concurrently. Messages are deleted in a transaction that commits when the handler is
 * done: a worker that crashes, freezes or loses its connection has consumed nothing, so a handler may receive a message again. A message that cannot
 * be handled alone becomes a dead letter.
 */
export function outboxWorker(options: OutboxWorkerOptions): Part {
  const { name, database, announcer, log, handler, gathering = { max: 1, gatherMs: 0 } } = options
  const { lockMs = 15_000, pollEveryMs = 500, format = messageFormat } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let woken = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  /** number of next messages handled one by one, because one of them failed */
  let singly = 0
  /** smaller while an engine is too slow for full batches */
  let atOnce = gathering.max
  let hasWarned = false

  const turn = (): Promise<number> =>
    database.transaction(async (tx) => {
      const messages = await take(tx, { name, format, max: singly > 0 ? 1 : atOnce, lockMs })
      if (messages.length === 0) return 0
      const endController = new AbortController()
      const beating = beat(tx, lockMs / 3, endController.signal)
      try {
        await handler(messages.map(asMessage), signal)
      } catch (error) {
        if (error instanceof EngineUnavailable || signal.aborted) throw error
        if (messages.length > 1) throw new Unhandled(messages.length)
        for (const { kind, content, format: own } of messages) {
          await storeDeadLetter(tx, { queue: name, kind, content, format: own }, error)
          // Not quoted: it may contain message content.
          const thrown = error instanceof Error ? error.name : typeof error
          log.error({ queue: name, kind, thrown }, 'message moved to dead letters')
        }
      } finally {
        endController.abort()
        await beating
      }
      singly = Math.max(0, singly - messages.length)
      return messages.length
    })

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      woken = Promise.withResolvers()
      try {
        const handled = await turn()
        hasWarned = false
        const wasFull = handled >= atOnce
        atOnce = Math.min(gathering.max, 2 * atOnce)
        if (wasFull) continue
        if (handled === 0) await Promise.race([woken.promise, pause(pollEveryMs, signal)])
        await pause(gathering.gatherMs, signal)
      } catch (error) {
        if (error instanceof Unhandled) singly = error.count
        else {
          if (!hasWarned && !signal.aborted) log.warn({ err: error, queue: name }, 'messages cannot be processed and wait; retrying')
          hasWarned = true
          atOnce = Math.max(1, Math.floor(atOnce / 2))
          await pause(retryMs, signal)
        }
      }
    }
  }

  const watch = newerWatch('messages', () => newerMessages(database, name, format), log.child({ queue: name }))
  let silence = (): void => undefined
  return {
    name: `outbox ${name}`,
    async start(starting) {
      silence = announcer.onAnnounced(outboxTopic(name), () => woken.resolve())
      running = run()
      await watch.start(starting)
    },
    async stop() {
      stopping.abort()
      silence()
      await watch.stop()
      // unfinished messages go to another worker, since nothing was committed
      if (running !== undefined) await withTimeout(running, drainTimeoutMs, undefined, () => undefined).catch(() => undefined)
    },
  }
}

/** Keeps the lock of the transaction alive, which a frozen worker does not. */
async function beat(tx: Transaction, everyMs: number, endController: AbortSignal): Promise<void> {
  for (await pause(everyMs, endController); !endController.aborted; await pause(everyMs, endController))
    await clientOf(tx)
      .query('select')
      .catch(() => undefined)
}

/** One of several messages cannot be handled. */
class Unhandled extends Error {
  readonly count: number
  constructor(count: number) {
    super('one of several messages cannot be handled')
    this.count = count
  }
}

interface Row extends Record<string, unknown> {
  readonly position: string
  readonly kind: string
  readonly content: unknown
  readonly format: number
}

const asMessage = ({ kind, content }: Row): Message => ({ name: kind, content })

interface TakeOptions {
  readonly name: string
  readonly format: number
  readonly max: number
  readonly lockMs: number
}

async function take(tx: Transaction, { name, format, max, lockMs }: TakeOptions): Promise<readonly Row[]> {
  const { rows } = await tx.execute<Row>(sql`
    with limited as (select set_config('idle_in_transaction_session_timeout', ${String(lockMs)}, true)),
    due as (
      select position from ${outbox}, limited where queue = ${name} and format <= ${format}
      order by position limit ${max} for update of ${outbox} skip locked
    )
    delete from ${outbox} o using due where o.position = due.position
    returning o.position, o.kind, o.content, o.format`)
  return rows.toSorted((a, b) => Number(a.position) - Number(b.position))
}
