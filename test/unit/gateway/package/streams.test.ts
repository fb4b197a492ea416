import { createServer } from 'node:http'
import { type GraphQLDataSourceProcessOptions, LocalGraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway'
import type { GraphQLServerContext } from '@apollo/server'
import { GraphQLError, type ValidationRule } from 'graphql'
import { createClient } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import type { CivigraphGateway, CivigraphGatewayOptions } from '../../../../gateway/package/civigraph-gateway.ts'
import type { OperationRules } from '../../../../gateway/package/handled-gateway.ts'
import { both, changing, goodsAlone, goodsSchema, pricesSchema, startDropIn, supergraphOf } from '../../../support/gateway/drop-in.ts'
import { foreign } from '../../../support/gateway/foreign-subgraph.ts'

const inThisProcess = ({ name }: { readonly name: string }) => new LocalGraphQLDataSource(name === 'goods' ? goodsSchema() : pricesSchema())
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const sold = 'subscription { sold { name price } }'
const events = [{ data: { sold: { name: 'good 1', price: 10 } } }, { data: { sold: { name: 'good 2', price: 20 } } }]

/** Serves the handlers of a gateway on a port, with `next` for what is no stream. */
async function listening(
  options: Partial<CivigraphGatewayOptions> = {},
  rules: OperationRules = {},
): Promise<{ readonly url: string; readonly gateway: CivigraphGateway }> {
  const { gateway } = await startDropIn({ supergraphSdl: both, buildService: inThisProcess, logger: quiet, ...options })
  const handler = gateway.httpHandler({ ...rules, context: ({ req }) => ({ user: req.headers['x-user'] }) })
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/alone')) return void handler(request, response)
    void handler(request, response, () => response.writeHead(299).end('next'))
  })
  const sockets = new WebSocketServer({ server, path: '/graphql' })
  const disposable = useServer(
    gateway.graphqlWsOptions({ ...rules, context: ({ connectionParams }) => ({ ...connectionParams }) }),
    sockets,
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await disposable.dispose()
    server.closeAllConnections()
    server.close()
  })
  return { url: listenerUrl(server, '127.0.0.1'), gateway }
}

const post = (url: string, query: string, accept: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept, ...headers }, body: JSON.stringify({ query }) })

