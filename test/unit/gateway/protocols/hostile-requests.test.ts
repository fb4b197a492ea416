import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Intake } from '../../../../foundation/http/read-body.ts'
import { apiKey, type RunningGateway, startGateway } from '../../../support/gateway/town.ts'

const mebibyte = 1024 * 1024
const intakeBytes = 64 * mebibyte
const intake = new Intake(intakeBytes)
let running: RunningGateway
beforeAll(async () => {
  running = await startGateway('in process', { bodyBytes: 24 * mebibyte, intake, requestTimeoutMs: 20_000 })
  return () => running[Symbol.asyncDispose]()
})
afterEach(() => void vi.restoreAllMocks())

const json = { 'content-type': 'application/json' }
const sse = { ...json, accept: 'text/event-stream' }
const identified = { ...json, 'x-service-api-key': apiKey }
const zipped = (body: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(body))
const nested = (count: number): string => '['.repeat(count) + ']'.repeat(count)

interface Answer {
  readonly status: number
  readonly length: number
  readonly body: { data?: unknown; errors?: { message: string; extensions: { code: string; entries?: unknown[] } }[] }
}
async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json): Promise<Answer> {
  const encoding = typeof body === 'string' ? undefined : { 'content-encoding': 'gzip' }
  const response = await fetch(running.graphql, { method: 'POST', headers: { ...headers, ...encoding }, body })
  const answer = await response.text()
  return { status: response.status, length: answer.length, body: JSON.parse(answer) }
}
const refusal = ({ status, body }: Answer): unknown[] => [status, body.errors?.[0]?.extensions.code]

/** Returns a function that returns the length of the longest text parsed since this call. */
function parsedLengths(): () => number {
  const parse = vi.spyOn(JSON, 'parse')
  return () => Math.max(0, ...parse.mock.calls.map(([parsed]) => String(parsed).length))
}

