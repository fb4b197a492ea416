import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { GraphQLError } from 'graphql'
import { type Client, createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { ClientSlots } from '../../../../../foundation/concurrency/client-slots.ts'
import { createAuthentication } from '../../../../../foundation/http/authentication.ts'
import { Backlog } from '../../../../../foundation/http/backlog.ts'
import { listenerUrl } from '../../../../../foundation/http/listener-url.ts'
import type { graphqlWsDocument } from '../../../../../gateway/protocols/graphql-ws/asyncapi.ts'
import { graphqlSocket } from '../../../../../gateway/protocols/graphql-ws/graphql-socket.ts'
import { socketDelivery } from '../../../../../gateway/protocols/graphql-ws/socket-delivery.ts'
import { OverloadedGate } from '../../../../support/gateway/overloaded-gate.ts'
import { apiKey, layouts, type RunningGateway, recordedLog, restarted, startGateway } from '../../../../support/gateway/town.ts'

const open: Client[] = []
function clientOf(running: RunningGateway, connectionParams: Record<string, unknown> = {}): Client {
  const client = createClient({ url: running.socket, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 })
  open.push(client)
  return client
}
afterEach(async () => {
  for (const client of open.splice(0)) await client.dispose()
})

/** Returns a function that lists the violations of the AsyncAPI document by a message. */
const described = async (running: RunningGateway) => {
  const { channels } = (await (await fetch(new URL('/asyncapi.json', running.graphql))).json()) as typeof graphqlWsDocument
  const ajv = new Ajv2020({ strict: false })
  const checks = new Map(Object.entries(channels.graphql.messages).map(([type, { payload }]) => [type, ajv.compile(payload)]))
  return (message: { readonly type: string }): unknown => {
    const check = checks.get(message.type)
    return check?.(message) === true ? [] : (check?.errors ?? `there is no ${message.type}`)
  }
}

/** Opens a socket without a client library, and records its messages and its close code. */
async function bare(
  url: string,
  protocol = 'graphql-transport-ws',
): Promise<{ socket: WebSocket; messages: { type: string; id?: string; payload?: unknown }[]; closed: Promise<number> }> {
  const socket = new WebSocket(url, protocol)
  const messages: { type: string; id?: string; payload?: unknown }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  socket.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, messages, closed }
}
const init = (payload?: unknown): string => JSON.stringify({ type: 'connection_init', payload })
const subscribe = (query: string, id = '1', variables?: unknown): string =>
  JSON.stringify({ id, type: 'subscribe', payload: { query, variables } })

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const received: unknown[] = []
  for await (const event of events) received.push(event)
  return received
}

