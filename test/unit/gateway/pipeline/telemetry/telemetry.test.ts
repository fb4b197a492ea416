import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createClient } from 'graphql-ws'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { silentLog } from '../../../../../foundation/log.ts'
import { createExecutor } from '../../../../../gateway/executor/executor.ts'
import { operationManifest } from '../../../../../gateway/pipeline/operation-manifest.ts'
import { GatewayTelemetry, maxLabels } from '../../../../../gateway/pipeline/telemetry/gateway-telemetry.ts'
import { observedExecutor } from '../../../../../gateway/pipeline/telemetry/observed-executor.ts'
import { apiKey, contextFor, type Layout, layouts, recordedLog, serve, sourcesOf, town } from '../../../../support/gateway/town.ts'

const house = 'query House($id: ID!) { house(id: $id) { number owner { name } } }'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

async function start(layout: Layout, options: { slowMs?: number; mayReadPlans?: boolean; limit?: number } = {}) {
  const registry = new Registry()
  const spans = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const telemetry = new GatewayTelemetry({ registry, slowMs: options.slowMs ?? 0, tracer: provider.getTracer('test') })
  const { supergraph, schemas, seen } = town()
  const { log, lines } = recordedLog()
  const sources = await sourcesOf(layout, schemas, log)
  const executor = createExecutor({ supergraph, sources: sources.byName, eventTimeoutMs: 2000, telemetry })
  const manifest = operationManifest({ one: 'query Registered { house(id: 1) { number } }' })
  const served = await serve(
    { executor, log, [Symbol.asyncDispose]: sources.stop },
    {
      telemetry,
      registeredOperations: { manifest: () => manifest, only: false },
      mayReadPlans: ({ service }) => options.mayReadPlans === true && service !== undefined,
    },
  )
  const ask = async (body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(served.graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await response.json()) as {
      data?: unknown
      errors?: { extensions: Record<string, unknown> }[]
      extensions?: Record<string, unknown>
    }
  }
  return { ...served, executor, telemetry, ask, seen, lines, spans, registry, metrics: () => registry.metrics() }
}

/** Values of a label in a metric. */
const labels = (text: string, metric: string, label: string): ReadonlySet<string | undefined> =>
  new Set([...text.matchAll(new RegExp(`^${metric}_count\\{.*?${label}="([^"]*)"`, 'gm'))].map(([, value]) => value))

describe.each(layouts)('telemetry of a gateway, subgraphs %s', (layout) => {
  it('counts operations by type, name and outcome, and fetches by subgraph', async () => {
    await using running = await start(layout)
    await running.ask({ query: '{ house(id: 1) { owner { name } } }' })
    await running.ask({ query: '{ away }' })
    await running.ask({ query: 'query Registered { house(id: 1) { number } }' })
    await running.ask({ query: 'query Seldom { house(id: 1) { number } }' })
    const text = await running.metrics()
    expect(text).toContain('civigraph_gateway_operation_seconds_count{type="query",operation="none",outcome="ok"} 1')
    expect(text).toContain('civigraph_gateway_operation_seconds_count{type="query",operation="none",outcome="ENGINE_UNAVAILABLE"} 1')
    expect(text).toContain('civigraph_gateway_operation_seconds_count{type="query",operation="Registered",outcome="ok"} 1')
    expect(text).toContain('civigraph_gateway_operation_seconds_count{type="query",operation="other",outcome="ok"} 1')
    expect(text).toContain('civigraph_gateway_fetch_seconds_count{subgraph="people",outcome="ok"} 1')
    expect(text).toContain('civigraph_gateway_operation_cost_count 4')
    // the second operation with the same plan is not planned again
    await running.ask({ query: '{ away }' })
    expect(await running.metrics()).toContain('civigraph_gateway_plan_seconds_count 4')
  })

  it('continues the trace of a caller in subgraphs, and returns its id with errors', async () => {
    await using running = await start(layout)
    const { errors } = await running.ask({ query: '{ away house(id: 1) { owner { name } } }' }, { traceparent })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'ENGINE_UNAVAILABLE', traceId })
    const spans = running.spans.getFinishedSpans()
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
    expect(spans.map(({ name }) => name).sort()).toEqual(['fetch houses', 'fetch people', 'plan', 'query'])
    const request = spans.find(({ name }) => name === 'query')
    expect(request?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    const fetch = spans.find(({ name }) => name === 'fetch houses')
    expect(fetch?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
    if (layout === 'remote') expect(running.seen.contexts[0]?.traceparent).toBe(`00-${traceId}-${fetch?.spanContext().spanId}-01`)
    expect((await running.ask({ query: '{ nothing }' }, { traceparent })).errors?.[0]?.extensions).toMatchObject({ traceId })
  })

  it('logs slow operations with the time of each subgraph', async () => {
    await using running = await start(layout, { slowMs: 0.001 })
    await running.ask({ query: 'query Away { away house(id: 1) { owner { name } } }' }, { traceparent })
    const line = running.lines.find((each) => each.includes('a slow operation'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      operation: 'Away',
      type: 'query',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      cost: 4,
      traceId,
      fetches: { houses: { count: 1 }, people: { count: 1 } },
    })
  })
})

