import { Counter, Histogram, type Registry } from 'prom-client'
import type { MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import { countedGauge } from '../../../foundation/process/metrics.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'

/** Metrics of ingestion: they contain no texts and no ids. */
export interface IngestMetrics {
  ingested(document: ExpressionDocument, created: boolean): void
}

const queryLimitMs = 1000

export function ingestMetrics(registry: Registry, queue: MessageQueue): IngestMetrics {
  const registers = [registry]
  const received = new Counter({
    name: 'civigraph_expressions_ingested_total',
    help: 'Expressions received; known: already stored',
    labelNames: ['outcome'] as const,
    registers,
  })
  const abstained = new Counter({
    name: 'civigraph_expressions_abstained_total',
    help: 'Expressions for which no domain scored high enough',
    registers,
  })
  const seconds = new Histogram({
    name: 'civigraph_pipeline_step_seconds',
    help: 'Duration of pipeline steps',
    labelNames: ['step'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const failures = new Counter({
    name: 'civigraph_pipeline_step_failures_total',
    help: 'Steps that failed',
    labelNames: ['step'] as const,
    registers,
  })
  countedGauge('civigraph_expression_queue_messages', 'Messages that wait to be written', registry, () =>
    queue.depth(AbortSignal.timeout(queryLimitMs)),
  )
  countedGauge('civigraph_expression_queue_oldest_seconds', 'Age of the oldest message that waits to be written', registry, async () => {
    return (await queue.oldestAgeMs(AbortSignal.timeout(queryLimitMs))) / 1000
  })
  return {
    ingested({ pipeline, classification }, created) {
      received.inc({ outcome: created ? 'created' : 'known' })
      if (!created) return
      if (classification !== null && classification.domain === null) abstained.inc()
      for (const { name, status, durationMs } of pipeline.steps) {
        if (status !== 'skipped') seconds.observe({ step: name }, durationMs / 1000)
        if (status === 'failed') failures.inc({ step: name })
      }
    },
  }
}