describe.each(layouts)('subscriptions, subgraphs %s', (layout) => {
  let running: RunningGateway
  beforeAll(async () => {
    running = await startGateway(layout)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it('forwards a subscription to its subgraph, with variables and aliases', async () => {
    const events = await all(
      clientOf(running).iterate({
        query: 'subscription ($times: Int) { sold: houseSold(times: $times) { id nr: number } }',
        variables: { times: 2 },
      }),
    )
    expect(events).toEqual([{ data: { sold: { id: '1', nr: 1 } } }, { data: { sold: { id: '2', nr: 2 } } }])
    await expect.poll(() => running.town.seen.ended).toContain('houseSold')
  })

  it('sends and accepts only messages that its document describes', async () => {
    const check = await described(running)
    const { socket, messages } = await bare(running.socket)
    const clientMessages = [
      { type: 'connection_init', payload: {} },
      { type: 'ping' },
      { id: '1', type: 'subscribe', payload: { query: 'subscription { houseSold(times: 2) { id owner { fails } } }' } },
      { id: '2', type: 'subscribe', payload: { query: '{ nothing }', variables: null, extensions: { cursor: null } } },
      { id: '3', type: 'complete' },
    ]
    for (const message of clientMessages) {
      expect(check(message)).toEqual([])
      socket.send(JSON.stringify(message))
      if (message.type === 'connection_init') await expect.poll(() => messages.length).toBe(1)
    }
    const types = (): string[] => [...new Set(messages.map(({ type }) => type))].sort()
    await expect.poll(types).toEqual(['complete', 'connection_ack', 'error', 'next', 'pong'])
    for (const message of messages) expect(check(message)).toEqual([])
    expect(check({ type: 'start' })).toContain('there is no')
    expect(check({ type: 'subscribe' })).not.toEqual([])
    socket.close()
  })

  it('completes each event with entities of other subgraphs', async () => {
    const events = await all(
      clientOf(running).iterate({
        query: 'subscription { houseSold(times: 2) { id owner { name letters(first: 1) { text } greeting } } }',
      }),
    )
    expect(events).toEqual(
      ['1', '2'].map((id) => ({
        data: { houseSold: { id, owner: { name: `Name of p${id}`, letters: [{ text: 'Letter 0' }], greeting: `Dear Name of p${id}` } } },
      })),
    )
  })

  it('masks an error of one event in that event, and continues', async () => {
    const events = await all(clientOf(running).iterate({ query: 'subscription { houseSold(times: 2) { id owner { fails } } }' }))
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({
      data: { houseSold: { id: '1', owner: { fails: null } } },
      errors: [{ message: 'Internal server error', path: ['houseSold', 'owner', 'fails'], extensions: { code: 'INTERNAL' } }],
    })
  })

  it('reports a forbidden field with its code in each event, and continues', async () => {
    const events = await all(clientOf(running).iterate({ query: 'subscription { houseSold(times: 2) { id deed } }' }))
    expect(events).toMatchObject(
      ['1', '2'].map((id) => ({
        data: { houseSold: { id, deed: null } },
        errors: [{ message: 'Only the owner may read this', path: ['houseSold', 'deed'], extensions: { code: 'FORBIDDEN' } }],
      })),
    )
  })

  it('ends the source at once when the client unsubscribes or disconnects', async () => {
    const before = running.town.seen.ended.filter((name) => name === 'quiet').length
    const ended = () => running.town.seen.ended.filter((name) => name === 'quiet').length - before
    const events = clientOf(running).iterate({ query: 'subscription { quiet { id } }' })
    expect(await events.next()).toMatchObject({ value: { data: { quiet: { id: '1' } } } })
    expect(ended()).toBe(0)
    await events.return?.()
    await expect.poll(ended, { timeout: 1000 }).toBe(1)

    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    socket.send(subscribe('subscription { quiet { id } }'))
    await expect.poll(() => messages.length).toBe(2)
    socket.terminate()
    await expect.poll(ended, { timeout: 1000 }).toBe(2)
  })

  it('reports a refusal of the subgraph with its code', async () => {
    const events = await all(clientOf(running).iterate({ query: 'subscription { refused { id } }' }))
    expect(events).toMatchObject([{ errors: [{ message: 'There is no such stream', extensions: { code: 'NOT_FOUND' } }] }])
  })

  it('executes queries and mutations', async () => {
    const client = clientOf(running, { 'X-Service-API-Key': apiKey })
    expect(await all(client.iterate({ query: '{ house(id: 1) { owner { name } } }' }))).toEqual([
      { data: { house: { owner: { name: 'Name of p1' } } } },
    ])
    expect(await all(client.iterate({ query: 'mutation { register(input: {street: "x", number: 5}) { id } }' }))).toEqual([
      { data: { register: { id: '5' } } },
    ])
    const [who] = (await all(client.iterate({ query: '{ who }' }))) as { data: { who: string } }[]
    expect(who?.data.who).toMatch(/^tester /)
  })

  it('closes a slow reader with 1013 and ends its source', async () => {
    const { socket, messages, closed } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    socket.send(subscribe('subscription { flood { street } }'))
    await expect.poll(() => messages.length).toBeGreaterThan(2)
    socket.pause()
    await expect.poll(() => running.town.seen.ended).toContain('flood')
    socket.resume()
    expect(await closed).toBe(1013)
  })
})

it('under overload closes new connections with 1013, and refuses operations of open ones by their kind', async () => {
  const gate = new OverloadedGate()
  await using running = await startGateway('in process', { gate })
  const there = await bare(running.socket)
  there.socket.send(init())
  await expect.poll(() => there.messages.length).toBe(1)
  gate.tooMuch = ['write']
  there.socket.send(subscribe('mutation { register(input: {street: "x", number: 5}) { id } }', 'change'))
  there.socket.send(subscribe('{ who }', 'read'))
  await expect.poll(() => there.messages.length).toBe(4)
  expect(there.messages.find(({ id }) => id === 'change')).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'OVERLOADED', retryAfterMs: 2000 } }],
  })
  expect(there.messages.filter(({ id }) => id === 'read').map(({ type }) => type)).toEqual(['next', 'complete'])
  gate.tooMuch = ['read', 'write']
  there.socket.send(subscribe('{ who }', 'again'))
  await expect.poll(() => there.messages.at(-1)).toMatchObject({ id: 'again', type: 'error' })
  const late = await bare(running.socket)
  late.socket.send(init())
  expect(await late.closed).toBe(1013)
  there.socket.close()
})

