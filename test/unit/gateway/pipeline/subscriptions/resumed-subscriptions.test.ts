import type { GraphQLFormattedError } from 'graphql'
import { createClient as createSseClient } from 'graphql-sse'
import { type Client, createClient } from 'graphql-ws'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createExecutor, type Executor } from '../../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../../../gateway/supergraph/supergraph.ts'
import { resumable } from '../../../../../packages/civigraph-client/src/graphql/resumable.ts'
import { type Library, library, librarySdl } from '../../../../support/gateway/library.ts'
import { recordedLog, type Served, serve } from '../../../../support/gateway/town.ts'

const supergraph = composeSupergraph(Object.entries(librarySdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
const query = 'subscription { lent { seq book { stars } } }'

type Lent = { readonly lent: { readonly seq: number } }
type Cursor = { readonly cursor: string }
interface Event {
  readonly data?: Lent | null | undefined
  readonly errors?: readonly GraphQLFormattedError[] | undefined
  readonly extensions?: Cursor | undefined
}

let books: Library
let served: Served
/** creates an executor over its own sources */
let executorOf: () => Executor
const open: Client[] = []
const start = (port = 0): Promise<Served> =>
  serve({ executor: executorOf(), log: recordedLog().log, async [Symbol.asyncDispose]() {} }, { port })
beforeEach(async () => {
  books = library()
  executorOf = () => {
    const sources = {
      shelves: inProcessSource({ schema: books.schemas.shelves }),
      readers: inProcessSource({ schema: books.schemas.readers }),
    }
    return createExecutor({ supergraph, sources, eventTimeoutMs: 2000 })
  }
  served = await start()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.dispose()))
  await served[Symbol.asyncDispose]()
})

const connect = (): Client => {
  const client = createClient({
    url: served.socket,
    webSocketImpl: WebSocket,
    retryAttempts: 100,
    retryWait: () => new Promise((go) => setTimeout(go, 20)),
  })
  open.push(client)
  return client
}

interface Listening {
  readonly events: Event[]
  readonly numbers: () => readonly (number | undefined)[]
  end: unknown
}
function listen(client: Pick<Client, 'subscribe'>, payload: Parameters<Client['subscribe']>[0]): Listening {
  const events: Event[] = []
  const listening: Listening = { events, numbers: () => events.map(({ data }) => data?.lent.seq), end: undefined }
  client.subscribe<Lent, Cursor>(payload, {
    next: (event) => void events.push(event),
    error: (error) => {
      listening.end = error
    },
    complete: () => {
      listening.end = 'complete'
    },
  })
  return listening
}

/** Returns the errors of a refused subscription: of its error message, or of its first and only result. */
const refusal = ({ end, events }: Listening): unknown => (end === 'complete' ? events[0]?.errors : end)

/** Lends books until an event arrives: then the subscription runs. */
const waitForEvent = (listening: Listening) =>
  expect
    .poll(() => {
      if (listening.events.length === 0) books.lend()
      return listening.events.length
    })
    .toBeGreaterThan(0)
