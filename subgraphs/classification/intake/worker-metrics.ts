import { Counter, Histogram, type Registry } from 'prom-client'
import { countedGauge } from '../../../foundation/process/metrics.ts'
import type { RetryOutcome } from '../step-retries/retry-steps.ts'

/** Metrics of the batch writer. */
export interface WriterMetrics {
  flushed(rows: number, ms: number): void
  died(): void
}

export interface WorkerMetrics extends WriterMetrics {
  retried(outcome: RetryOutcome): void
}

/** Counts that are queried when Prometheus scrapes; a failed query keeps the previous value. */
export interface WaitingCounts {
  retries(): Promise<number>
  deadLetters(): Promise<number>
  deadMessages(): Promise<number>
}

export function workerMetrics(registry: Registry, waiting: WaitingCounts): WorkerMetrics {
  const registers = [registry]
  const rows = new Histogram({
    name: 'civigraph_writer_flush_rows',
    help: 'Expressions per write of the batch writer',
    buckets: [1, 10, 50, 100, 250, 500, 1000],
    registers,
  })
  const seconds = new Histogram({
    name: 'civigraph_writer_flush_seconds',
    help: 'Duration of a write of the batch writer',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  const died = new Counter({ name: 'civigraph_writer_dead_letters_total', help: 'Expressions that could not be written', registers })
  const retried = new Counter({
    name: 'civigraph_pipeline_retries_total',
    help: 'Retries of failed steps',
    labelNames: ['outcome'] as const,
    registers,
  })
  countedGauge('civigraph_pipeline_retries_waiting', 'Expressions with a failed step that will be retried', registry, waiting.retries)
  countedGauge('civigraph_expression_dead_letters', 'Expressions in the dead-letter queue', registry, waiting.deadLetters)
  countedGauge('civigraph_expression_dead_messages', 'Expression messages in the dead-letter queue', registry, waiting.deadMessages)
  return {
    flushed(count, ms) {
      rows.observe(count)
      seconds.observe(ms / 1000)
    },
    died: () => died.inc(),
    retried: (outcome) => retried.inc({ outcome }),
  }
}
