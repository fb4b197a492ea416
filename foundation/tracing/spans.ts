import { type Attributes, context as active, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { Fault } from '../fault.ts'
import { traceOf, traceparentOf } from './trace-context.ts'

/** Returns the `traceparent` header of the current span, undefined outside a trace. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()
  return span === undefined ? undefined : traceparentOf(span)
}

/** Runs a step as a span of the current trace; without a trace, just runs it. Name and attributes must not contain personal data. */
export async function withinStep<Result>(name: string, attributes: Attributes, step: () => Promise<Result>): Promise<Result> {
  if (trace.getActiveSpan()?.isRecording() !== true) return step()
  return within(name, { kind: SpanKind.CLIENT, attributes }, undefined, step)
}

/** Runs deferred work in the trace of the request that caused it, if there is one. @param traceparent - W3C header of that request */
export async function withinWork<Result>(name: string, traceparent: string | undefined, work: () => Promise<Result>): Promise<Result> {
  if (traceparent === undefined) return work()
  return within(name, { kind: SpanKind.CONSUMER }, traceparent, work)
}

async function within<Result>(
  name: string,
  options: { readonly kind: SpanKind; readonly attributes?: Attributes },
  traceparent: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = traceparent === undefined ? active.active() : traceOf(traceparent)
  const span = trace.getTracer('civigraph').startSpan(name, options, parent)
  try {
    return await active.with(trace.setSpan(parent, span), work)
  } catch (error) {
    // error messages may contain text of citizens
    span.setAttribute('error.type', error instanceof Fault ? error.code : 'INTERNAL').setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