function connect(url: string, connectionParams: Record<string, unknown> = {}) {
  const client = createClient({ url: `${url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 })
  onTestFinished(() => client.dispose())
  return client
}

async function all<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const seen: Value[] = []
  for await (const value of values) seen.push(value)
  return seen
}

describe('the HTTP handler', () => {
  it('streams a subscription as server-sent events and as multipart', async () => {
    const { url } = await listening()
    const text = await (await post(url, sold, 'text/event-stream')).text()
    expect([...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json))).toEqual(events)
    const multipart = await post(url, sold, 'multipart/mixed;subscriptionSpec=1.0')
    expect(multipart.headers.get('content-type')).toContain('multipart/mixed')
    expect(await multipart.text()).toContain(JSON.stringify({ payload: events[0] }))
  })

  it('delivers deferred fragments later', async () => {
    const { url } = await listening()
    const text = await (await post(url, '{ good(id: "2") { name ... @defer { price } } }', 'multipart/mixed;deferSpec=20220824')).text()
    expect(text).toContain('{"data":{"good":{"name":"good 2"}},"hasNext":true}')
    expect(text).toContain('"incremental":[{"data":{"price":20},"path":["good"]}]')
  })

  it('leaves everything else to next, and answers it without one', async () => {
    const { url } = await listening()
    const json = 'application/json'
    expect((await post(url, '{ currency }', json)).status).toBe(299)
    expect((await post(url, '{ currency }', `${json}, multipart/mixed;deferSpec=20220824`)).status).toBe(299)
    expect((await post(url, sold, json)).status).toBe(299)
    const alone = await post(`${url}/alone`, '{ currency }', json)
    expect([alone.status, alone.headers.get('content-type'), await alone.json()]).toEqual([
      200,
      'application/json; charset=utf-8',
      { data: { currency: 'EUR' } },
    ])
  })

  it('answers a client that accepts streams only, to which Apollo Server would answer 406', async () => {
    const { url } = await listening()
    const query = await post(url, '{ currency }', 'text/event-stream')
    expect([query.status, query.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(await query.text()).toContain('data: {"data":{"currency":"EUR"}}\n')
    for (const accept of ['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0']) {
      const invalid = await post(url, 'subscription { nope }', accept)
      expect([invalid.status, invalid.headers.get('content-type')]).toEqual([400, 'application/graphql-response+json; charset=utf-8'])
      expect(await invalid.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
    }
  })

  it('passes the context to data sources', async () => {
    const { url } = await listening()
    const answer = await post(`${url}/alone`, '{ caller }', 'application/json', { 'x-user': 'ada' })
    expect(await answer.json()).toEqual({ data: { caller: 'ada' } })
  })

  it.each([
    ['an Accept header that admits no response', 'text/html', { query: '{ currency }' }, 406],
    ['a subscription whose response would be no stream', 'application/json', { query: sold }, 400],
    ['variables that are a text', 'application/json', { query: '{ currency }', variables: '{}' }, 400],
    ['variables that are a list', 'text/event-stream', { query: sold, variables: [] }, 400],
    ['an operation name that is a number', 'text/event-stream', { query: sold, operationName: 3 }, 400],
  ])('without next refuses %s', async (_, accept, body, status) => {
    const { url } = await listening()
    const headers = { 'content-type': 'application/json', accept }
    const answer = await fetch(`${url}/alone`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] })
  })

  it.each(['query={currency}&query={caller}', 'query={currency}&variables=[]', 'query={currency}&variables={'])(
    'without next refuses a GET with %s',
    async (search) => {
      const { url } = await listening()
      const answer = await fetch(`${url}/alone?${search}`, { headers: { 'apollo-require-preflight': 'yes' } })
      expect(answer.status).toBe(400)
    },
  )

  it.each([
    ['a request that another origin could send', 'text/plain', '{"query":"{ currency }"}', 400],
    ['a body that is no JSON', 'application/json', '{', 400],
    ['a body without a query', 'application/json', '{}', 400],
    ['an invalid document', 'application/json', '{"query":"{ nope }"}', 200],
    ['a large body', 'application/json', JSON.stringify({ query: `{ currency } #${'x'.repeat(300_000)}` }), 413],
  ])('refuses %s', async (_, type, body, status) => {
    const { url } = await listening()
    const answer = await fetch(`${url}/alone`, { method: 'POST', headers: { 'content-type': type, accept: 'application/json' }, body })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ errors: [{ message: expect.any(String), extensions: { code: expect.any(String) } }] })
  })
})

describe('options for graphql-ws', () => {
  it('stream subscriptions with fields of other subgraphs, and answer queries', async () => {
    const { url } = await listening()
    const client = connect(url, { user: 'ada' })
    expect(await all(client.iterate({ query: sold }))).toEqual(events)
    expect(await all(client.iterate({ query: '{ caller }' }))).toEqual([{ data: { caller: 'ada' } }])
  })

  it('refuse an invalid operation with its errors', async () => {
    const { url } = await listening()
    await expect(all(connect(url).iterate({ query: 'subscription { nope }' }))).rejects.toMatchObject([
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ])
  })

  it('keep the rules of Apollo Server for introspection and validation', async () => {
    const noCaller: ValidationRule = (context) => ({
      Field: (field) => (field.name.value === 'caller' ? context.reportError(new GraphQLError('caller is internal')) : undefined),
    })
    const { url } = await listening({}, { introspection: false, validationRules: [noCaller] })
    for (const query of [
      '{ __schema { queryType { name } } }',
      '{ caller }',
      '{ __type(name: "Good") { name } ... @defer { currency } }',
    ]) {
      await expect(all(connect(url).iterate({ query }))).rejects.toContainEqual(
        expect.objectContaining({ extensions: expect.objectContaining({ code: 'GRAPHQL_VALIDATION_FAILED' }) }),
      )
      expect((await post(`${url}/alone`, query, 'multipart/mixed;deferSpec=20220824')).status).toBe(400)
    }
    expect(await all(connect(url).iterate({ query: '{ currency }' }))).toEqual([{ data: { currency: 'EUR' } }])
  })

  it.each([
    [false, { message: 'no user 7' }],
    [true, { message: 'Internal server error', extensions: { code: 'INTERNAL' } }],
  ])('with maskErrors %s pass or mask what contextOf throws', async (maskErrors, error) => {
    const { url } = await listening({
      maskErrors,
      contextOf: () => {
        throw new Error('no user 7')
      },
    })
    for (const query of [sold, '{ caller }']) expect(await all(connect(url).iterate({ query }))).toMatchObject([{ errors: [error] }])
    expect(await (await post(url, sold, 'text/event-stream')).json()).toMatchObject({ errors: [error] })
  })

  it('complete streams when Apollo Server begins to stop, by the drain plugin', async () => {
    const { url, gateway } = await listening()
    const client = connect(url)
    const stream = client.iterate({ query: 'subscription { quiet { name } }' })
    const response = await post(url, 'subscription { quiet { name } }', 'text/event-stream')
    await stream.next()
    const server = await gateway.drainPlugin().serverWillStart?.({} as GraphQLServerContext)
    await (server || undefined)?.drainServer?.()
    expect((await stream.next()).done).toBe(true)
    expect(await response.text()).toContain('event: complete')
    expect(await all(client.iterate({ query: sold }))).toMatchObject([{ errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }] }])
  })

  it('complete streams when the gateway stops', async () => {
    const { url, gateway } = await listening()
    const stream = connect(url).iterate({ query: 'subscription { quiet { name } }' })
    expect((await stream.next()).value).toEqual({ data: { quiet: { name: 'good 1' } } })
    await gateway.stop()
    expect((await stream.next()).done).toBe(true)
  })
})

