import { type Context, isSpanContextValid, ROOT_CONTEXT, type Span, TraceFlags, trace } from '@opentelemetry/api'

/** Parses `traceparent` of version 00, and the same fields of later versions. @see https://www.w3.org/TR/trace-context/ */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

/** Returns the `traceparent` of a message if it is valid. */
export const validTraceparent = (header: unknown): string | undefined =>
  typeof header === 'string' && header.length <= 100 && form.test(header) ? header : undefined

/** Returns the context of a `traceparent` header; the root context if it is missing or invalid. */
export function traceOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = (traceparent !== undefined && form.exec(traceparent.slice(0, 100))) || []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

/** position of the low digit of the flags */
const flagsAt = 54

/** Whether the sampled flag of a header is set; the rest is not validated. */
export const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.charAt(flagsAt), 16) & TraceFlags.SAMPLED) !== 0

/** Returns the `traceparent` header for calls to other processes, undefined outside a trace. */
export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return isSpanContextValid({ traceId, spanId, traceFlags })
    ? `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
    : undefined
}

/** Returns the trace id under which a stored trace can be found; undefined outside a trace or if it is not sampled. */
export function sampledTraceId(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  const hasSampledContext = context !== undefined && isSpanContextValid(context) && (context.traceFlags & TraceFlags.SAMPLED) !== 0
  return hasSampledContext ? context.traceId : undefined
}

/** As `sampledTraceId`, for the header of a caller. */
export const traceIdIn = (traceparent: string | undefined): string | undefined =>
  traceparent === undefined || !isSampled(traceparent) ? undefined : sampledTraceId(trace.getSpan(traceOf(traceparent)))
