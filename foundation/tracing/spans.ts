import { type Attributes, context as active, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { Fault } from '../fault.ts'
import { traceOf, traceparentOf } from './trace-context.ts'

/** The header by which others go on with what is being traced here. @returns undefined where nothing is */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()
  return span === undefined ? undefined : traceparentOf(span)
}

/** A step of something that is traced; else the step alone. Nothing of a citizen may be in its name or attributes. */
export async function withinStep<Result>(name: string, attributes: Attributes, step: () => Promise<Result>): Promise<Result> {
  if (trace.getActiveSpan()?.isRecording() !== true) return step()
  return within(name, { kind: SpanKind.CLIENT, attributes }, undefined, step)
}

/** Work that somebody else has asked for before, in the trace of that where it has one. @param traceparent - W3C's header */
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
    // the sentence of an error may hold what a citizen has sent
    span.setAttribute('error.type', error instanceof Fault ? error.code : 'INTERNAL').setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