describe('a GraphQL body', () => {
  it('with 12 million nested arrays is refused before it is parsed, in seven concurrent requests, while health checks are answered', async () => {
    const bomb = zipped(`{"query":"subscription{quiet{id}}","x":${nested(12_000_000)}}`)
    const longest = parsedLengths()
    const answers = Promise.all(Array.from({ length: 7 }, () => send(bomb, sse)))
    expect((await fetch(new URL('/health/live', running.graphql))).status).toBe(200)
    expect((await answers).map(refusal)).toEqual(Array.from({ length: 7 }, () => [413, 'TOO_LARGE']))
    expect(longest()).toBeLessThan(1000)
    await expect.poll(() => intake.hasRoomFor(intakeBytes)).toBe(true)
  })

  it.each([
    ['nested variables', `{"query":"{ who }","variables":{"x":${nested(100_000)}}}`, 'nested more than'],
    ['an unknown member', `{"query":"{ who }","x":${nested(100_000)}}`, 'nested more than'],
    [
      'nested objects in extensions',
      `{"query":"{ who }","extensions":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`,
      'nested more than',
    ],
    ['many values', `{"query":"{ who }","variables":{"x":[${'{},'.repeat(80_000)}{}]}}`, 'more than 10000 values'],
    ['a long member name', `{"query":"{ who }","variables":{"${'n'.repeat(257)}":1}}`, 'a member name of more than 256 characters'],
    ['a batch', `[${'{},'.repeat(80_000)}{}]`, 'more than 10000 values'],
  ])('with %s is refused before it is parsed', async (_, body, sentence) => {
    const longest = parsedLengths()
    for (const encoded of [body, zipped(body)]) {
      const answer = await send(encoded)
      expect(refusal(answer)).toEqual([400, 'LIMIT_EXCEEDED'])
      expect(answer.body.errors?.[0]?.message).toContain(sentence)
    }
    expect(longest()).toBeLessThan(1000)
  })

  it('above 256 kB requires verified credentials', async () => {
    const body = JSON.stringify({ query: '{ house(id: 1) { number } }', variables: { unused: 'x'.repeat(1_000_000) } })
    const { signal } = new AbortController()
    const chunked = (): ReadableStream => new Blob([body]).stream()
    for (const encoded of [body, zipped(body)]) {
      expect(refusal(await send(encoded))).toEqual([413, 'TOO_LARGE'])
      expect(refusal(await send(encoded, { ...json, cookie: 'session=made-up' }))).toEqual([413, 'TOO_LARGE'])
      expect(refusal(await send(encoded, { ...json, authorization: 'Bearer made-up' }))).toEqual([401, 'UNAUTHENTICATED'])
      expect(refusal(await send(encoded, { ...json, 'x-service-api-key': 'made-up' }))).toEqual([401, 'UNAUTHENTICATED'])
      expect((await send(encoded, identified)).body.data).toEqual({ house: { number: 1 } })
      expect((await send(encoded, { ...json, authorization: 'Bearer good' })).body.data).toEqual({ house: { number: 1 } })
    }
    const streamed = await fetch(running.graphql, { method: 'POST', headers: json, body: chunked(), duplex: 'half', signal } as RequestInit)
    expect(streamed.status).toBe(413)
    expect(streamed.headers.get('connection')).toBe('close')
  })

  it('of another content type is limited', async () => {
    for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/cbor'])
      expect(refusal(await send(zipped('x'.repeat(1_000_000)), { 'content-type': type, 'apollo-require-preflight': '1' }))).toEqual([
        413,
        'TOO_LARGE',
      ])
  })

  it('of an authenticated caller may contain images and long lists within the limits', async () => {
    const query = 'mutation ($input: SealedInput!) { sealed(input: $input) }'
    const image = 'QUJD'.repeat(2 * mebibyte)
    const images = JSON.stringify({ query, variables: { input: { selfie: image, back: image } } })
    expect((await send(images, identified)).body).toEqual({ data: { sealed: true } })
    const ids = JSON.stringify({ query: '{ who }', variables: { ids: Array.from({ length: 100_000 }, (_, id) => `${id}`) } })
    expect((await send(ids, identified)).status).toBe(200)
    const values = `{"query":"{ who }","variables":{"x":[${'1,'.repeat(250_000)}1]}}`
    expect(refusal(await send(values, identified))).toEqual([400, 'LIMIT_EXCEEDED'])
    expect(refusal(await send(`{"query":"{ who }","x":${nested(1_000_000)}}`, identified))).toEqual([400, 'LIMIT_EXCEEDED'])
  })

  it('that decompresses far beyond its compressed size is refused, although that size is allowed', async () => {
    const body = JSON.stringify({ query: '{ who }', variables: { x: 'y'.repeat(20_000_000) } })
    expect(refusal(await send(zipped(body), identified))).toEqual([413, 'TOO_LARGE'])
    expect((await send(body, identified)).status).toBe(200)
  })

  it('counts against the memory limit until the response starts, and not during an event stream', async () => {
    const query = 'subscription { quiet { id } }'
    const body = JSON.stringify({ query, variables: { unused: 'x'.repeat(200_000) }, unknown: Array.from({ length: 2000 }, () => []) })
    const connection = new AbortController()
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => fetch(running.graphql, { method: 'POST', headers: sse, body, signal: connection.signal })),
    )
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const [first] = streams
    const chunk = await first?.body?.getReader().read()
    expect(chunk?.done).toBe(false)
    expect(intake.hasRoomFor(intakeBytes)).toBe(true)
    connection.abort()
    await expect.poll(() => intake.hasRoomFor(intakeBytes)).toBe(true)
  })
})