describe('an update', () => {
  it('keeps a stream that the new supergraph resolves equally, and ends another with a reason', async () => {
    const { supergraphSdl, update } = changing(both)
    const { url } = await listening({ supergraphSdl })
    const client = connect(url)
    const plain = client.iterate({ query: 'subscription { quiet { name } }' })
    const priced = client.iterate({ query: 'subscription { quiet { name price } }' })
    expect((await plain.next()).value).toEqual({ data: { quiet: { name: 'good 1' } } })
    expect((await priced.next()).value).toEqual({ data: { quiet: { name: 'good 1', price: 10 } } })
    update(goodsAlone.replace('http://prices.test', 'http://prices2.test'))
    expect((await priced.next()).value).toMatchObject({ errors: [{ extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } }] })
    const next = plain.next().then(() => 'ended')
    expect(await Promise.race([next, all(client.iterate({ query: 'subscription { sold { name } }' })).then((seen) => seen.length)])).toBe(2)
  })

  it('keeps streams when a listener calls stop, which is refused', async () => {
    const { supergraphSdl, update } = changing(both)
    const { url, gateway } = await listening({ supergraphSdl })
    const client = connect(url)
    const stream = client.iterate({ query: 'subscription { quiet { name } }' })
    await stream.next()
    let stopped: Promise<void> | undefined
    gateway.onSchemaLoadOrUpdate(() => {
      stopped ??= gateway.stop()
      stopped.catch(() => undefined)
    })
    update(`${both}\n# reviewed\n`)
    await expect(stopped).rejects.toThrow('inside a schema change listener')
    const next = stream.next().then(() => 'ended')
    expect(await Promise.race([next, all(client.iterate({ query: sold })).then((seen) => seen.length)])).toBe(2)
  })

  it('that is refused keeps every stream', async () => {
    const { supergraphSdl, update } = changing(both)
    const { url } = await listening({ supergraphSdl })
    const client = connect(url)
    const stream = client.iterate({ query: 'subscription { quiet { name price } }' })
    await stream.next()
    expect(() => update('type Query {')).toThrow()
    const next = stream.next().then(() => 'ended')
    expect(await Promise.race([next, all(client.iterate({ query: sold })).then((seen) => seen.length)])).toBe(2)
  })
})

describe('remote subgraphs', () => {
  class ForwardingDataSource extends RemoteGraphQLDataSource {
    override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions): void {
      request.http?.headers.set('authorization', String(context.token))
    }
  }

  it('get the headers of willSendRequest as connectionParams of a subscription', async () => {
    const seen: string[] = []
    const [goods, prices] = [await foreign(goodsSchema(), seen), await foreign(pricesSchema(), seen)]
    onTestFinished(async () => {
      await Promise.all([goods.stop(), prices.stop()])
    })
    const urlOf = ({ server }: typeof goods): string => `${listenerUrl(server, '127.0.0.1')}/graphql`
    const { url } = await listening({
      supergraphSdl: supergraphOf({ goods: urlOf(goods), prices: urlOf(prices) }),
      buildService: ({ url: address = '' }) => new ForwardingDataSource({ url: address }),
    })
    expect(await all(connect(url, { token: 'Bearer abc' }).iterate({ query: sold }))).toEqual(events)
    expect(seen.filter((line) => line.startsWith('init')).map((line) => JSON.parse(line.slice(5)))).toEqual([
      { authorization: 'Bearer abc' },
    ])
    expect(seen).toContain('authorization: Bearer abc')
  })
})
