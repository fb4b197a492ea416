import { type Context, isSpanContextValid, ROOT_CONTEXT, type Span, TraceFlags, trace } from '@opentelemetry/api'

/** `traceparent` of version 00, and as much of later ones. @see https://www.w3.org/TR/trace-context/ */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

/** What a client says of its trace in a message over WebSocket, where only its members can be headers. */
export const traceparentGiven = (given: unknown): string | undefined =>
  typeof given === 'string' && given.length <= 100 && form.test(given) ? given : undefined

/** The trace that a header tells; the root where it tells none. */
export function traceOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = (traceparent !== undefined && form.exec(traceparent.slice(0, 100))) || []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

/** where the lower digit of the flags is */
const flagsAt = 54

/** Whether whoever sends this header keeps the trace; the rest of it need not be right. */
export const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.charAt(flagsAt), 16) & TraceFlags.SAMPLED) !== 0

/** The header by which another process goes on with the trace of a span. @returns undefined where there is no trace */
export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return isSpanContextValid({ traceId, spanId, traceFlags })
    ? `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
    : undefined
}

/** The id by which a trace is found where it is kept. @returns undefined where there is none, or it is not kept */
export function sampledTraceId(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  const isKept = context !== undefined && isSpanContextValid(context) && (context.traceFlags & TraceFlags.SAMPLED) !== 0
  return isKept ? context.traceId : undefined
}

/** The same of what a caller's header says. */
export const traceIdIn = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined || !isSampled(traceparent) ? undefined : sampledTraceId(trace.getSpan(traceOf(traceparent)))
