import { context as active, SpanKind, trace } from '@opentelemetry/api'
import type { ExecutionResult } from 'graphql'
import { isSampled, traceOf } from '../../../foundation/tracing/trace-context.ts'
import { endSpan, outcomeOf } from '../../pipeline/telemetry/operation-record.ts'

/** Runs a subgraph request as a span of the gateway's trace, if there is one. @param traceparent - W3C header */
export async function withinSpan(
  name: string,
  traceparent: string | undefined,
  answer: () => Promise<ExecutionResult> | ExecutionResult,
): Promise<ExecutionResult> {
  if (traceparent === undefined || !isSampled(traceparent)) return answer()
  const parent = traceOf(traceparent)
  const span = trace.getTracer('civigraph-subgraph').startSpan(`subgraph ${name}`, { kind: SpanKind.SERVER }, parent)
  if (!span.isRecording()) return answer()
  const traced = { span, context: trace.setSpan(parent, span) }
  const result = await active.with(traced.context, answer)
  endSpan(traced, outcomeOf(result))
  return result
}
