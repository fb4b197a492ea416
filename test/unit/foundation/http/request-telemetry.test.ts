import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import fastify, { type FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { requestTelemetry } from '../../../../foundation/http/request-telemetry.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

describe('request metrics and logs', () => {
  const { log, lines } = recordedLog()
  let registry: Registry
  let server: FastifyInstance
  let url: string
  let sockets: WebSocketServer
  beforeEach(async () => {
    lines.length = 0
    registry = new Registry()
    server = fastify({ genReqId: () => 'r-1' })
    requestTelemetry({ registry, accessLog: log }).observe(server, 'rest test')
    server.get('/things/:id', async () => ({ ok: true }))
    server.post('/things', async (_, reply) => reply.code(422).send({ detail: 'no' }))
    server.get('/never', async () => pause(60_000, undefined, { ref: false }))
    server.get('/health/live', async () => ({ status: 'ok' }))
    sockets = new WebSocketServer({ server: server.server, path: '/ws' })
    await server.listen({ port: 0, host: '127.0.0.1' })
    url = listenerUrl(server.server, '127.0.0.1')
  })
  afterEach(async () => {
    sockets.close()
    server.server.closeAllConnections()
    await server.close()
  })
  const valuesOf = async (name: string): Promise<readonly { readonly labels: object; readonly value: number }[]> =>
    ((await registry.getSingleMetric(name)?.get())?.values ?? []).map(({ labels, value }) => ({ labels, value }))
  const counted = () => valuesOf('civigraph_http_requests_total')

  it('count by route template and status, and do not contain the path', async () => {
    await fetch(`${url}/things/secret-1?name=Awa`)
    await fetch(`${url}/things/secret-2?name=Awa`)
    await fetch(`${url}/things`, { method: 'POST', body: 'Awa', headers: { 'content-type': 'text/plain' } })
    await fetch(`${url}/nowhere/secret-3`)
    await expect.poll(counted).toEqual([
      { labels: { listener: 'rest test', method: 'GET', route: '/things/:id', status: 200 }, value: 2 },
      { labels: { listener: 'rest test', method: 'POST', route: '/things', status: 422 }, value: 1 },
      { labels: { listener: 'rest test', method: 'GET', route: 'none', status: 404 }, value: 1 },
    ])
    const page = await registry.metrics()
    expect(page).toContain('civigraph_http_request_seconds_count{listener="rest test",method="GET",route="/things/:id"} 2')
    expect(page + lines.join('')).not.toMatch(/secret|Awa/)
  })

  it('share one sampling decision for all spans of a request', async () => {
    const spans = new InMemorySpanExporter()
    const samplers = [new AlwaysOffSampler(), new AlwaysOnSampler()]
    const root = { shouldSample: () => (samplers.shift() ?? new AlwaysOffSampler()).shouldSample() }
    const provider = new BasicTracerProvider({
      sampler: new ParentBasedSampler({ root }),
      spanProcessors: [new SimpleSpanProcessor(spans)],
    })
    const traced = fastify()
    requestTelemetry({ registry: new Registry(), tracer: provider.getTracer('test') }).observe(traced, 'traced')
    traced.get('/traceparent', async ({ headers }) => headers.traceparent)
    const traceparentOf = async (headers = {}): Promise<string> => (await traced.inject({ url: '/traceparent', headers })).body
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}`
    // the traceparent says unsampled: later spans do not consult the sampler
    expect(await traceparentOf()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(await traceparentOf()).toMatch(/-01$/)
    expect(await traceparentOf({ traceparent: `${parent}-00` })).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/)
    expect(await traceparentOf({ traceparent: `${parent}-01` })).toMatch(/^00-a{32}-(?!b{16})[0-9a-f]{16}-01$/)
    expect(spans.getFinishedSpans()).toHaveLength(2)
    await traced.close()
  })

  it('have one log line for each response, except to probes', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await fetch(`${url}/health/live`)
    await fetch(`${url}/things/1`, { headers: { traceparent } })
    await expect
      .poll(() => lines.map((line) => JSON.parse(line) as object))
      .toMatchObject([
        {
          listener: 'rest test',
          requestId: 'r-1',
          traceId: '0af7651916cd43dd8448eb211c80319c',
          method: 'GET',
          route: '/things/:id',
          status: 200,
          ms: expect.any(Number),
          bytesOut: 11,
          msg: 'a request',
        },
      ])
  })

  it('count a client that disconnects before its response as 499, with nothing in flight afterwards', async () => {
    const request = httpRequest(`${url}/never`).end()
    request.on('error', () => undefined)
    await expect.poll(() => valuesOf('civigraph_http_requests_in_flight')).toEqual([{ labels: { listener: 'rest test' }, value: 1 }])
    request.destroy()
    await expect.poll(counted).toEqual([{ labels: { listener: 'rest test', method: 'GET', route: '/never', status: 499 }, value: 1 }])
    expect(await valuesOf('civigraph_http_requests_in_flight')).toEqual([{ labels: { listener: 'rest test' }, value: 0 }])
  })

  it('count the open sockets by protocol', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=secret`)
    await once(socket, 'open')
    const open = () => valuesOf('civigraph_sockets')
    expect(await open()).toEqual([{ labels: { listener: 'rest test', protocol: 'ws' }, value: 1 }])
    socket.close()
    await expect.poll(open).toEqual([{ labels: { listener: 'rest test', protocol: 'ws' }, value: 0 }])
  })
})
