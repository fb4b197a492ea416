import { z } from 'zod'
import type { AnalyticsStore } from '../engines/analytics-store/analytics-store.ts'
import { EngineUnavailable, messageOf } from '../foundation/fault.ts'
import type { Log } from '../foundation/log.ts'
import { type ExpressionDocument, QueuedExpression } from './expression-document.ts'
import { recordOf } from './records.ts'
import type { StepRetries } from './step-retries.ts'
import type { WriterMetrics } from './worker-metrics.ts'

const rowsInBatch = 500
/** batches at once: while the database has one the next is made ready */
const lanes = 2

const Message = z.object({ rows: z.array(QueuedExpression) })

/** Writes queued expressions into the analytics store, the rows of many messages at once. A row that it refuses becomes a dead letter. */
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
   * @param messages - as they came from the queue; one that cannot be read is given up
   * @throws {EngineUnavailable} when the store is away: they wait
   */
  async take(messages: readonly unknown[]): Promise<void> {
    const rows = messages.flatMap((message) => {
      const { data } = Message.safeParse(message)
      if (data === undefined) this.#log.error('a message that holds no expressions was given up')
      return data?.rows ?? []
    })
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
      this.#log.error(
        { expressionId: row.document.id, reason: messageOf(error) },
        'an expression could not be written; it is a dead letter',
      )
      this.#metrics.died()
      await this.#store.keepDeadLetters([{ id: row.document.id, content: row, reason: messageOf(error) }])
    }
  }
}

function* batchesOf(rows: readonly QueuedExpression[]): Generator<readonly QueuedExpression[]> {
  for (let start = 0; start < rows.length; start += rowsInBatch) yield rows.slice(start, start + rowsInBatch)
}