describe('telemetry of a gateway', () => {
  it('contains no variable, no literal and no caller', async () => {
    await using running = await start('in process', { slowMs: 0.001 })
    const secret = 'Jeanne'
    await running.ask(
      { query: 'query ($code: String!) { person(code: $code) { name fails } }', variables: { code: secret } },
      { traceparent },
    )
    await running.ask({ query: `{ person(code: "${secret}") { name } }` }, { traceparent, 'x-service-api-key': apiKey })
    const slow = running.lines.filter((each) => each.includes('a slow operation'))
    expect(slow).toHaveLength(2)
    const spans = running.spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
    expect(`${slow.join('')}${JSON.stringify(spans)}${await running.metrics()}`).not.toContain(secret)
  })

  it('has a bounded number of series for any operation names', async () => {
    await using running = await start('in process')
    const executor = observedExecutor(running.executor, running.telemetry)
    for (let each = 0; each < maxLabels.operations + 40; each += 1) {
      const operation = executor.prepare(`query Name${each} { __typename }`)
      for (let times = 0; times < 20; times += 1) await executor.execute(operation, {}, contextFor(silentLog))
    }
    const names = labels(await running.metrics(), 'civigraph_gateway_operation_seconds', 'operation')
    expect(names.size).toBe(maxLabels.operations + 1)
  })

  it('measures the latency of events', async () => {
    await using running = await start('in process')
    const client = createClient({ url: running.socket, webSocketImpl: WebSocket, retryAttempts: 0 })
    const events = client.iterate({ query: 'subscription { houseSold(times: 2) { owner { name } } }' })
    for await (const event of events) expect(event.errors).toBeUndefined()
    await client.dispose()
    const text = await running.metrics()
    expect(text).toContain('civigraph_gateway_subscription_lag_seconds_count 2')
    expect(text).toContain('civigraph_gateway_operation_seconds_count{type="subscription",operation="none",outcome="ok"} 1')
  })

  it('continues a trace from a WebSocket client, of an operation or its connection, in each event', async () => {
    await using running = await start('in process')
    const other = traceId.replace('0af', 'fff')
    const client = createClient({
      url: running.socket,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { traceparent: traceparent.replace(traceId, other) },
    })
    await client.iterate({ query: '{ house(id: 1) { number } }' }).next()
    await client.iterate({ query: '{ house(id: 2) { number } }', extensions: { traceparent } }).next()
    await client.iterate({ query: '{ house(id: 3) { number } }', extensions: { traceparent: { not: 'a text' } } }).next()
    const query = 'subscription { houseSold(times: 2) { owner { name } } }'
    for await (const event of client.iterate({ query, extensions: { traceparent } })) expect(event.errors).toBeUndefined()
    await client.dispose()
    const spans = running.spans.getFinishedSpans()
    const tracesOf = (spanName: string): unknown => spans.filter(({ name }) => name === spanName).map((span) => span.spanContext().traceId)
    expect(tracesOf('query')).toEqual([other, traceId, other])
    expect(tracesOf('subscription')).toEqual([traceId])
    expect(tracesOf('event')).toEqual([traceId, traceId])
    const event = spans.find(({ name }) => name === 'event')
    expect(spans.find((span) => span.parentSpanContext?.spanId === event?.spanContext().spanId)?.name).toBe('fetch people')
  })

  it('works without a trace: an error has no trace id, and no span is exported', async () => {
    await using running = await start('remote')
    const { errors } = await running.ask({ query: '{ away }' }, { traceparent: 'nonsense' })
    expect(running.spans.getFinishedSpans().map(({ name }) => name)).toContain('query')
    expect(errors?.[0]?.extensions.traceId).not.toBe(traceId)
    const unsampled = await running.ask(
      { query: '{ away house(id: 1) { owner { name } } }' },
      { traceparent: traceparent.replace(/1$/, '0') },
    )
    expect(unsampled.errors?.[0]?.extensions.traceId).toBeUndefined()
    // the subgraph receives an unsampled traceparent
    expect(running.seen.contexts.at(-1)?.traceparent).toBe(traceparent.replace(/1$/, '0'))
  })
})

describe('the plan of an operation', () => {
  const request = { query: house, variables: { id: 1 }, extensions: { queryPlan: true } }
  it('is in the response for authorised callers', async () => {
    await using running = await start('in process', { mayReadPlans: true })
    const { data, extensions } = await running.ask(request, { 'x-service-api-key': apiKey })
    expect(data).toEqual({ house: { number: 1, owner: { name: 'Name of p1' } } })
    expect(extensions?.queryPlan).toMatchObject({
      object: { kind: 'QueryPlan', node: { kind: 'Sequence' } },
      text: expect.stringMatching(/Fetch\(service: "people"\)/),
    })
    const client = createClient({
      url: running.socket,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Service-API-Key': apiKey },
      retryAttempts: 0,
    })
    expect((await client.iterate(request).next()).value).toMatchObject({ extensions: { queryPlan: { object: { kind: 'QueryPlan' } } } })
    await client.dispose()
  })

  it('is absent for other callers', async () => {
    await using running = await start('in process', { mayReadPlans: true })
    expect(await running.ask(request)).toEqual({ data: { house: { number: 1, owner: { name: 'Name of p1' } } } })
    const { extensions } = await running.ask({ query: house, variables: { id: 1 } }, { 'x-service-api-key': apiKey })
    expect(extensions).toBeUndefined()
  })
})
