import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Backlog } from '../../../../../foundation/http/backlog.ts'
import type { Subscriber } from '../../../../../gateway/pipeline/subscriptions/subscriber.ts'
import { resultStream } from '../../../../../gateway/protocols/graphql-http/response-stream.ts'
import { streamFormat } from '../../../../../gateway/protocols/graphql-http/subscription-format.ts'
import { apiKey, layouts, type RunningGateway, startGateway } from '../../../../support/gateway/town.ts'

const sse = { 'content-type': 'application/json', accept: 'text/event-stream' }
const multipart = { 'content-type': 'application/json', accept: 'multipart/mixed;subscriptionSpec="1.0", application/json' }

const post = (url: string, headers: Readonly<Record<string, string>>, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) })

const sold = 'subscription ($times: Int) { sold: houseSold(times: $times) { id owner { name } } }'
const soldTwice = [
  { data: { sold: { id: '1', owner: { name: 'Name of p1' } } } },
  { data: { sold: { id: '2', owner: { name: 'Name of p2' } } } },
]

describe.each(layouts)('subscriptions in HTTP responses, subgraphs %s', (layout) => {
  let running: RunningGateway
  beforeAll(async () => {
    running = await startGateway(layout)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it('arrive at graphql-sse, and end at the source when it unsubscribes', async () => {
    const client = createClient({ url: running.graphql, retryAttempts: 0 })
    const received: unknown[] = []
    for await (const event of client.iterate({ query: sold, variables: { times: 2 } })) received.push(event)
    expect(received).toEqual(soldTwice)

    const before = running.town.seen.ended.length
    for await (const event of client.iterate({ query: 'subscription { quiet { id } }' })) {
      expect(event).toEqual({ data: { quiet: { id: '1' } } })
      break
    }
    await expect.poll(() => running.town.seen.ended.slice(before)).toEqual(['quiet'])
    client.dispose()
  })

  it('arrive at Apollo Client over multipart', async () => {
    const client = new ApolloClient({ link: new HttpLink({ uri: running.graphql }), cache: new InMemoryCache() })
    const query = gql`subscription ($times: Int) { sold: houseSold(times: $times) { id owner { name } } }`
    const received = await new Promise<unknown[]>((resolve, reject) => {
      const events: unknown[] = []
      client
        .subscribe({ query, variables: { times: 2 } })
        .subscribe({ next: ({ data }) => void events.push(data), error: reject, complete: () => resolve(events) })
    })
    expect(received).toMatchObject(soldTwice.map(({ data }) => data))
    client.stop()
  })

  it('share one stream of the subgraph across protocols', async () => {
    const before = running.town.seen.ended.length
    const ends = [new AbortController(), new AbortController()]
    const [one, other] = await Promise.all(
      [sse, multipart].map((headers, at) =>
        post(running.graphql, headers, { query: 'subscription { quiet { id street } }' }, ends[at]?.signal),
      ),
    )
    expect([one?.headers.get('content-type'), other?.headers.get('content-type')]).toEqual([
      'text/event-stream; charset=utf-8',
      'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
    ])
    // the first event arrives on either connection: there is only one
    await Promise.race([one, other].map((answer) => until(answer, /"quiet"/).catch(() => undefined)))
    for (const end of ends) end.abort()
    await expect.poll(() => running.town.seen.ended.slice(before)).toEqual(['quiet'])
  })
})

describe('a stream of results', () => {
  const refused: Readonly<Record<string, readonly [headers: object, body: unknown, status: number, code: string]>> = {
    'an invalid document': [sse, { query: 'subscription { nothing }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    'a subscription that its subgraph refuses': [sse, { query: 'subscription { refused { id } }' }, 400, 'NOT_FOUND'],
    'invalid variables': [multipart, { query: sold, variables: { times: 'many' } }, 400, 'BAD_USER_INPUT'],
    'variables that are a list': [sse, { query: sold, variables: [1] }, 400, 'BAD_REQUEST'],
    'invalid credentials': [{ ...sse, 'x-service-api-key': 'wrong' }, { query: sold }, 401, 'UNAUTHENTICATED'],
    'a subscription that requests a single result': [{ 'content-type': 'application/json' }, { query: sold }, 400, 'BAD_REQUEST'],
  }
  it.each(Object.entries(refused))('refuses %s with a single JSON response', async (_, [headers, body, status, code]) => {
    await using running = await startGateway('in process')
    const answer = await post(running.graphql, headers as Record<string, string>, body)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/json/)
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code } }] })
  })

  it('is not used for a query whose client accepts JSON', async () => {
    await using running = await startGateway('in process')
    const answer = await post(
      running.graphql,
      { ...sse, accept: 'text/event-stream, application/json' },
      { query: '{ house(id: "4") { id } }' },
    )
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual({ data: { house: { id: '4' } } })
  })

  it('answers a query by POST and by GET', async () => {
    await using running = await startGateway('in process')
    const text = ':\n\nevent: next\ndata: {"data":{"house":{"id":"4"}}}\n\nevent: complete\ndata: \n\n'
    const query = 'query ($id: ID!) { house(id: $id) { id } }'
    const answer = await post(running.graphql, sse, { query, variables: { id: '4' } })
    expect([answer.status, await answer.text()]).toEqual([200, text])
    const parameters = new URLSearchParams({ query, variables: '{"id":"4"}' })
    const headers = { accept: 'text/event-stream', 'apollo-require-preflight': '1' }
    expect(await (await fetch(`${running.graphql}?${parameters}`, { headers })).text()).toBe(text)
  })

  it('ends with a reason when the token expires', async () => {
    await using running = await startGateway('in process')
    const headers = { ...sse, authorization: 'Bearer good-for-1s' }
    const text = await (await post(running.graphql, headers, { query: 'subscription { quiet { id } }' })).text()
    expect(text).toMatch(/data: \{"errors":\[\{"message":"The token has expired.*"code":"UNAUTHENTICATED".*\n\nevent: complete/)
    const parts = await (await post(running.graphql, { ...headers, ...multipart }, { query: 'subscription { quiet { id } }' })).text()
    expect(parts).toMatch(/\{"payload":null,"errors":\[\{"message":"The token has expired.*\}\r\n--graphql--\r\n$/)
  })

  it('completes when the gateway drains', async () => {
    await using running = await startGateway('in process')
    const answer = await post(running.graphql, { ...sse, 'x-service-api-key': apiKey }, { query: 'subscription { quiet { id } }' })
    let text = ''
    const write = (chunk: string): void => {
      text += chunk
    }
    const ended = answer.body?.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }))
    await expect.poll(() => text).toContain('"quiet"')
    await running.gateway.stop()
    await ended
    expect(text).toMatch(/"quiet"[\s\S]*event: complete\ndata: \n\n$/)
  })

  it('is refused with 503 above the limit on open streams', async () => {
    await using running = await startGateway('in process', { maxSubscribers: 1 })
    const end = new AbortController()
    const first = await post(running.graphql, sse, { query: 'subscription { quiet { id } }' }, end.signal)
    expect(first.status).toBe(200)
    const second = await post(running.graphql, sse, { query: sold })
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5'])
    end.abort()
    await expect.poll(async () => (await post(running.graphql, sse, { query: sold })).status).toBe(200)
  })

  it('is cut for a client that does not read: when its backlog is too large, or when it reads nothing for too long', async () => {
    const limits = { highWaterBytes: 1000, maxBytes: 200_000, heartbeatMs: 50 }
    const format = streamFormat('text/event-stream')
    if (format === undefined) throw new Error('there is no such format')
    for (const waiting of [Number.POSITIVE_INFINITY, 100_000]) {
      const ended = Promise.withResolvers<void>()
      await using listener = await listening((_, response) => {
        const stream = resultStream(response, format, {}, ended.resolve, new Backlog(), limits)
        const event = JSON.stringify({ data: { text: 'x'.repeat(20_000) } })
        const go = (): void => {
          if (response.destroyed || response.writableLength > waiting) return
          void stream.deliver(event)
          setImmediate(go)
        }
        go()
      })
      const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined)
      socket.pause()
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      await ended.promise
      socket.destroy()
    }
  })

  it('delivers one event above the limit of its backlog to a client that reads', async () => {
    const limits = { highWaterBytes: 1000, maxBytes: 200_000, heartbeatMs: 10_000 }
    const format = streamFormat('text/event-stream')
    if (format === undefined) throw new Error('there is no such format')
    const event = JSON.stringify({ data: { text: 'x'.repeat(300_000) } })
    await using listener = await listening((_, response) => {
      const stream = resultStream(response, format, {}, () => undefined, new Backlog(), limits)
      // the opening has left by then
      setTimeout(() => {
        void stream.deliver(event)
        stream.end()
      }, 20)
    })
    const text = await (await fetch(`http://127.0.0.1:${listener.port}`)).text()
    expect(text.length).toBeGreaterThan(300_000)
  })

  it('is cut for clients that do not read when the total backlog is too large, and for no others', async () => {
    const backlog = new Backlog(1_000_000)
    const limits = { highWaterBytes: 1000, maxBytes: 100_000_000, heartbeatMs: 10_000 }
    const format = streamFormat('text/event-stream')
    if (format === undefined) throw new Error('there is no such format')
    const responses: ServerResponse[] = []
    const streams: Subscriber[] = []
    await using listener = await listening((_, response) => {
      responses.push(response)
      streams.push(resultStream(response, format, {}, () => undefined, backlog, limits))
    })
    const sockets = Array.from({ length: 5 }, () => connect(listener.port, '127.0.0.1').on('error', () => undefined))
    const [reader, ...others] = sockets
    reader?.resume()
    for (const socket of others) socket.pause()
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => streams.length).toBe(5)
    const event = JSON.stringify({ data: { text: 'x'.repeat(100_000) } })
    const cut = (): number => responses.filter(({ destroyed }) => destroyed).length
    await expect
      .poll(
        () => {
          for (const stream of streams) void stream.deliver(event)
          return cut()
        },
        { timeout: 20_000, interval: 1 },
      )
      .toBe(4)
    expect(Math.max(...responses.map(({ writableLength }) => writableLength))).toBeLessThan(2_000_000)
    for (const socket of sockets) socket.destroy()
  })
})

/** Reads until the text matches. */
async function until(answer: Response | undefined, pattern: RegExp): Promise<void> {
  const reader = answer?.body?.getReader()
  const decoder = new TextDecoder()
  for (let text = ''; reader !== undefined && !pattern.test(text); ) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`it ended with ${text}`)
    text += decoder.decode(value, { stream: true })
  }
}

async function listening(handler: RequestListener): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