describe('the protocol', () => {
  let running: RunningGateway
  beforeAll(async () => {
    running = await startGateway('in process')
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it.each([
    ['a message that is not JSON', 'x', 4400],
    ['a message of an unknown type', '{"type":"start"}', 4400],
    ['a message that only servers send', '{"type":"connection_ack"}', 4400],
    ['a ping nested too deep for a pong', `{"type":"ping","payload":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`, 4400],
    ['a wrong key', init({ 'X-Service-API-Key': 'wrong' }), 4401],
    ['an empty key', init({ 'x-service-api-key': '' }), 4401],
    ['a key that is not a string', init({ 'x-service-api-key': 1 }), 4401],
    ['a bad token', init({ authorization: 'Bearer bad' }), 4401],
    ['an operation before the init', subscribe('{ who }'), 4401],
  ])('closes on %s', async (_, message, code) => {
    const { socket, closed } = await bare(running.socket)
    socket.send(message)
    expect(await closed).toBe(code)
  })

  it('closes on a second init, a duplicate id, another protocol, and a frame that is too large', async () => {
    const twice = await bare(running.socket)
    twice.socket.send(init())
    twice.socket.send(init())
    expect(await twice.closed).toBe(4429)
    const same = await bare(running.socket)
    same.socket.send(init())
    await expect.poll(() => same.messages.length).toBe(1)
    same.socket.send(subscribe('subscription { quiet { id } }', 'a'))
    same.socket.send(subscribe('subscription { quiet { id } }', 'a'))
    expect(await same.closed).toBe(4409)
    const large = await bare(running.socket)
    large.socket.send('x'.repeat(300_000))
    expect(await large.closed).toBe(1009)
    const other = new WebSocket(running.socket, 'mqtt')
    expect(await new Promise((resolve) => other.once('error', resolve))).toBeInstanceOf(Error)
  })

  it.each([
    ['not masked', '{"type":"connection_init"}', { mask: false }, 1002],
    ['no UTF-8', Buffer.from([0xff, 0xfe]), { binary: false }, 1007],
  ])('closes on a frame that is %s', async (_, content, options, code) => {
    const { socket, closed } = await bare(running.socket)
    socket.send(content, options)
    expect(await closed).toBe(code)
  })

  it('closes a client that sends too much before its init, counting incomplete messages', async () => {
    const { socket, closed } = await bare(running.socket)
    for (let part = 0; part < 10; part += 1) socket.send('x'.repeat(10_000), { fin: false })
    expect(await closed).toBe(1009)
    const admitted = await bare(running.socket)
    admitted.socket.send(init())
    await expect.poll(() => admitted.messages.length).toBe(1)
    admitted.socket.send(subscribe('query ($x: String) { who }', 'large', { x: 'y'.repeat(100_000) }))
    await expect.poll(() => admitted.messages.at(-1)?.id).toBe('large')
    admitted.socket.close()
  })

  it('does not delay other subscribers of a shared subscription because of a slow reader', async () => {
    const [slow, quick] = [await bare(running.socket), await bare(running.socket)]
    for (const { socket, messages } of [slow, quick]) {
      socket.send(init())
      await expect.poll(() => messages.length).toBe(1)
      socket.send(subscribe('subscription { flood { street number } }'))
      await expect.poll(() => messages.length).toBeGreaterThan(2)
    }
    // The quick reader continues while the slow one is paused. The slow one resumes from time to time: it must read its close frame within 2 s, and the size of the kernel's send buffer is unknown.
    const missed = (): number => quick.messages.length - slow.messages.length
    for (let behind = 400; slow.socket.readyState === WebSocket.OPEN; behind += 200) {
      slow.socket.pause()
      await expect.poll(missed).toBeGreaterThan(behind)
      slow.socket.resume()
      await expect.poll(() => slow.socket.readyState !== WebSocket.OPEN || missed() < 100).toBe(true)
    }
    expect(await slow.closed).toBe(1013)
    expect(quick.socket.readyState).toBe(WebSocket.OPEN)
    quick.socket.terminate()
  })

  it('closes a client whose token has expired with 4403, so that it reconnects with a new one', async () => {
    const { socket, closed } = await bare(running.socket)
    const from = Date.now()
    socket.send(init({ authorization: 'Bearer good-for-1s' }))
    expect(await closed).toBe(4403)
    expect(Date.now() - from).toBeGreaterThan(700)
  })

  it('answers a refused operation with an error and keeps the socket open', async () => {
    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    const selfie = 'c2VsZmllLW9mLWEtcGVyc29u'.repeat(20)
    for (const [query, code] of [
      ['subscription ($x: Boolean!) { quiet @include(if: $x) { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription { quiet @include(if: false) { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription { ...F } fragment F on Subscription { ... @skip(if: true) { quiet { id } } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription {', 'GRAPHQL_PARSE_FAILED'],
      [`{ ${'a '.repeat(2001)} }`, 'LIMIT_EXCEEDED'],
      [`mutation { sealed(input: {selfie: "${selfie}"}) }`, 'GRAPHQL_VALIDATION_FAILED'],
    ] as const) {
      const before = messages.length
      socket.send(subscribe(query, String(before), { x: true }))
      await expect.poll(() => messages.length).toBe(before + 1)
      expect(messages.at(-1)).toMatchObject({ type: 'error', id: String(before), payload: [{ extensions: { code } }] })
      expect(JSON.stringify(messages)).not.toContain(selfie.slice(0, 24))
    }
    const before = messages.length
    socket.send(subscribe('mutation ($input: SealedInput!) { sealed(input: $input) }', 'v', { input: { selfie } }))
    await expect.poll(() => messages.length).toBeGreaterThan(before)
    expect(messages[before]).toMatchObject({ payload: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] } })
    expect(JSON.stringify(messages)).not.toContain(selfie.slice(0, 24))
    socket.send(subscribe('{ who }', 'last'))
    await expect.poll(() => messages.some((message) => message.id === 'last' && message.type === 'complete')).toBe(true)
    socket.close()
  })

  it('names the supported protocol to a client of subscriptions-transport-ws', async () => {
    const socket = new WebSocket(running.socket, 'graphql-ws')
    const closed = await new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, String(reason)])))
    expect(closed).toEqual([4406, 'subscriptions-transport-ws is not supported: use graphql-transport-ws (npm graphql-ws)'])
  })

  it('closes a client that never sends an init with 4408', async () => {
    const { closed } = await bare(running.socket)
    const from = Date.now()
    expect(await closed).toBe(4408)
    expect(Date.now() - from).toBeGreaterThan(9000)
  })

  it('limits the operations that one client runs at once', async () => {
    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    for (let id = 0; id < 101; id += 1) socket.send(subscribe('subscription { quiet { id } }', String(id)))
    await expect
      .poll(() => messages.filter((message) => message.type === 'error'))
      .toMatchObject([{ id: '100', payload: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] }])
    socket.close()
  })

  it('repeats no long text of a client: ids of at most 100 characters, and short payloads of pings', async () => {
    const { socket, messages, closed } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    socket.send('{"type":"ping","payload":{"at":7}}')
    socket.send(`{"type":"ping","payload":{"x":"${'y'.repeat(100)}"}}`)
    await expect.poll(() => messages.slice(1)).toEqual([{ type: 'pong', payload: { at: 7 } }, { type: 'pong' }])
    socket.send(subscribe('{ who }', 'i'.repeat(100)))
    await expect.poll(() => messages.at(-1)).toEqual({ type: 'complete', id: 'i'.repeat(100) })
    const reason = new Promise((resolve) => socket.once('close', (_, text) => resolve(String(text))))
    socket.send(subscribe('{ who }', 'j'.repeat(101)))
    expect([await closed, await reason]).toEqual([4400, 'The id of an operation has more than 100 characters'])
    expect(JSON.stringify(messages)).not.toContain('jjj')
  })

  it('limits the bytes that the operations of one client hold, and accepts more when one of them ends', async () => {
    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    const large = (query: string, id: string) => subscribe(query, id, { unknown: 'x'.repeat(190_000) })
    for (let id = 0; id < 6; id += 1) socket.send(large('subscription { quiet { id } }', String(id)))
    await expect
      .poll(() => messages.filter((message) => message.type === 'error'))
      .toMatchObject([{ id: '5', payload: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] }])
    socket.send('{"id":"0","type":"complete"}')
    socket.send(large('{ who }', 'again'))
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: 'again', type: 'complete' })
    const deep = `{"id":"deep","type":"subscribe","payload":{"query":"{ who }","variables":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}}`
    socket.send(deep)
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: 'deep', payload: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] })
    socket.close()
  })

  it('aborts a query that its client completes, and counts it until it has ended', async () => {
    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    const before = running.town.seen.aborted.length
    socket.send(subscribe('{ slow }', 'slow'))
    await sleep(100)
    expect(running.town.seen.aborted).toHaveLength(before)
    socket.send('{"id":"slow","type":"complete"}')
    await expect.poll(() => running.town.seen.aborted.length, { timeout: 1000 }).toBe(before + 1)
    socket.send(subscribe('{ who }', 'next'))
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: 'next', type: 'complete' })
    expect(messages.filter(({ id }) => id === 'slow')).toEqual([])
    socket.close()
  })

  it('stops reading from a client that sends without reading, and answers every message after it reads', async () => {
    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    await expect.poll(() => messages.length).toBe(1)
    socket.pause()
    const count = 300
    // each has a result of 90 kB, or is refused while others hold their messages
    const query = '{ person(code: "p1") { letters(first: 5000) { text } } }'
    for (let id = 0; id < count; id += 1) socket.send(subscribe(query, String(id), { unknown: 'y'.repeat(150_000) }))
    await sleep(1000)
    expect(socket.bufferedAmount).toBeGreaterThan(10_000_000)
    socket.resume()
    await expect.poll(() => messages.filter(({ type }) => type === 'complete' || type === 'error').length).toBe(count)
    expect(JSON.stringify(messages.find(({ type }) => type === 'next')).length).toBeGreaterThan(80_000)
    socket.close()
  })

  it('closes only the client with the largest backlog with 1013 when the total backlog is too large', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { log } = recordedLog()
    const backlog = new Backlog(200_000)
    let measurements = 0
    let cut = 0
    const alsoBehind = backlog.client(
      () => {
        measurements += 1
        return 50_000
      },
      () => {
        cut += 1
      },
    )
    alsoBehind.note()
    measurements = 0
    const large = new GraphQLError('x'.repeat(50_000))
    const hooks = { onSubscribe: () => [large] }
    const served = graphqlSocket({ server, path: '/graphql', log, messageBytes: 100_000, backlog, hooks })
    const url = `${listenerUrl(server, '127.0.0.1').replace('http', 'ws')}/graphql`
    const [slow, quick] = [await bare(url), await bare(url)]
    for (const { socket, messages } of [slow, quick]) {
      socket.send(init())
      await expect.poll(() => messages.length).toBe(1)
    }
    slow.socket.pause()
    // The backlog of every client is measured when the total is too large.
    for (let sent = 1; measurements === 0; sent += 1) {
      for (const { socket } of [slow, quick]) socket.send(subscribe('{ who }', String(sent)))
      await expect.poll(() => quick.messages.length, { interval: 1 }).toBeGreaterThan(sent)
    }
    slow.socket.resume()
    expect(await slow.closed).toBe(1013)
    expect([quick.socket.readyState, cut]).toEqual([WebSocket.OPEN, 0])
    await served.stop()
    server.close()
  })

  it('delivers one event above the limit of a backlog to a client that has read everything', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await new Promise((resolve) => server.once('listening', resolve))
    const accepted = new Promise<WebSocket>((resolve) => server.once('connection', resolve))
    const { socket, messages } = await bare(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const connection = await accepted
    const client = {
      socket: connection,
      backlog: new Backlog().client(
        () => connection.bufferedAmount,
        () => connection.terminate(),
      ),
    }
    let ends = 0
    const end = (): void => {
      ends += 1
    }
    const delivery = socketDelivery(client, '1', { highWaterBytes: 1000, maxBytes: 100_000, readTimeoutMs: 5000 }, end, end)
    void delivery.stream.next()
    const event = JSON.stringify({ data: { text: 'x'.repeat(300_000) } })
    void delivery.deliver(event)
    await expect.poll(() => messages.length).toBe(1)
    expect(ends).toBe(0)
    socket.pause()
    // beyond what the kernel buffers
    for (let sent = 0; ends === 0 && sent < 1000; sent += 1) void delivery.deliver(event)
    expect(ends).toBe(2)
    socket.terminate()
    server.close()
  })

  it('closes a client that stops answering pings', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { log } = recordedLog()
    const served = graphqlSocket({ server, path: '/graphql', log, messageBytes: 1000, pingMs: 100, hooks: {} })
    const url = `${listenerUrl(server, '127.0.0.1').replace('http', 'ws')}/graphql`
    const alive = new WebSocket(url, 'graphql-transport-ws')
    const dead = new WebSocket(url, 'graphql-transport-ws', { autoPong: false })
    dead.on('error', () => undefined)
    await new Promise((resolve) => dead.once('close', resolve))
    expect(alive.readyState).toBe(WebSocket.OPEN)
    await served.stop()
    server.close()
  })

  it('accepts connections up to the limit, and again after one closes', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { log } = recordedLog()
    const served = graphqlSocket({ server, path: '/graphql', log, messageBytes: 1000, slots: new ClientSlots({ total: 1 }), hooks: {} })
    const url = `${listenerUrl(server, '127.0.0.1').replace('http', 'ws')}/graphql`
    const connected = async (): Promise<WebSocket> => {
      const socket = new WebSocket(url, 'graphql-transport-ws')
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      return socket
    }
    const first = await connected()
    await expect(connected()).rejects.toThrow('503')
    first.close()
    await expect
      .poll(() =>
        connected()
          .then(({ readyState }) => readyState)
          .catch(String),
      )
      .toBe(WebSocket.OPEN)
    await served.stop()
    server.close()
  })

  it('lets a client reuse an operation id as soon as it has completed it', async () => {
    const { socket, messages } = await bare(running.socket)
    socket.send(init())
    socket.send(subscribe('subscription { quiet { number } }'))
    await expect.poll(() => messages.length).toBe(2)
    // one packet: both messages are available when the first is read
    const { _socket: connection } = socket as unknown as { _socket: Socket }
    connection.cork()
    socket.send('{"id":"1","type":"complete"}')
    socket.send(subscribe('subscription { houseSold(times: 2) { number } }'))
    connection.uncork()
    await expect.poll(() => messages.slice(2)).toMatchObject([{ type: 'next' }, { type: 'next' }, { type: 'complete' }])
    socket.terminate()
  })

  it('accepts connections from allowed origins, its own origin, and clients without an origin', async () => {
    const connectFrom = (origin?: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(running.socket, 'graphql-transport-ws', origin === undefined ? {} : { origin })
        socket.once('open', () => resolve('accepted')).once('error', ({ message }) => resolve(message))
        socket.once('open', () => socket.terminate())
      })
    for (const origin of ['https://front.test', running.graphql.replace('/graphql', ''), undefined])
      expect(await connectFrom(origin)).toBe('accepted')
    for (const origin of ['https://elsewhere.test', 'null']) expect(await connectFrom(origin)).toContain('403')
  })

  it('refuses an upgrade on another path', async () => {
    const socket = new WebSocket(running.socket.replace('/graphql', '/other'), 'graphql-transport-ws')
    expect(String(await new Promise((resolve) => socket.once('error', resolve)))).toContain('404')
  })
})

