import { z } from 'zod'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import type { MessageBacklog } from '../../../engines/message-queue/message-queue.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { saveWithCurrentDomains } from '../expression/current-domains.ts'
import { type ExpressionDocument, type QueuedExpression, readQueued } from '../expression/expression-document.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'
import type { WriterMetrics } from './worker-metrics.ts'

const rowsInBatch = 500
/** concurrent batches: the next one is prepared while the database writes */
const lanes = 2

const Message = z.object({ rows: z.array(z.unknown()) })
const Identified = z.object({ document: z.object({ id: z.guid() }) })

/**
 * Writes queued expressions to the analytics store, the rows of many messages together. A row that is unreadable or refused becomes a dead
 * letter; a message without any rows remains with the queue.
 */
export class BatchWriter {
  readonly #store: AnalyticsStore<ExpressionDocument>
  readonly #retries: Pick<StepRetries, 'schedule'>
  readonly #log: Log
  readonly #metrics: WriterMetrics

  constructor(parts: {
    readonly store: AnalyticsStore<ExpressionDocument>
    readonly retries: Pick<StepRetries, 'schedule'>
    readonly log: Log
    readonly metrics: WriterMetrics
  }) {
    this.#store = parts.store
    this.#retries = parts.retries
    this.#log = parts.log
    this.#metrics = parts.metrics
  }

  /**
   * @param messages - as received
   * @throws {EngineUnavailable} when the store is unavailable: they stay queued
   * @throws {Error} when a message contains no expressions, or an unreadable one without an id; its other rows are written only if it is
   * the only message
   */
  async take(messages: readonly unknown[]): Promise<void> {
    const read = messages.map(rowsOf)
    const strange = read.some(({ isStrange }) => isStrange)
    if (strange && messages.length > 1) throw new Error('one of several messages could not be read as expressions')
    for (const { unreadable } of read) for (const { row, id, error } of unreadable) await this.#bury(row, id, error)
    await this.#writeAll(read.flatMap(({ rows }) => rows))
    if (strange) throw new Error('the message contains no expressions, or an unreadable one without an id')
  }

  async #writeAll(rows: readonly QueuedExpression[]): Promise<void> {
    const batches = batchesOf(rows)
    // shared, so that a failing lane ends the other
    const lane = async (): Promise<void> => {
      for (const batch of batches) await this.#flush(batch)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  async #flush(rows: readonly QueuedExpression[]): Promise<void> {
    const from = performance.now()
    // written before the rows: a retry without its row is harmless, a row without its retry would be forgotten
    await this.#retries.schedule(rows.flatMap(({ document, given }) => (given == null ? [] : [{ id: document.id, given }])))
    await this.#write(rows)
    this.#metrics.flushed(rows.length, performance.now() - from)
  }

  async #write(rows: readonly QueuedExpression[]): Promise<void> {
    try {
      await saveWithCurrentDomains(this.#store, rows.map(recordOf))
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error
      for (const row of rows) await this.#writeOne(row)
    }
  }

  async #writeOne(row: QueuedExpression): Promise<void> {
    try {
      await saveWithCurrentDomains(this.#store, [recordOf(row)])
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error
      await this.#bury(row, row.document.id, error)
    }
  }

  async #bury(row: unknown, id: string, error: unknown): Promise<void> {
    const reason = messageOf(error)
    this.#metrics.died()
    this.#log.error({ expressionId: id, reason }, 'an expression could not be written and became a dead letter')
    await this.#store.storeDeadLetters([{ id, content: row, reason }])
  }
}

interface ReadMessage {
  readonly rows: readonly QueuedExpression[]
  /** rows with an id, each of which can become a dead letter */
  readonly unreadable: readonly { readonly row: unknown; readonly id: string; readonly error: unknown }[]
  /** whether it contains no rows, or one without an id */
  readonly isStrange: boolean
}

function rowsOf(message: unknown): ReadMessage {
  const { data } = Message.safeParse(message)
  const rows: QueuedExpression[] = []
  const unreadable: ReadMessage['unreadable'][number][] = []
  let isStrange = data === undefined || data.rows.length === 0
  for (const row of data?.rows ?? [])
    try {
      rows.push(readQueued(row))
    } catch (error) {
      const id = Identified.safeParse(row).data?.document.id
      if (id === undefined) isStrange = true
      else unreadable.push({ row, id, error })
    }
  return { rows, unreadable, isStrange }
}

function* batchesOf(rows: readonly QueuedExpression[]): Generator<readonly QueuedExpression[]> {
  for (let start = 0; start < rows.length; start += rowsInBatch) yield rows.slice(start, start + rowsInBatch)
}

/** Reads the age of the oldest message once at a time: all who ask during a reading share the next, since that one began before they asked. */
export function sharedOldestAge(queue: Pick<MessageBacklog, 'oldestAgeMs'>): () => Promise<number> {
  // ends by the limit of the queue: no single caller may end what others wait for
  const { signal } = new AbortController()
  let running: Promise<number> | undefined
  let next: Promise<number> | undefined
  const read = (): Promise<number> => {
    next = undefined
    const reading = queue.oldestAgeMs(signal)
    const end = (): void => {
      if (running === reading) running = undefined
    }
    running = reading
    reading.then(end, end)
    return reading
  }
  return () => {
    if (running === undefined) return read()
    next ??= running.then(read, read)
    return next
  }
}

const maxWaitMs = 1000
const checkEveryMs = 25

/**
 * Waits until expressions accepted before now are stored, so that a client finds its own expression in a list. Waits at most one second;
 * with a longer queue the list has the stored ones.
 */
export async function untilWritten(oldestAgeMs: () => Promise<number>, signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  for (let waitedMs = 0; waitedMs < maxWaitMs && !signal.aborted; waitedMs = performance.now() - begun) {
    const oldestMs = await oldestAgeMs()
    // younger messages arrived after this wait started; much older ones have no active writer
    if (oldestMs <= waitedMs || oldestMs > maxWaitMs + waitedMs) return
    await pause(checkEveryMs, signal)
  }
}
