import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ClientSlots } from '../../../../../foundation/concurrency/client-slots.ts'
import { apiKey, type RunningGateway, startGateway } from '../../../../support/gateway/town.ts'

let running: RunningGateway
let processSlots: ClientSlots
beforeEach(async () => {
  processSlots = new ClientSlots({ total: 6 })
  running = await startGateway('in process', { subscribersPerClient: 2, trustedProxies: 1, processSlots, listening: { checkMs: 100 } })
})
afterEach(() => running[Symbol.asyncDispose]())

const quiet = JSON.stringify({ query: 'subscription { quiet { id } }' })

/** Returns a socket after its connection_ack, or the code and reason of its close. */
async function connected(address: string, payload: object = {}): Promise<WebSocket | readonly [code: number, reason: string]> {
  const socket = new WebSocket(running.socket, 'graphql-transport-ws', { headers: { 'x-forwarded-for': address } })
  socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })))
  return new Promise((resolve, reject) => {
    socket.once('message', () => resolve(socket))
    socket.once('close', (code, reason) => resolve([code, String(reason)]))
    socket.once('error', reject)
  })
}

const streamed = async (address: string, headers: Readonly<Record<string, string>> = {}) => {
  const connection = new AbortController()
  const answer = await fetch(running.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-forwarded-for': address, ...headers },
    body: quiet,
    signal: connection.signal,
  })
  return { answer, connection }
}

const tooMany = [1013, 'Too many connections from this address: close one or try again later']

it('closes further sockets of an address with 1013, whatever the port, until one disconnects; other addresses are unaffected', async () => {
  const first = await connected('203.0.113.7:1')
  expect(await connected('203.0.113.7:2')).toBeInstanceOf(WebSocket)
  expect(await connected('203.0.113.7:3')).toEqual(tooMany)
  expect(await connected('203.0.113.8')).toBeInstanceOf(WebSocket)
  if (first instanceof WebSocket) first.terminate()
  await expect.poll(() => connected('203.0.113.7:4')).toBeInstanceOf(WebSocket)
})

it('closes further sockets of a caller with 1013, whatever the address', async () => {
  const key = { 'X-Service-API-Key': apiKey }
  for (const number of [1, 2]) expect(await connected(`203.0.113.${number}`, key)).toBeInstanceOf(WebSocket)
  expect(await connected('203.0.113.3', key)).toEqual([1013, 'Too many connections from this caller: close one or try again later'])
  expect(await connected('203.0.113.3')).toBeInstanceOf(WebSocket)
})

it('refuses further streams of an address with 429 until one ends; other addresses are unaffected', async () => {
  const first = await streamed('2001:db8:1:2::1')
  const second = await streamed('2001:db8:1:2::2')
  const third = await streamed('2001:db8:1:2::3')
  expect([first, second, third].map(({ answer }) => answer.status)).toEqual([200, 200, 429])
  expect([third.answer.headers.get('retry-after'), await third.answer.json()]).toMatchObject([
    '5',
    { errors: [{ message: tooMany[1], extensions: { code: 'RATE_LIMITED' } }] },
  ])
  const other = await streamed('2001:db8:1:3::1')
  expect(other.answer.status).toBe(200)
  first.connection.abort()
  await expect.poll(async () => (await streamed('2001:db8:1:2::3')).answer.status).toBe(200)
})

it('refuses further streams of a caller with 429, whatever the address', async () => {
  const key = { 'x-service-api-key': apiKey }
  const statuses: number[] = []
  for (const number of [1, 2, 3]) statuses.push((await streamed(`203.0.113.${number}`, key)).answer.status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await streamed('203.0.113.3')).answer.status).toBe(200)
})

it('refuses sockets and streams above the limit of the process with 503', async () => {
  for (const number of [1, 2, 3]) expect(await connected(`203.0.113.${number}`)).toBeInstanceOf(WebSocket)
  for (const number of [1, 2, 3]) expect((await streamed(`203.0.113.${number}`)).answer.status).toBe(200)
  expect((await streamed('203.0.113.4')).answer.status).toBe(503)
  await expect(connected('203.0.113.4')).rejects.toThrow('503')
})

/** Starts subscriptions over one socket. @returns how to end one, and the messages of its errors by id */
async function subscribed(address: string, queries: readonly string[], payload: object = {}) {
  const socket = await connected(address, payload)
  if (!(socket instanceof WebSocket)) throw new Error('the socket was closed')
  const refused = new Map<string, unknown>()
  socket.on('message', (data) => {
    const { id, type, payload } = JSON.parse(String(data))
    // an operation that is invalid ends with `error`, a refused subscription with a result
    const [error] = type === 'error' ? payload : (payload?.errors ?? [])
    if (error !== undefined) refused.set(id, error.extensions.code)
  })
  const start = (id: string, query: string) => socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }))
  for (const [index, query] of queries.entries()) start(String(index), query)
  return { refused, start, end: (id: string) => socket.send(JSON.stringify({ id, type: 'complete' })) }
}
const different = (count: number) => Array.from({ length: count }, (_, index) => `subscription { quiet { a${index}: id } }`)

it('refuses further different subscriptions of an address, but neither equal ones nor those of callers with a key', async () => {
  const [first = '', second = '', third = ''] = different(3)
  const one = await subscribed('203.0.113.7', [first, second, third, first, second])
  await expect.poll(() => [...one.refused]).toEqual([['2', 'RATE_LIMITED']])
  const same = await subscribed('203.0.113.7', [third, first])
  await expect.poll(() => [...same.refused]).toEqual([['0', 'RATE_LIMITED']])
  const known = await subscribed('203.0.113.8', [...different(4), '{'], { 'X-Service-API-Key': apiKey })
  await expect.poll(() => [...known.refused.keys()]).toEqual(['4'])
  for (const id of ['1', '4']) one.end(id)
  // a refused start is over, so its id may be used again
  await expect
    .poll(async () => {
      const { refused, start } = same
      refused.clear()
      start('again', third)
      start('bad', '{')
      await expect.poll(() => refused.has('bad')).toBe(true)
      return refused.has('again')
    })
    .toBe(false)
})