it('closes the connections of a revoked service key with 4401, and no others', async () => {
  const stored = new Map([
    ['first', 'reporter'],
    ['second', 'archive'],
  ])
  const find = async (key: string) => {
    const name = stored.get(key)
    return name === undefined ? undefined : { name, scopes: [] }
  }
  await using running = await startGateway('in process', { authentication: createAuthentication({ apiKeys: [], storedKeys: { find } }) })
  const [revoked, valid] = [await bare(running.socket), await bare(running.socket)]
  revoked.socket.send(init({ 'X-Service-API-Key': 'first' }))
  valid.socket.send(init({ 'X-Service-API-Key': 'second' }))
  await expect.poll(() => [revoked.messages.length, valid.messages.length]).toEqual([1, 1])
  stored.delete('first')
  expect(await revoked.closed).toBe(4401)
  expect(valid.socket.readyState).toBe(WebSocket.OPEN)
  valid.socket.terminate()
})

it('closes the connection of a user that loses a role, and no others', async () => {
  const roles = new Map([
    ['a', ['reviewer', 'group_admin']],
    ['b', ['reviewer']],
  ])
  const expiresAt = Date.now() / 1000 + 3600
  const verify = async (token: string) => ({
    ...{ issuer: 'test', subject: token, session: token, expiresAt, groups: [] },
    roles: roles.get(token) ?? [],
  })
  const authentication = createAuthentication({ apiKeys: [], tokenVerifier: { verify } })
  await using running = await startGateway('in process', { authentication })
  const [demoted, promoted] = [await bare(running.socket), await bare(running.socket)]
  demoted.socket.send(init({ authorization: 'Bearer a' }))
  promoted.socket.send(init({ authorization: 'Bearer b' }))
  await expect.poll(() => [demoted.messages.length, promoted.messages.length]).toEqual([1, 1])
  roles.set('a', ['reviewer']).set('b', ['reviewer', 'group_admin'])
  expect(await demoted.closed).toBe(4401)
  expect(promoted.socket.readyState).toBe(WebSocket.OPEN)
  promoted.socket.terminate()
})