describe('a document', () => {
  it.each([
    ['a field', `{ ${'n'.repeat(100_000)} }`],
    ['a block string', `{ house(id: """${'x '.repeat(60_000)}""") { number } }`],
    ['a comment', `{ who } #${'x'.repeat(100_000)}`],
  ])('with %s of 100 kB is refused by its length', async (_, query) => {
    const answer = await send(JSON.stringify({ query }))
    expect(refusal(answer)).toEqual([400, 'LIMIT_EXCEEDED'])
    expect(answer.length).toBeLessThan(500)
  })

  it('with a block string or a name of 20 MB is refused, also from an authenticated caller', async () => {
    for (const query of [`{ ${'n'.repeat(20_000_000)} }`, `{ house(id: """${'x\n'.repeat(7_000_000)}""") { number } }`]) {
      const answer = await send(JSON.stringify({ query }), identified)
      expect(refusal(answer)).toEqual([400, 'LIMIT_EXCEEDED'])
      expect(answer.length).toBeLessThan(500)
    }
  })

  const long = 'n'.repeat(300)
  it.each([
    `{ ${long} }`,
    `{ ${long}: who }`,
    `{ house(${long}: 1) { number } }`,
    `{ who @${long} }`,
    `{ who @skip(${long}: true) }`,
    `query ${long} { who }`,
    `query ($${long}: ID) { who }`,
    `query ($x: ${long}) { who }`,
    `{ ...${long} } fragment ${long} on Query { who }`,
    `{ ... on ${long} { who } }`,
    `mutation { register(input: { street: "a", number: 1, kind: ${long} }) { number } }`,
    `mutation { register(input: { street: "a", number: 1, ${long}: 1 }) { number } }`,
  ])('with a name of 300 characters is refused: %.40s', async (query) => {
    const answer = await send(JSON.stringify({ query }))
    expect(refusal(answer)).toEqual([400, 'LIMIT_EXCEEDED'])
    expect(answer.length).toBeLessThan(500)
  })

  it('appears in errors with at most 100 characters of a name', async () => {
    const name = 'n'.repeat(200)
    for (const query of [
      `{ ${name} }`,
      `query ($${name}: ID!) { house(id: $${name}) { number } }`,
      `{ house(id: 1, ${name}: 2) { number } }`,
    ]) {
      const answer = JSON.stringify((await send(JSON.stringify({ query }))).body)
      // of a variable, the $ counts
      expect(answer).toContain('n'.repeat(99))
      expect(answer).not.toContain('n'.repeat(101))
    }
  })

  it('with many errors is refused with a limited number of them', async () => {
    const fields = Array.from({ length: 900 }, (_, index) => `numbr${index}`).join(' ')
    const { status, body } = await send(JSON.stringify({ query: `{ house(id: 1) { ${fields} } }` }))
    expect(status).toBe(400)
    expect(body.errors?.length).toBeLessThanOrEqual(101)
  })
})

describe('variables', () => {
  const query = 'mutation ($input: SealedInput!) { sealed(input: $input) }'
  const register = 'mutation ($input: RegisterInput!) { register(input: $input) { number } }'

  it('with 50,000 invalid items are refused with at most 20 errors', async () => {
    const people = Array.from({ length: 50_000 }, () => ({ street: 1 }))
    const { status, body } = await send(JSON.stringify({ query, variables: { input: { selfie: '', back: '', people } } }), identified)
    expect([status, body.errors?.length]).toEqual([400, 20])
  })

  it('with a long text for an enum or a number are refused without repeating it', async () => {
    const image = 'QUJD'.repeat(mebibyte)
    for (const input of [
      { street: 'a', number: 1, kind: image },
      { street: 'a', number: image },
    ]) {
      const answer = await send(JSON.stringify({ query: register, variables: { input } }), identified)
      expect(refusal(answer)).toEqual([400, 'BAD_USER_INPUT'])
      expect(answer.length).toBeLessThan(1000)
    }
  })

  it('of a subscription are limited, because they are in memory while it runs', async () => {
    const variables = { times: 1, houses: Array.from({ length: 5000 }, () => 'house-0001') }
    const answer = await send(
      JSON.stringify({ query: 'subscription ($times: Int!, $houses: [String!]) { houseSold(times: $times) { id } }', variables }),
      { ...sse, accept: 'text/event-stream' },
    )
    expect(answer.status).toBe(400)
  })
})

