import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { EngineUnavailable, NotFound } from '../../../../foundation/fault.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { anonymous } from '../../../../foundation/principal.ts'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { sourceHealth } from '../../../../gateway/protocols/health.ts'
import { createSubgraphServer } from '../../../../gateway/protocols/subgraph-server/subgraph-server.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import { principalClaimsOf, principalHeader, principalTokens } from '../../../../gateway/sources/principal-token.ts'
import { remoteSource } from '../../../../gateway/sources/remote-source.ts'
import { ask, contextFor, type RunningTown, recordedLog, startTown, town } from '../../../support/gateway/town.ts'

const introduction = { principal: { service: { name: 'x', scopes: ['submit'] } }, requestId: 'r1' }

describe('a subgraph in its own process', () => {
  let running: RunningTown
  let url: string
  beforeAll(async () => {
    running = await startTown('remote')
    url = running.servers[0]?.url ?? ''
  })
  afterAll(() => running[Symbol.asyncDispose]())

  const post = (token: string | undefined) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { [principalHeader]: token }) },
      body: '{"query":"{ who }"}',
    })

  it('answers its gateway, and gives the principal to the resolvers', async () => {
    const answer = await post(principalTokens(running.signingKey).sign(introduction, 'houses'))
    expect([answer.status, await answer.json()]).toEqual([200, { data: { who: 'x r1' } }])
  })

  it('is alive', async () => {
    expect((await fetch(url.replace('/graphql', '/health/live'))).status).toBe(200)
    expect((await fetch(url.replace('/graphql', '/health/ready'))).status).toBe(200)
  })

  it('answers requests on open connections while it drains', async () => {
    const graph = town()
    const tokens = principalTokens(randomBytes(32))
    const server = createSubgraphServer({
      subgraph: { name: 'houses', schema: graph.schemas.houses },
      tokens,
      log: recordedLog().log,
      host: '127.0.0.1',
      port: 0,
      bodyBytes: 10_000,
      requestTimeoutMs: 5000,
    })
    await server.start(new AbortController().signal)
    const { port } = new URL(server.url)
    const body = '{"query":"{ who }"}'
    const head = (...more: readonly string[]): string =>
      [
        'POST /graphql HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `${principalHeader}: ${tokens.sign(introduction, 'houses')}`,
        ...more,
        '\r\n',
      ].join('\r\n')
    const socket = connect(Number(port), '127.0.0.1')
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes
    })
    const ended = once(socket, 'close')
    // an incomplete request keeps the connection from being idle
    socket.write(head('Expect: 100-continue'))
    await expect.poll(() => received).toContain('100 Continue')
    const stopped = server.stop()
    socket.write(body + head() + body)
    await Promise.all([stopped, ended])
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(received).toMatch(/connection: close/i)
  })

  it('refuses a request without a token before it reads the body', async () => {
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    const answer = once(socket, 'data')
    socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n')
    expect(String(await answer)).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })

  it('refuses callers other than its gateway, over HTTP and over WebSocket', async () => {
    const ours = principalTokens(running.signingKey)
    const good = ours.sign(introduction, 'houses')
    const [header, payload, signature] = good.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const super_ = Buffer.from(JSON.stringify({ aud: 'houses', iat: 0, exp: 9e9, requestId: 'r', principal: {} })).toString('base64url')
    const at = (ms: number) => principalTokens(running.signingKey, { now: () => Date.now() + ms }).sign(introduction, 'houses')
    for (const token of [
      undefined,
      '',
      'x',
      'a.b.c',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${super_}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${good}.x`,
      principalTokens(randomBytes(32)).sign(introduction, 'houses'),
      ours.sign(introduction, 'people'),
      at(-180_000),
      at(180_000),
    ]) {
      const answer = await post(token)
      expect(answer.status, String(token)).toBe(401)
      expect(await answer.text()).not.toContain('"data"')
      const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
      const refused = client
        .iterate({ query: 'subscription { quiet { id } }', extensions: token === undefined ? {} : { principal: token } })
        .next()
      await expect(refused, String(token)).rejects.toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
      await client.dispose()
    }
  })

  it('reports a clock difference and its size to a gateway with another clock', async () => {
    const at = (ms: number) => principalTokens(running.signingKey, { now: () => Date.now() + ms }).sign(introduction, 'houses')
    for (const [ms, message] of [
      [-600_000, /signed 60\d s ago by the clock of this subgraph: the clocks differ: synchronise both with NTP/],
      [600_000, /signed (600|599) s from now/],
    ] as const) {
      const answer = await post(at(ms))
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringMatching(message)])
    }
    // a difference of a minute and a half is tolerated
    expect((await post(at(-60_000))).status).toBe(200)
  })

  it('accepts messages above the limit of gateway clients: the gateway adds to them, over one shared connection', async () => {
    const principal = principalTokens(running.signingKey).sign(introduction, 'houses')
    const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 })
    const events = client.iterate({
      query: 'subscription { quiet { id } }',
      variables: { large: 'x'.repeat(5 * 1024 * 1024) },
      extensions: { principal },
    })
    expect(await events.next()).toMatchObject({ value: { data: { quiet: { id: '1' } } } })
    await client.dispose()
  })

  it('closes a connection that sends 20,000 values before a valid token, and accepts them after one', async () => {
    const principal = principalTokens(running.signingKey).sign(introduction, 'houses')
    const variables = { many: Array.from({ length: 20_000 }, () => 0) }
    const subscribe = { query: 'subscription { quiet { id } }', variables }
    const open = () => {
      const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0, lazy: false })
      onTestFinished(async () => client.dispose())
      return client
    }
    await expect(open().iterate(subscribe).next()).rejects.toMatchObject({
      code: 4400,
      reason: 'The request has more than 10000 values',
    })
    const client = open()
    const first = { query: 'subscription { quiet { id } }', extensions: { principal } }
    for (const payload of [first, { ...subscribe, extensions: { principal } }])
      expect(await client.iterate(payload).next()).toMatchObject({ value: { data: { quiet: { id: '1' } } } })
  })

  it('has the remaining time of the gateway request', async () => {
    const answerWithin = async (remainingMs: number) => {
      const token = principalTokens(running.signingKey).sign({ ...introduction, remainingMs }, 'houses')
      const headers = { 'content-type': 'application/json', [principalHeader]: token }
      return (await fetch(url, { method: 'POST', headers, body: '{"query":"{ slow }"}' })).json()
    }
    expect(await answerWithin(50)).toMatchObject({ errors: [{ extensions: { code: 'DEADLINE_EXCEEDED' } }] })
  })

  it('answers malformed requests with a 4xx', async () => {
    const token = principalTokens(running.signingKey).sign(introduction, 'houses')
    for (const body of ['{', 'null', '{}', '[]', '{"query":1}', '{"query":"{ who }","variables":[]}']) {
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', [principalHeader]: token }, body })
      expect(answer.status, body).toBe(400)
    }
  })
})

describe('an unresponsive subgraph', () => {
  const graph = town()
  const tokens = principalTokens(randomBytes(32))
  const others = { people: inProcessSource({ schema: graph.schemas.people }), letters: inProcessSource({ schema: graph.schemas.letters }) }

  async function askHouses(url: string, options: { timeoutMs?: number } = {}) {
    await using running = await startTown('in process')
    const houses = remoteSource({ name: 'houses', url, tokens, connectTimeoutMs: 300, ...options })
    const executor = createExecutor({ supergraph: graph.supergraph, sources: { ...others, houses }, eventTimeoutMs: 1000 })
    const result = await ask({ ...running, executor }, '{ slow person(code: "p1") { name } }')
    await houses.stop()
    return result
  }

  it.each([
    ['refuses the connection', undefined, 'ENGINE_UNAVAILABLE'],
    [
      'answers 500',
      (_: unknown, response: import('node:http').ServerResponse) => response.writeHead(500).end('secret stack'),
      'ENGINE_UNAVAILABLE',
    ],
    [
      'answers invalid JSON',
      (_: unknown, response: import('node:http').ServerResponse) => response.end('<html>secret</html>'),
      'ENGINE_UNAVAILABLE',
    ],
    [
      'answers JSON that is not a result',
      (_: unknown, response: import('node:http').ServerResponse) => response.end('[1]'),
      'ENGINE_UNAVAILABLE',
    ],
    ['cuts the connection', (request: import('node:http').IncomingMessage) => request.socket.destroy(), 'ENGINE_UNAVAILABLE'],
    ['never answers', () => undefined, 'DEADLINE_EXCEEDED'],
  ] as const)('that %s: the error has a code and no address, and the other subgraphs answer', async (_, behaviour, code) => {
    const server = createServer((request, response) => behaviour?.(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `${listenerUrl(server, '127.0.0.1')}/graphql`
    if (behaviour === undefined) await new Promise((resolve) => server.close(resolve))
    const { data, errors } = await askHouses(url, { timeoutMs: 500 })
    server.closeAllConnections()
    server.close()
    expect(errors).toMatchObject([{ extensions: { code } }])
    expect(JSON.stringify(errors)).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${new URL(url).port}|secret|UND_ERR|ECONN`))
    expect(data).toEqual({ slow: null, person: { name: 'Name of p1' } })
  })

  it('is sent a mutation only when it responds: a mutation that was never sent was not committed', async () => {
    const requests: string[] = []
    let isResponsive = false
    const server = createServer(async (request, response) => {
      const body = await text(request)
      requests.push(body)
      if (isResponsive && !body.includes('mutation')) response.end('{"data":{"__typename":"Query"}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const houses = remoteSource({ name: 'houses', url: `${listenerUrl(server, '127.0.0.1')}/graphql`, tokens })
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await houses.stop()
    })
    const change = async () => {
      using context = contextFor(recordedLog().log, { timeoutMs: 300 })
      const result = await houses.fetch({ query: 'mutation { sell }', operationName: undefined, variables: {}, context })
      return result.errors?.map(({ originalError }) => originalError)
    }
    expect(await change()).toMatchObject([{ code: 'DEADLINE_EXCEEDED' }])
    expect(requests.filter((body) => body.includes('mutation'))).toEqual([])
    isResponsive = true
    expect(await change()).toMatchObject([{ code: 'OUTCOME_UNKNOWN' }])
    expect(requests.filter((body) => body.includes('mutation'))).toHaveLength(1)
  })

  it.each<[string, object, boolean]>([
    [
      'refuses it',
      { data: { sell: null }, errors: [{ message: 'unavailable', path: ['sell'], extensions: { code: 'ENGINE_UNAVAILABLE' } }] },
      false,
    ],
    ['refuses all', { data: null, errors: [{ message: 'unavailable', extensions: { code: 'ENGINE_UNAVAILABLE' } }] }, false],
    ['has done one of two', { data: { sell: null, buy: { id: 1 } }, errors: [{ message: 'unavailable', path: ['sell'] }] }, true],
    ['fails within its answer', { data: { sell: null }, errors: [{ message: 'unavailable', path: ['sell', 'buyer'] }] }, true],
    ['answers null', { data: { sell: null } }, true],
  ])('that %s determines whether a mutation may have been committed', async (_, answer, expected) => {
    const server = createServer((_request, response) => void response.end(JSON.stringify(answer)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const houses = remoteSource({ name: 'houses', url: `${listenerUrl(server, '127.0.0.1')}/graphql`, tokens })
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await houses.stop()
    })
    using context = contextFor(recordedLog().log, { timeoutMs: 5000 })
    await houses.fetch({ query: 'mutation { sell }', operationName: undefined, variables: {}, context })
    expect(context.deadline.mayHaveTakenEffect).toBe(expected)
  })

  it.each([502, 503, 504])('behind a balancer that answers %i gets one retry of a query; a mutation is not repeated', async (status) => {
    const requests: string[] = []
    let failures = 1
    const server = createServer(async (request, response) => {
      requests.push(await text(request))
      failures -= 1
      if (failures >= 0) return response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No server is available</h1>')
      return response.end('{"data":{"house":{"number":1}}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const houses = remoteSource({ name: 'houses', url: `${listenerUrl(server, '127.0.0.1')}/graphql`, tokens, quietMs: 60_000 })
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await houses.stop()
    })
    const codesOf = async (query: string) => {
      using context = contextFor(recordedLog().log, { timeoutMs: 5000 })
      const result = await houses.fetch({ query, operationName: undefined, variables: {}, context })
      return result.errors?.map(({ originalError }) => (originalError as EngineUnavailable).code)
    }
    expect([await codesOf('{ house(id: 1) { number } }'), requests.length]).toEqual([undefined, 2])
    failures = 2
    expect([await codesOf('{ house(id: 1) { number } }'), requests.length]).toEqual([['ENGINE_UNAVAILABLE'], 4])
    failures = 1
    expect([await codesOf('mutation { sell }'), requests.length]).toEqual([[status === 503 ? 'ENGINE_UNAVAILABLE' : 'OUTCOME_UNKNOWN'], 5])
  })

  it('receives the fetches of clients in turn, and none of a client that has left', async () => {
    const arrived: string[] = []
    const pending: (() => void)[] = []
    const server = createServer(async (request, response) => {
      arrived.push(JSON.parse(await text(request)).variables.client)
      pending.push(() => void response.end('{"data":{}}'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const houses = remoteSource({ name: 'houses', url: `${listenerUrl(server, '127.0.0.1')}/graphql`, tokens, connections: 2 })
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await houses.stop()
    })
    const { log } = recordedLog()
    const gone = new AbortController()
    const fetch = async (client: string, address: string, disconnected?: AbortSignal) => {
      using context = contextFor(log, { timeoutMs: 5000, ...(disconnected && { disconnected }) })
      const request = { query: '{ a }', operationName: undefined, variables: { client }, context: { ...context, address } }
      return await houses.fetch(request)
    }
    const flood = Array.from({ length: 20 }, () => fetch('flood', '203.0.113.7'))
    await expect.poll(() => pending.length).toBe(2)
    const left = fetch('left', '203.0.113.8', gone.signal)
    const other = fetch('other', '203.0.113.9')
    gone.abort()
    expect(await left).toMatchObject({ errors: [{}] })
    for (let answered = 0; answered < 21; answered++) {
      await expect.poll(() => pending.length).toBeGreaterThan(0)
      pending.shift()?.()
    }
    expect(await other).toEqual({ data: {} })
    await Promise.all(flood)
    expect(arrived.indexOf('other')).toBeLessThanOrEqual(4)
    expect(arrived).not.toContain('left')
  })

  it('is requested again when it is back on the same port', async () => {
    await using running = await startTown('in process')
    const options = {
      subgraph: { name: 'houses', schema: graph.schemas.houses },
      tokens,
      log: running.log,
      host: '127.0.0.1',
      bodyBytes: 10_000,
      requestTimeoutMs: 1000,
    }
    const first = createSubgraphServer({ ...options, port: 0 })
    await first.start(new AbortController().signal)
    const { url } = first
    const houses = remoteSource({ name: 'houses', url, tokens })
    const executor = createExecutor({ supergraph: graph.supergraph, sources: { ...others, houses }, eventTimeoutMs: 1000 })
    const firstEvent = async () => {
      const events = await executor.subscribe(executor.prepare('subscription { quiet { id } }'), {}, contextFor(running.log))
      if (!(Symbol.asyncIterator in events)) return events
      const { value } = await events.next()
      await events.return?.()
      return value
    }
    const house = () => ask({ ...running, executor }, '{ house(id: 1) { number } }')
    expect((await house()).data).toEqual({ house: { number: 1 } })
    expect(await firstEvent()).toEqual({ data: { quiet: { id: '1' } } })
    await first.stop()
    expect(await firstEvent()).toMatchObject({ errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }] })
    const second = createSubgraphServer({ ...options, port: Number(new URL(url).port) })
    await second.start(new AbortController().signal)
    for (let time = 0; time < 5; time += 1) expect((await house()).data).toEqual({ house: { number: 1 } })
    expect(await firstEvent()).toEqual({ data: { quiet: { id: '1' } } })
    await houses.stop()
    await second.stop()
  })
})

