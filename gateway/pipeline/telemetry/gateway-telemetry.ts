import { type Attributes, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { ExecutionResult } from 'graphql'
import type { Registry } from 'prom-client'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isSampled, traceOf, validTraceparent } from '../../../foundation/tracing/trace-context.ts'
import type { ExecutionObserver } from '../../executor/executor.ts'
import type { PreparedOperation } from '../../operation/prepared-operation.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'
import { boundedLabels } from './bounded-labels.ts'
import { gatewayMetrics } from './gateway-metrics.ts'
import { observedSource } from './observed-source.ts'
import { endSpan, OperationRecord, type OperationTrace, outcomeOf } from './operation-record.ts'

export interface TelemetryOptions {
  readonly registry: Registry
  /** duration in ms from which an operation is logged; 0: none (default) */
  readonly slowMs?: number
  /** default: that of the registered OpenTelemetry SDK, a no-op without one */
  readonly tracer?: Tracer
}

/** Maximum number of operation names and error codes in metrics; others are `other`. */
export const maxLabels = { operations: 200, codes: 60 }
/** Occurrences after which an unregistered name gets its own label. */
const frequent = 20

/**
 * Records operations: histograms, spans, and a log line per slow operation. Contains no variables, literals or identities, and no label has more than
 * `maxLabels` values.
 */
export class GatewayTelemetry implements ExecutionObserver {
  readonly #metrics: ReturnType<typeof gatewayMetrics>
  readonly #slowMs: number
  readonly #tracer: Tracer
  readonly #operations = boundedLabels({ max: maxLabels.operations, after: frequent })
  readonly #codes = boundedLabels({ max: maxLabels.codes })
  readonly #sources = new WeakMap<SubgraphSource, SubgraphSource>()

  constructor({ registry, slowMs = 0, tracer = trace.getTracer('civigraph-gateway') }: TelemetryOptions) {
    this.#metrics = gatewayMetrics(registry)
    this.#slowMs = slowMs
    this.#tracer = tracer
  }

  /** @param isRegistered - whether the operation is in a manifest */
  begin(operation: PreparedOperation, context: RequestContext, isRegistered: () => boolean): OperationRecord {
    const { kind, definition } = operation
    const name = definition.name === undefined ? 'none' : this.#operations.of(definition.name.value, isRegistered)
    return this.#record(kind, operation, name, context)
  }

  /** Records the completion of a subscription event. @returns a function to call with its result */
  event(operation: PreparedOperation, context: RequestContext): (result: Pick<ExecutionResult, 'errors'>) => void {
    const { trace: traced } = this.#record('event', operation, 'none', context)
    return (result) => endSpan(traced, this.#codes.of(outcomeOf(result)))
  }

  /** Stored in the context, so that fetches are recorded below it. */
  #record(kind: string, operation: PreparedOperation, name: string, context: RequestContext): OperationRecord {
    const parent = validTraceparent(context.traceparent)
    // not sampled: the listener or the caller has decided for all calls of the request
    const isUnsampled = parent !== undefined && !isSampled(parent)
    const operationTrace = isUnsampled ? undefined : this.#operationTrace(kind, operation, name, context.traceparent)
    const record = new OperationRecord(operation, name, operationTrace, parent)
    context.loaders.set(recordKey, record)
    return record
  }

  #operationTrace(kind: string, operation: PreparedOperation, name: string, traceparent: string | undefined): OperationTrace | undefined {
    const root = traceOf(traceparent)
    const attributes = { 'graphql.operation.type': operation.kind, 'graphql.operation.name': name }
    const span = this.#tracer.startSpan(kind, { kind: SpanKind.SERVER, attributes }, root)
    return span.isRecording() ? { span, context: trace.setSpan(root, span) } : undefined
  }

  end(record: OperationRecord, result: Pick<ExecutionResult, 'errors'>, context: RequestContext): void {
    const ms = performance.now() - record.startedAt
    const outcome = this.#codes.of(outcomeOf(result))
    this.#metrics.operation.observe({ type: record.operation.kind, operation: record.name, outcome }, ms / 1000)
    if (this.#slowMs > 0 && ms >= this.#slowMs && record.operation.kind !== 'subscription')
      context.log.warn(record.logFields(ms), 'a slow operation')
    endSpan(record.trace, outcome)
  }

  /** Records the planning of an uncached operation. @param startedAt - by performance.now() */
  planned(context: RequestContext, startedAt: number): void {
    const ms = performance.now() - startedAt
    this.#metrics.plan.observe(ms / 1000)
    const parent = recordOf(context)?.trace
    if (parent !== undefined) this.#tracer.startSpan('plan', { startTime: Date.now() - ms }, parent.context).end()
  }

  costEstimated(context: RequestContext, cost: number): void {
    this.#metrics.cost.observe(cost)
    const record = recordOf(context)
    if (record === undefined) return
    record.cost = cost
    record.trace?.span.setAttribute('civigraph.operation.cost', cost)
  }

  /** Wraps a subgraph to record its fetches; returns the same wrapper for the same source. */
  source(name: string, source: SubgraphSource): SubgraphSource {
    const wrapped = this.#sources.get(source)
    if (wrapped !== undefined) return wrapped
    const observed = observedSource(source, (context) => {
      const record = recordOf(context)
      const startedAt = performance.now()
      const traced = record?.trace && this.#child(record.trace, `fetch ${name}`, { 'civigraph.subgraph': name })
      return {
        trace: traced,
        traceparent: record?.traceparent,
        end: (result) => {
          const ms = performance.now() - startedAt
          const outcome = this.#codes.of(outcomeOf(result))
          this.#metrics.fetch.observe({ subgraph: name, outcome }, ms / 1000)
          record?.fetched(name, ms)
          endSpan(traced, outcome)
        },
      }
    })
    this.#sources.set(source, observed)
    return observed
  }

  /** Records cache hits and misses of a fetch. */
  cached(subgraph: string, hits: number, misses: number): void {
    if (hits > 0) this.#metrics.entities.inc({ subgraph, outcome: 'hit' }, hits)
    if (misses > 0) this.#metrics.entities.inc({ subgraph, outcome: 'miss' }, misses)
  }

  /** Records the delivery of an event. @param arrivedAt - by performance.now() */
  delivered(arrivedAt: number): void {
    this.#metrics.lag.observe((performance.now() - arrivedAt) / 1000)
  }

  #child({ context }: OperationTrace, name: string, attributes: Attributes): OperationTrace {
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context)
    return { span, context: trace.setSpan(context, span) }
  }
}

/** Stores the record of an operation in its context: short-lived WeakMap keys are expensive for the garbage collector. */
const recordKey = 'operation record'

function recordOf({ loaders }: RequestContext): OperationRecord | undefined {
  const record = loaders.get(recordKey)
  return record instanceof OperationRecord ? record : undefined
}
