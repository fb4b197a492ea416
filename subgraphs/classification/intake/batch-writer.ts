import { z } from 'zod'
import type { AnalyticsStore } from '../../engines/analytics-store/analytics-store.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { type ExpressionDocument, type QueuedExpression, readQueued } from '../expression/expression-document.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'
import type { WriterMetrics } from './worker-metrics.ts'

const rowsInBatch = 500
/** batches at once: while the database has one the next is made ready */
const lanes = 2

const Message = z.object({ rows: z.array(z.unknown()) })
const Identified = z.object({ document: z.object({ id: z.guid() }) })

/**
 * Writes queued expressions into the analytics store, the rows of many messages at once. A row that cannot be read, or that the store
 * refuses, becomes a dead letter.
 */
export class BatchWriter {
  readonly #store: AnalyticsStore<ExpressionDocument>
  readonly #retries: Pick<StepRetries, 'keep'>
  readonly #log: Log
  readonly #metrics: WriterMetrics

  constructor(parts: {
    readonly store: AnalyticsStore<ExpressionDocument>
    readonly retries: Pick<StepRetries, 'keep'>
    readonly log: Log
    readonly metrics: WriterMetrics
  }) {
    this.#store = parts.store
    this.#retries = parts.retries
    this.#log = parts.log
    this.#metrics = parts.metrics
  }

  /**
   * @param messages - as they came from the queue; one that holds no rows is given up, and so is a row that cannot be read and has no id
   * @throws {EngineUnavailable} when the store is away: they wait
   */
  async take(messages: readonly unknown[]): Promise<void> {
    const rows: QueuedExpression[] = []
    for (const message of messages) {
      const { data } = Message.safeParse(message)
      if (data === undefined) this.#log.error('a message that holds no expressions was given up')
      for (const row of data?.rows ?? []) {
        try {
          rows.push(readQueued(row))
        } catch (error) {
          await this.#bury(row, error)
        }
      }
    }
    const batches = batchesOf(rows)
    // shared: a lane that fails ends it for the other one
    const lane = async (): Promise<void> => {
      for (const batch of batches) await this.#flush(batch)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  async #flush(rows: readonly QueuedExpression[]): Promise<void> {
    const from = performance.now()
    // before the rows themselves: what is written here for one that is not there yet harms nobody, the other way round it could be forgotten
    await this.#retries.keep(rows.flatMap(({ document, given }) => (given == null ? [] : [{ id: document.id, given }])))
    await this.#write(rows)
    this.#metrics.flushed(rows.length, performance.now() - from)
  }

  async #write(rows: readonly QueuedExpression[]): Promise<void> {
    try {
      await this.#store.saveExpressions(rows.map(recordOf))
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error
      for (const row of rows) await this.#writeOne(row)
    }
  }

  async #writeOne(row: QueuedExpression): Promise<void> {
    try {
      await this.#store.saveExpressions([recordOf(row)])
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error
      await this.#bury(row, error)
    }
  }

  async #bury(row: unknown, error: unknown): Promise<void> {
    const reason = messageOf(error)
    const { data } = Identified.safeParse(row)
    this.#metrics.died()
    if (data === undefined) return this.#log.error({ reason }, 'an expression without an id was given up')
    const { id } = data.document
    this.#log.error({ expressionId: id, reason }, 'an expression could not be written; it is a dead letter')
    await this.#store.keepDeadLetters([{ id, content: row, reason }])
  }
}

function* batchesOf(rows: readonly QueuedExpression[]): Generator<readonly QueuedExpression[]> {
  for (let start = 0; start < rows.length; start += rowsInBatch) yield rows.slice(start, start + rowsInBatch)
}
