import { createHash } from 'node:crypto'
import { type Context, type Span, SpanStatusCode } from '@opentelemetry/api'
import type { ExecutionResult } from 'graphql'
import { sampledTraceId } from '../../../foundation/tracing/trace-context.ts'
import type { PreparedOperation } from '../../operation/prepared-operation.ts'

/** Fetches of an operation from one subgraph. */
interface Fetches {
  count: number
  /** total duration; concurrent fetches count individually */
  ms: number
}

/** The trace of an operation, if there is one. */
export interface OperationTrace {
  readonly context: Context
  readonly span: Span
}

/** The record of a running operation. */
export class OperationRecord {
  readonly operation: PreparedOperation
  /** name in metrics */
  readonly name: string
  readonly startedAt = performance.now()
  readonly trace: OperationTrace | undefined
  /** incoming header, if present; contains the sampling decision */
  readonly traceparent: string | undefined
  cost: number | undefined
  readonly #fetches = new Map<string, Fetches>()

  constructor(operation: PreparedOperation, name: string, started: OperationTrace | undefined, traceparent: string | undefined) {
    this.operation = operation
    this.name = name
    this.trace = started
    this.traceparent = traceparent
  }

  get traceId(): string | undefined {
    return sampledTraceId(this.trace?.span)
  }

  fetched(subgraph: string, ms: number): void {
    const fetches = this.#fetches.get(subgraph)
    if (fetches === undefined) this.#fetches.set(subgraph, { count: 1, ms })
    else {
      fetches.count += 1
      fetches.ms += ms
    }
  }

  /** Returns the fields of the log line: operation and durations. Contains no variables and no values of the document. */
  logFields(ms: number): object {
    const { definition, kind, text } = this.operation
    return {
      operation: definition.name?.value.slice(0, 100),
      type: kind,
      hash: createHash('sha256').update(text).digest('hex'),
      ms: Math.round(ms),
      cost: this.cost,
      traceId: this.traceId,
      fetches: Object.fromEntries([...this.#fetches].map(([name, each]) => [name, { count: each.count, ms: Math.round(each.ms) }])),
    }
  }
}

/** Returns `ok` or the code of the first error, also for a partial response. */
export function outcomeOf({ errors }: { readonly errors?: ExecutionResult['errors'] }): string {
  const [first] = errors ?? []
  if (first === undefined) return 'ok'
  const code: unknown = first.extensions?.code
  return typeof code === 'string' ? code : 'INTERNAL'
}

/** @param outcome - result of `outcomeOf`, or a bounded label */
export function endSpan(traced: OperationTrace | undefined, outcome: string): void {
  if (traced === undefined) return
  if (outcome !== 'ok') traced.span.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR })
  traced.span.end()
}