it('parameters of a GET request have the same limits', async () => {
  const url = new URL(running.graphql)
  url.searchParams.set('query', '{ who }')
  url.searchParams.set('variables', `{"x":${'['.repeat(300)}${']'.repeat(300)}}`)
  const response = await fetch(url, { headers: json })
  expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] }])
  const endless = await fetch(`${running.graphql}?query=${'x'.repeat(20_000)}`, { headers: json })
  expect(endless.status).toBe(431)
})

it('an Accept header of thousands of entries is answered', async () => {
  const accept = `${'a/b;q=0.1,'.repeat(1400)}application/json`
  expect((await send('{"query":"{ house(id: 1) { number } }"}', { ...json, accept })).body.data).toEqual({ house: { number: 1 } })
})

describe('a WebSocket client', () => {
  async function connected(initPayload?: unknown) {
    const socket = new WebSocket(running.socket, 'graphql-transport-ws')
    const messages: { type: string; id?: string; payload?: unknown }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    socket.on('error', () => undefined)
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'connection_init', payload: initPayload }))
    return { socket, messages, closed }
  }
  const operation = (members: string): string => `{"id":"1","type":"subscribe","payload":{"query":"{ house(id: 1) { number } }"${members}}}`

  it('is closed on an init that is nested or has many members, before the init is parsed', async () => {
    for (const payload of [{ x: JSON.parse(nested(30)) }, Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, 1]))])
      expect(await (await connected(payload)).closed).toBe(4400)
  })

  it('gets an error for a nested operation, and stays connected', async () => {
    const { socket, messages } = await connected()
    await expect.poll(() => messages.length).toBe(1)
    const longest = parsedLengths()
    socket.send(operation(`,"variables":{"x":${nested(50_000)}}`))
    await expect
      .poll(() => messages.at(-1))
      .toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'LIMIT_EXCEEDED', requestId: expect.any(String) } }] })
    socket.send(operation(`,"extensions":{"x":[${'{},'.repeat(20_000)}{}]}`))
    await expect.poll(() => messages.filter(({ type }) => type === 'error').length).toBe(2)
    expect(longest()).toBeLessThan(1000)
    socket.send(operation(''))
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: '1', type: 'complete' })
    socket.close()
  })

  it('may send 256 kB in a message, and 1 MiB with a verified key', async () => {
    const large = operation(`,"variables":{"x":"${'y'.repeat(500_000)}"}`)
    const anonymous = await connected()
    await expect.poll(() => anonymous.messages.length).toBe(1)
    anonymous.socket.send(large)
    expect(await anonymous.closed).toBe(1009)
    const keyed = await connected({ 'X-Service-API-Key': apiKey })
    await expect.poll(() => keyed.messages.length).toBe(1)
    for (let time = 0; time < 5; time += 1) keyed.socket.send(large.replace('"1"', `"${time}"`))
    await expect.poll(() => keyed.messages.filter(({ type }) => type === 'complete').length).toBe(5)
    keyed.socket.close()
  })

  it('is closed while an oversized message is still arriving', async () => {
    const { socket, messages, closed } = await connected()
    await expect.poll(() => messages.length).toBe(1)
    for (let part = 0; part < 10; part += 1) socket.send('x'.repeat(100_000), { fin: false })
    expect(await closed).toBe(1009)
  })

  it('may send many small messages', async () => {
    const { socket, messages } = await connected()
    await expect.poll(() => messages.length).toBe(1)
    for (let ping = 0; ping < 2000; ping += 1) socket.send(`{"type":"ping","payload":{"x":"${'y'.repeat(1000)}"}}`)
    await expect.poll(() => messages.length, { timeout: 10_000 }).toBe(2001)
    socket.close()
  })
})

it('memory use does not grow with refused requests', async () => {
  const bomb = zipped(`{"query":"subscription{quiet{id}}","x":${nested(12_000_000)}}`)
  const deep = `{"query":"{ who }","variables":{"x":${nested(100_000)}}}`
  await send(bomb, sse)
  const before = process.memoryUsage().heapUsed
  for (let round = 0; round < 10; round += 1) await Promise.all([send(bomb, sse), send(deep)])
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * mebibyte)
})