it('completes running operations when it drains, and closes every client', async () => {
  const running = await startGateway('in process', { requestTimeoutMs: 300, graceMs: 2000 })
  const { socket, messages, closed } = await bare(running.socket)
  socket.send(init())
  await expect.poll(() => messages.length).toBe(1)
  socket.send(subscribe('subscription { quiet { id } }'))
  await expect.poll(() => messages.length).toBe(2)
  socket.send(subscribe('{ slow }', '2'))
  await sleep(50)
  await running[Symbol.asyncDispose]()
  expect(await closed).toBe(1001)
  expect(messages.slice(2)).toMatchObject([
    { id: '1', type: 'complete' },
    { id: '2', type: 'next', payload: { errors: [{ extensions: { code: 'DEADLINE_EXCEEDED' } }] } },
    { id: '2', type: 'complete' },
  ])
  expect(running.town.seen.ended).toContain('quiet')
})

it('reports the loss of a remote subgraph to the subscriber without its address, and continues after it returns', async () => {
  await using running = await startGateway('remote')
  const [houses] = running.town.servers
  if (houses === undefined) throw new Error('no server')
  const { port } = new URL(houses.url)
  const events = clientOf(running).iterate({ query: 'subscription { quiet { id owner { name } } }' })
  const event = { data: { quiet: { id: '1', owner: { name: 'Name of p1' } } } }
  expect(await events.next()).toMatchObject({ value: event })
  await houses.stop()
  const gap = await events.next()
  expect(gap).toMatchObject({ value: { errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }] } })
  expect(JSON.stringify(gap)).not.toContain(port)
  await using _again = await restarted(running.town, 'houses', running.town.schemas.houses, Number(port))
  expect(await events.next()).toMatchObject({ value: event })
})