const upTo = (last: number, first = 1): readonly number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a subscription with numbered events', () => {
  it('resumes after the cursor of the last event, from the memory of the gateway or from the subgraph', async () => {
    const client = connect()
    const first = listen(client, { query: 'subscription { lent(after: 0) { book { title } } }' })
    for (const book of ['1', '2', '3']) books.lend(book)
    await expect.poll(() => first.events).toHaveLength(3)
    expect(first.events[0]).toEqual({ data: { lent: { book: { title: 'Book 1' } } }, extensions: { cursor: expect.any(String) } })
    const [one, two] = first.events.map(({ extensions }) => extensions?.cursor ?? '')
    const same = listen(client, { query: 'subscription { lent(after: 0) { book { title } } }', extensions: { cursor: two } })
    await expect.poll(() => same.events).toEqual(first.events.slice(2))
    expect(books.streams).toEqual([0])
    const other = listen(client, { query, extensions: { cursor: one } })
    await expect.poll(other.numbers).toEqual([2, 3])
    expect(books.streams).toEqual([0, 1])
    books.lend()
    await expect.poll(() => [first.events.length, same.events.length, other.numbers()]).toEqual([4, 2, [2, 3, 4]])
  })

  it('resumes whatever names its client uses', async () => {
    const named = 'subscription ($civigraph_after: Int) { lent(after: $civigraph_after) { civigraph_seq: __typename seq book { title } } }'
    const listening = listen(connect(), { query: named, variables: { civigraph_after: 0 } })
    books.lend('1')
    await expect.poll(() => listening.events).toHaveLength(1)
    expect(listening.events[0]).toEqual({
      data: { lent: { civigraph_seq: expect.any(String), seq: 1, book: { title: 'Book 1' } } },
      extensions: { cursor: expect.any(String) },
    })
  })

  it.each([
    ['is not a cursor', 'nonsense', 'MALFORMED'],
    ['belongs to another subscription', Buffer.from('["other",1]').toString('base64url'), 'MALFORMED'],
    ['has an invalid number', Buffer.from('["lent","one"]').toString('base64url'), 'MALFORMED'],
    ['is not a string', 7, 'BAD_REQUEST'],
  ])('is refused with a cursor that %s', async (_, cursor, code) => {
    const listening = listen(connect(), { query, extensions: { cursor } })
    await expect.poll(() => refusal(listening)).toMatchObject([{ extensions: { code } }])
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
    const answer = await fetch(served.graphql, { method: 'POST', headers, body: JSON.stringify({ query, extensions: { cursor } }) })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code } }] })
  })

  it('reports events after the cursor that are no longer stored, and cursors of subscriptions that cannot be resumed', async () => {
    const client = connect()
    const listening = listen(client, { query })
    await waitForEvent(listening)
    const cursor = listening.events[0]?.extensions?.cursor
    books.lend()
    books.lend()
    books.forget(books.lent() - 1)
    const late = listen(client, { query: `${query} # of another client`, extensions: { cursor } })
    await expect.poll(() => late.end).toBe('complete')
    expect(late.events).toMatchObject([{ errors: [{ extensions: { code: 'CURSOR_TOO_OLD' } }] }])
    const never = listen(client, { query: 'subscription { opened { id } }', extensions: { cursor } })
    await expect.poll(() => refusal(never)).toMatchObject([{ extensions: { code: 'MALFORMED' } }])
  })

  it('has the cursor as the id of each server-sent event, and resumes after Last-Event-ID', async () => {
    const end = new AbortController()
    const post = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(served.graphql, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
        body: JSON.stringify({ query: 'subscription { lent(after: 0) { seq } }' }),
        signal: end.signal,
      })
    const readUntil = async (answer: Response, pattern: RegExp): Promise<string> => {
      let text = ''
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if (pattern.test(text)) break
      }
      return text
    }
    for (let time = 0; time < 3; time += 1) books.lend()
    const events = await readUntil(await post({}), /"seq":3/)
    const [, second = ''] = [...events.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id)
    expect(await readUntil(await post({ 'last-event-id': second }), /"seq":3/)).not.toMatch(/"seq":[12]/)
    end.abort()
    const client = createSseClient({ url: served.graphql, retryAttempts: 0 })
    for await (const event of client.iterate({ query, extensions: { cursor: second } })) {
      expect(event).toMatchObject({ data: { lent: { seq: 3 } } })
      break
    }
    client.dispose()
  })
})

describe('a resumable client of graphql-ws', () => {
  it('misses and repeats no event when its connection is cut', async () => {
    const client = connect()
    const listening = listen(resumable(client), { query })
    await waitForEvent(listening)
    const [first = 0] = listening.numbers()
    for (let time = 0; time < 5; time += 1) {
      client.terminate()
      for (let book = 0; book < 3; book += 1) books.lend()
      await expect.poll(listening.numbers).toEqual(upTo(books.lent(), first))
    }
    expect(listening.end).toBeUndefined()
  })

  it('misses no event while the gateway is unavailable, and ends when it is stopped', async () => {
    const client = connect()
    const listening = listen(resumable(client), { query })
    await waitForEvent(listening)
    const [first = 0] = listening.numbers()
    const port = Number(new URL(served.graphql).port)
    await served[Symbol.asyncDispose]()
    for (let book = 0; book < 3; book += 1) books.lend()
    served = await start(port)
    await expect.poll(listening.numbers).toEqual(upTo(books.lent(), first))
    expect(listening.end).toBeUndefined()
  })

  it('continues when a new supergraph answers it from another subgraph', async () => {
    const listening = listen(resumable(connect()), { query: 'subscription { lent { seq book { title } } }' })
    await waitForEvent(listening)
    const [first = 0] = listening.numbers()
    books.lend()
    await served.gateway.reload(executorOf())
    for (let book = 0; book < 3; book += 1) books.lend()
    await expect.poll(listening.numbers).toEqual(upTo(books.lent(), first))
    expect(listening.end).toBeUndefined()
  })

  it('can be iterated across cuts until its reader stops', async () => {
    const client = connect()
    const numbers: number[] = []
    const lending = setInterval(() => books.lend(), 20)
    try {
      for await (const { data } of resumable(client).iterate<{ lent: { seq: number } }>({ query })) {
        numbers.push(data?.lent.seq ?? Number.NaN)
        if (numbers.length % 3 === 0) client.terminate()
        if (numbers.length === 10) break
      }
    } finally {
      clearInterval(lending)
    }
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => (numbers[0] ?? 0) + index))
  })

  it('receives the error that ends a subscription permanently', async () => {
    const listening = listen(resumable(connect()), { query: 'subscription { nothing }' })
    await expect.poll(() => listening.end).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
  })
})