describe.each(['null', '[]'])('a subgraph that sends "errors":%s without errors', (errors) => {
  const graph = town()
  const others = { people: inProcessSource({ schema: graph.schemas.people }), letters: inProcessSource({ schema: graph.schemas.letters }) }
  const answer = `{"data":{"quiet":{"id":"1"},"house":{"number":7},"__typename":"Query"},"errors":${errors}}`

  /** Answers every query with the data, and every subscription with one event of it. */
  async function houses(status: number) {
    const server = createServer((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(answer))
    new WebSocketServer({ server }).on('connection', (socket) => {
      socket.on('message', (message) => {
        const { type, id } = JSON.parse(String(message)) as { type: string; id: string }
        if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
        if (type === 'subscribe') socket.send(`{"type":"next","id":"${id}","payload":${answer}}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const source = remoteSource({ name: 'houses', url: `${listenerUrl(server, '127.0.0.1')}/graphql` })
    onTestFinished(async () => {
      await source.stop()
      server.closeAllConnections()
      server.close()
    })
    return source
  }

  it.each([200, 400])('has a valid result, whatever the status: %i', async (status) => {
    await using running = await startTown('in process')
    const sources = { ...others, houses: await houses(status) }
    const executor = createExecutor({ supergraph: graph.supergraph, sources, eventTimeoutMs: 1000 })
    expect(await ask({ ...running, executor }, '{ house(id: 7) { number } }')).toEqual({ data: { house: { number: 7 } } })
    const events = await executor.subscribe(executor.prepare('subscription { quiet { id } }'), {}, contextFor(running.log))
    if (!(Symbol.asyncIterator in events)) throw new Error('refused')
    expect(await events.next()).toEqual({ done: false, value: { data: { quiet: { id: '1' } } } })
    await events.return?.()
  })

  it('is healthy', async () => {
    const { log } = recordedLog()
    const source = await houses(200)
    expect(await sourceHealth(() => ({ houses: source }), '1', log)()).toMatchObject({ status: 'ok' })
  })
})

it('reconnects to a lost subgraph with growing pauses, and finally fails the subscription', async () => {
  await using running = await startTown('remote')
  const [houses] = running.servers
  if (houses === undefined) throw new Error('no server')
  const tokens = principalTokens(running.signingKey)
  const source = remoteSource({ name: 'houses', url: houses.url, tokens, reconnectMs: 1500 })
  const others = {
    people: inProcessSource({ schema: running.schemas.people }),
    letters: inProcessSource({ schema: running.schemas.letters }),
  }
  const executor = createExecutor({ supergraph: running.supergraph, sources: { ...others, houses: source }, eventTimeoutMs: 1000 })
  const events = await executor.subscribe(executor.prepare('subscription { quiet { id } }'), {}, contextFor(running.log))
  if (!(Symbol.asyncIterator in events)) throw new Error('refused')
  await events.next()
  const port = Number(new URL(houses.url).port)
  await houses.stop()
  const tried: number[] = []
  const trap = createServer((request) => request.socket.destroy()).on('connection', () => tried.push(Date.now()))
  trap.on('upgrade', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => trap.listen(port, '127.0.0.1', resolve))
  const gap = { value: { errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }] } }
  expect(await events.next()).toMatchObject(gap)
  expect(await events.next()).toMatchObject(gap)
  expect(await events.next()).toMatchObject({ done: true })
  // 50 to 100 ms, then each about twice as long: this many within 1.5 s
  expect(tried.length).toBeGreaterThanOrEqual(3)
  expect(tried.length).toBeLessThanOrEqual(8)
  const pauses = tried.slice(1).map((at, index) => at - (tried[index] ?? 0))
  expect(pauses.at(-1)).toBeGreaterThan(2 * (pauses[0] ?? 0))
  await new Promise((resolve) => trap.close(resolve))
  await source.stop()
})

describe('a file of a subgraph', () => {
  const tokens = principalTokens(randomBytes(32))
  const openFile = async (id: string, { principal }: RequestContext): Promise<Uint8Array> => {
    if (id === 'houses.away') throw new EngineUnavailable('cellar')
    if (id !== `houses.${'x'.repeat(250)}`) throw new NotFound()
    return Buffer.from(`for ${principal.service?.name}`)
  }

  it('is served to its gateway only', async () => {
    const { log } = recordedLog()
    const subgraph = { name: 'houses', schema: town().schemas.houses, openFile }
    const options = { subgraph, tokens, log, host: '127.0.0.1', bodyBytes: 10_000, requestTimeoutMs: 1000 }
    const server = createSubgraphServer({ ...options, port: 0 })
    await server.start(new AbortController().signal)
    const houses = remoteSource({ name: 'houses', url: server.url, tokens })
    const id = `houses.${'x'.repeat(250)}`
    const principal = { service: { name: 'reader', scopes: [] } }
    const read = async (file: string) => text((await houses.openFile?.(file, contextFor(log, { principal }))) ?? Readable.from([]))
    expect(await read(id)).toBe('for reader')
    for (const other of ['houses.none', 'houses.../../health/live', 'houses.%00'])
      await expect(read(other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(read('houses.away')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    const address = server.url.replace('/graphql', `/files/${id}`)
    expect((await fetch(address)).status).toBe(401)
    const forOthers = tokens.sign({ principal, requestId: 'r' }, 'people')
    expect((await fetch(address, { headers: { [principalHeader]: forOthers } })).status).toBe(401)
    await server.stop()
    await expect(read(id)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    await houses.stop()
  })
})

it('a principal token preserves users, services and anonymous callers', () => {
  const tokens = principalTokens(randomBytes(32))
  const user = { issuer: 'https://i', subject: 's', roles: ['super_admin'], groups: ['g'], expiresAt: 1 }
  for (const principal of [
    anonymous,
    { service: { name: 'x', scopes: [] } },
    { user },
    { user: { ...user, tenant: 't' }, service: { name: 'x', scopes: ['a'] } },
  ]) {
    expect(tokens.verify(tokens.sign({ principal, requestId: 'r' }, 'a'), 'a')).toEqual({ principal, requestId: 'r' })
  }
})

it('a principal token says whether a request came through the REST adapters', () => {
  const tokens = principalTokens(randomBytes(32))
  const introduced = (mark: { readonly interface?: 'rest' }) =>
    principalClaimsOf({ principal: anonymous, requestId: 'r', ...mark, deadline: { remainingMs: 1 } })
  expect(tokens.verify(tokens.sign(introduced({ interface: 'rest' }), 'a'), 'a').interface).toBe('rest')
  expect(tokens.verify(tokens.sign(introduced({}), 'a'), 'a')).not.toHaveProperty('interface')
})

it('a principal token states the remaining time in whole milliseconds, if there is a deadline', () => {
  const tokens = principalTokens(randomBytes(32))
  const claimed = (remainingMs: number) => {
    const introduced = principalClaimsOf({ principal: anonymous, requestId: 'r', deadline: { remainingMs } })
    return tokens.verify(tokens.sign(introduced, 'a'), 'a').remainingMs
  }
  expect([1999.9, 0, Number.POSITIVE_INFINITY].map(claimed)).toEqual([1999, 0, undefined])
  const negative = tokens.sign({ principal: anonymous, requestId: 'r', remainingMs: -1 }, 'a')
  expect(() => tokens.verify(negative, 'a')).toThrow('accepts only requests of its gateway')
})

it('a principal token is valid between machines whose clocks differ by a minute, and not indefinitely', () => {
  const key = randomBytes(32)
  const at = (ms: number) => principalTokens(key, { now: () => 1_800_000_000_000 + ms })
  const token = at(0).sign({ principal: anonymous, requestId: 'r' }, 'a')
  for (const apartMs of [-60_000, 0, 60_000]) expect(at(apartMs).verify(token, 'a').requestId).toBe('r')
  for (const apartMs of [-180_000, 180_000]) expect(() => at(apartMs).verify(token, 'a')).toThrow('the clocks differ')
})
