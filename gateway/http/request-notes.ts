import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Log } from '../../foundation/log.ts'
import { traceIdIn, traceOf, traceparentOf as traceparentOfSpan } from '../../foundation/tracing/trace-context.ts'

/** Notes what the listeners of a process are asked and how they answer. */
export interface RequestNotes {
  /** @param listener - as it is called in metrics and in the access log: `gateway`, `rest verification` */
  observe(server: FastifyInstance, listener: string): void
}

export interface RequestNotesOptions {
  readonly registry: Registry
  /** gets a line for each answer; absent: no access log */
  readonly accessLog?: Log | undefined
  /** default: that of the OpenTelemetry SDK that is registered, which does nothing where none is */
  readonly tracer?: Tracer
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** What clients may write there is free; each name that is taken apart is a series of its own. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const protocols: Readonly<Record<string, string>> = { '/graphql': 'graphql-ws', '/ws': 'ws', '/socket.realtime': 'socket.io' }
/** an answer that its client did not wait for (as nginx has it) */
const brokenOff = 499
/** Orchestrators ask for these every few seconds. */
const probes: ReadonlySet<string> = new Set(['/health/live', '/health/ready'])

/**
 * Rate, errors and duration of each route, by its template: no metric and no line holds what stands in an address. A request counts when its
 * answer has ended or its client has gone, which is status 499.
 * @see Wilkie, "The RED Method", 2018
 */
export function requestNotes({ registry, accessLog, tracer = trace.getTracer('civigraph-http') }: RequestNotesOptions): RequestNotes {
  const registers = [registry]
  const requests = new Counter({
    name: 'civigraph_http_requests_total',
    help: 'Requests that were answered, by listener, method, route and status',
    labelNames: ['listener', 'method', 'route', 'status'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'civigraph_http_request_seconds',
    help: 'From the headers of a request to the end of its answer',
    labelNames: ['listener', 'method', 'route'] as const,
    buckets: seconds,
    registers,
  })
  const inFlight = new Gauge({
    name: 'civigraph_http_requests_in_flight',
    help: 'Requests that are being answered, streams among them',
    labelNames: ['listener'] as const,
    registers,
  })
  const sockets = new Gauge({
    name: 'civigraph_sockets',
    help: 'WebSockets that are open, by protocol',
    labelNames: ['listener', 'protocol'] as const,
    registers,
  })

  const note = (listener: string, request: FastifyRequest, reply: FastifyReply, since: number): void => {
    const method = methods.has(request.method) ? request.method : 'other'
    const route = request.routeOptions.url ?? 'none'
    const status = reply.raw.writableFinished ? reply.raw.statusCode : brokenOff
    const ms = performance.now() - since
    requests.inc({ listener, method, route, status })
    duration.observe({ listener, method, route }, ms / 1000)
    if (accessLog === undefined || probes.has(route)) return
    const told = { listener, requestId: request.id, traceId: traceIdIn(traceparentOf(request)), method, route, status }
    accessLog.info({ ...told, ms: Math.round(ms * 10) / 10, ...sizes(request, reply) }, 'a request')
  }

  return {
    observe(server, listener) {
      server.addHook('onRequest', (request, reply, done) => {
        const since = performance.now()
        inFlight.inc({ listener })
        const end = beginSpan(tracer, request)
        reply.raw.once('close', () => {
          inFlight.dec({ listener })
          note(listener, request, reply, since)
          end?.(reply)
        })
        done()
      })
      server.server.on('upgrade', (request: IncomingMessage, connection: Duplex) => {
        const labels = { listener, protocol: protocols[request.url?.split('?', 1)[0] ?? ''] ?? 'other' }
        sockets.inc(labels)
        connection.once('close', () => sockets.dec(labels))
      })
    },
  }
}

function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined
}

/**
 * A span of the request, in the trace that its client has or a new one. What comes of the request is beneath it: the header that is read further
 * on is replaced. @returns ends it; undefined where nobody keeps traces
 */
function beginSpan(tracer: Tracer, request: FastifyRequest): ((reply: FastifyReply) => void) | undefined {
  const route = request.routeOptions.url ?? 'none'
  if (probes.has(route)) return undefined
  const method = methods.has(request.method) ? request.method : 'other'
  const attributes = { 'http.request.method': method, 'http.route': route }
  const options = { kind: SpanKind.SERVER, attributes }
  const span = tracer.startSpan(`${method} ${route}`, options, traceOf(traceparentOf(request)))
  const traceparent = traceparentOfSpan(span)
  // also where it is not sampled: that is decided once for all that comes of the request
  if (traceparent !== undefined) request.raw.headers.traceparent = traceparent
  if (!span.isRecording()) return undefined
  return ({ raw }) => {
    const status = raw.writableFinished ? raw.statusCode : brokenOff
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** Bytes, where they were said beforehand. */
function sizes(request: FastifyRequest, reply: FastifyReply): { readonly bytesIn?: number; readonly bytesOut?: number } {
  const [given, sent] = [Number(request.headers['content-length']), Number(reply.getHeader('content-length'))]
  return { ...(given >= 0 && { bytesIn: given }), ...(sent >= 0 && { bytesOut: sent }) }
}
