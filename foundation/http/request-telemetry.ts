import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Log } from '../log.ts'
import { traceIdIn, traceOf, traceparentOf as traceparentOfSpan } from '../tracing/trace-context.ts'

/** Records requests and responses of the listeners of a process. */
export interface RequestTelemetry {
  /** @param listener - name in metrics and in the access log: `gateway`, `rest verification` */
  observe(server: FastifyInstance, listener: string): void
}

export interface RequestTelemetryOptions {
  readonly registry: Registry
  /** receives a line per response; absent: no access log */
  readonly accessLog?: Log | undefined
  /** default: that of the registered OpenTelemetry SDK, a no-op without one */
  readonly tracer?: Tracer
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Clients may send any method; each label value is a series of its own. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const protocols: Readonly<Record<string, string>> = { '/graphql': 'graphql-ws', '/ws': 'ws', '/socket.realtime': 'socket.io' }
/** status of a response whose client disconnected, as in nginx */
const brokenOff = 499
/** orchestrators request these every few seconds */
const probes: ReadonlySet<string> = new Set(['/health/live', '/health/ready'])

/**
 * Records rate, errors and duration of each route by its template, without values of the URL. A request counts when its response has ended or its
 * client has disconnected (status 499). @see Wilkie, "The RED Method", 2018
 */
export function requestTelemetry({
  registry,
  accessLog,
  tracer = trace.getTracer('civigraph-http'),
}: RequestTelemetryOptions): RequestTelemetry {
  const registers = [registry]
  const requests = new Counter({
    name: 'civigraph_http_requests_total',
    help: 'Requests answered, by listener, method, route and status',
    labelNames: ['listener', 'method', 'route', 'status'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'civigraph_http_request_seconds',
    help: 'Time from the headers of a request to the end of its response',
    labelNames: ['listener', 'method', 'route'] as const,
    buckets: seconds,
    registers,
  })
  const inFlight = new Gauge({
    name: 'civigraph_http_requests_in_flight',
    help: 'Requests in progress, including streams',
    labelNames: ['listener'] as const,
    registers,
  })
  const sockets = new Gauge({
    name: 'civigraph_sockets',
    help: 'Open WebSockets, by protocol',
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
    const fields = { listener, requestId: request.id, traceId: traceIdIn(traceparentOf(request)), method, route, status }
    accessLog.info({ ...fields, ms: Math.round(ms * 10) / 10, ...sizes(request, reply) }, 'a request')
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
 * Starts a span of the request, in the trace of its client or a new one, and replaces the trace header for calls below it. @returns ends the span;
 * undefined without tracing
 */
function beginSpan(tracer: Tracer, request: FastifyRequest): ((reply: FastifyReply) => void) | undefined {
  const route = request.routeOptions.url ?? 'none'
  if (probes.has(route)) return undefined
  const method = methods.has(request.method) ? request.method : 'other'
  const attributes = { 'http.request.method': method, 'http.route': route }
  const options = { kind: SpanKind.SERVER, attributes }
  const span = tracer.startSpan(`${method} ${route}`, options, traceOf(traceparentOf(request)))
  const traceparent = traceparentOfSpan(span)
  // also if not sampled: the decision applies to all calls of the request
  if (traceparent !== undefined) request.raw.headers.traceparent = traceparent
  if (!span.isRecording()) return undefined
  return ({ raw }) => {
    const status = raw.writableFinished ? raw.statusCode : brokenOff
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
}

/** Returns sizes that are known in advance. */
function sizes(request: FastifyRequest, reply: FastifyReply): { readonly bytesIn?: number; readonly bytesOut?: number } {
  const [received, sent] = [Number(request.headers['content-length']), Number(reply.getHeader('content-length'))]
  return { ...(received >= 0 && { bytesIn: received }), ...(sent >= 0 && { bytesOut: sent }) }
}
