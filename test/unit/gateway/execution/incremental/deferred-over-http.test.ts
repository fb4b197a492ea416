import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { createClient as createEventsClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { layouts, type RunningGateway, startGateway } from '../../../../support/gateway/town.ts'

const multipart = 'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9'
const post = (url: string, accept: string, query: string, signal?: AbortSignal): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
    ...(signal === undefined ? {} : { signal }),
  })

/** Returns the results in the body of a multipart response. */
const resultsIn = (text: string): readonly unknown[] =>
  text.split('\r\n--graphql').flatMap((part) => (part.includes('{') ? [JSON.parse(part.slice(part.indexOf('{')))] : []))

const house = '{ house(id: "1") { id ... @defer(label: "owner") { owner { name ... @defer(label: "letters") { letters { text } } } } } }'
const houseInParts = [
  { data: { house: { id: '1' } }, hasNext: true },
  { incremental: [{ data: { owner: { name: 'Name of p1' } }, path: ['house'], label: 'owner' }], hasNext: true },
  {
    incremental: [{ data: { letters: [{ text: 'Letter 0' }, { text: 'Letter 1' }] }, path: ['house', 'owner'], label: 'letters' }],
    hasNext: false,
  },
]
const wholeHouse = { house: { id: '1', owner: { name: 'Name of p1', letters: [{ text: 'Letter 0' }, { text: 'Letter 1' }] } } }

describe.each(layouts)('deferred parts over HTTP and WebSocket, subgraphs %s', (layout) => {
  let running: RunningGateway
  beforeAll(async () => {
    running = await startGateway(layout)
  })
  afterAll(() => running[Symbol.asyncDispose]())

  it.each([
    ['deferSpec=20220824', new Defer20220824Handler()],
    // its types do not support exactOptionalPropertyTypes
    ['incrementalSpec=v0.2', new GraphQL17Alpha9Handler() as unknown as Defer20220824Handler],
  ])('are assembled by Apollo Client, which requests %s', async (_, incrementalHandler) => {
    const client = new ApolloClient({ link: new HttpLink({ uri: running.graphql }), cache: new InMemoryCache(), incrementalHandler })
    const states: { readonly data: unknown; readonly dataState: string }[] = []
    await new Promise<void>((resolve, reject) => {
      client.watchQuery({ query: gql(house), fetchPolicy: 'no-cache' }).subscribe({
        error: reject,
        next: ({ data, dataState, error, loading }) => {
          if (error !== undefined) return reject(error)
          if (data !== undefined) states.push({ data: structuredClone(data), dataState })
          if (!loading && dataState === 'complete') resolve()
        },
      })
    })
    expect(states[0]).toMatchObject({ data: { house: { id: '1' } }, dataState: 'streaming' })
    expect(states[0]?.data).not.toHaveProperty('house.owner')
    expect(states.at(-1)).toMatchObject({ data: wholeHouse, dataState: 'complete' })
    client.stop()
  })

  it('arrive over multipart in order of completion, also by GET', async () => {
    const answer = await post(running.graphql, multipart, house)
    expect(answer.headers.get('content-type')).toBe('multipart/mixed;boundary="graphql";deferSpec=20220824')
    expect(resultsIn(await answer.text())).toEqual(houseInParts)
    const byGet = await fetch(`${running.graphql}?query=${encodeURIComponent(house)}`, {
      headers: { accept: 'multipart/mixed', 'apollo-require-preflight': 'true' },
    })
    expect(resultsIn(await byGet.text())).toEqual(houseInParts)
  })

  it('have ids if the client requests that format', async () => {
    const answer = await post(running.graphql, 'multipart/mixed;incrementalSpec=v0.2', house)
    expect(resultsIn(await answer.text())).toEqual([
      { data: { house: { id: '1' } }, pending: [{ id: '0', path: ['house'], label: 'owner' }], hasNext: true },
      {
        pending: [{ id: '1', path: ['house', 'owner'], label: 'letters' }],
        incremental: [{ id: '0', data: { owner: { name: 'Name of p1' } } }],
        completed: [{ id: '0' }],
        hasNext: true,
      },
      {
        incremental: [{ id: '1', data: { letters: [{ text: 'Letter 0' }, { text: 'Letter 1' }] } }],
        completed: [{ id: '1' }],
        hasNext: false,
      },
    ])
  })

  it('arrive as events at graphql-sse and as messages at graphql-ws', async () => {
    const events = createEventsClient({ url: running.graphql, retryAttempts: 0 })
    expect(await Array.fromAsync(events.iterate({ query: house }))).toEqual(houseInParts)
    events.dispose()
    const socket = createSocketClient({ url: running.socket, webSocketImpl: WebSocket, retryAttempts: 0 })
    expect(await Array.fromAsync(socket.iterate({ query: house }))).toEqual(houseInParts)
    await socket.dispose()
  })

  it('are in one response for a client that accepts no parts, and when none remain', async () => {
    const single = await post(running.graphql, 'application/json', house)
    expect(await single.json()).toEqual({ data: wholeHouse })
    const plain = await post(running.graphql, multipart, '{ house(id: "none") { id ... @defer { street } } }')
    expect(plain.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')
    expect(await plain.json()).toEqual({ data: { house: null } })
  })

  it('do not delay the first result, and are not fetched for a disconnected client', async () => {
    const connection = new AbortController()
    const before = running.town.seen.aborted.length
    const answer = await post(running.graphql, multipart, '{ house(id: "1") { id } ... @defer { slow } }', connection.signal)
    const { value } = await (answer.body?.getReader().read() ?? { value: undefined })
    expect(resultsIn(new TextDecoder().decode(value))).toEqual([{ data: { house: { id: '1' } }, hasNext: true }])
    expect(running.town.seen.aborted.length).toBe(before)
    connection.abort()
    await expect.poll(() => running.town.seen.aborted.slice(before)).toEqual(['slow'])
  })

  it('have an error in place of data that does not arrive in time', async () => {
    const answer = await post(running.graphql, multipart, '{ house(id: "1") { id } ... @defer { slow } }')
    expect(resultsIn(await answer.text())).toMatchObject([
      { data: { house: { id: '1' } }, hasNext: true },
      {
        incremental: [{ path: [], data: { slow: null }, errors: [{ extensions: { code: 'DEADLINE_EXCEEDED' } }] }],
        hasNext: false,
      },
    ])
  })

  it('may contain the boundary of a part', async () => {
    const query = String.raw`{ house(id: "1") { id } ... @defer { person(code: "\r\n--graphql--\r\n") { name } } }`
    const client = new ApolloClient({
      link: new HttpLink({ uri: running.graphql }),
      cache: new InMemoryCache(),
      incrementalHandler: new Defer20220824Handler(),
    })
    const { data } = await client.query({ query: gql(query), fetchPolicy: 'no-cache' })
    expect(data).toMatchObject({ person: { name: 'Name of \r\n--graphql--\r\n' } })
    client.stop()
  })

  it('are refused in a single response', async () => {
    const answer = await post(
      running.graphql,
      'multipart/mixed;deferSpec=20220824',
      'mutation { ... @defer { sealed(input: { selfie: "", back: "" }) } }',
    )
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: [{ message: '@defer cannot be used at the root of a mutation.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    ])
  })

  it('are refused above the limit on their number, counting fragments at each spread', async () => {
    const many = `{ house(id: "1") { ${'...H '.repeat(21)} } } fragment H on House { ... @defer { street } }`
    const deep = `{ person(code: "1") { ...P } } fragment P on Person { ${'... @defer { '.repeat(24)} name ${'} '.repeat(24)} }`
    for (const query of [many, deep]) {
      const answer = await post(running.graphql, multipart, query)
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { errors: [{ message: 'The operation has more than 20 deferred fragments', extensions: { code: 'LIMIT_EXCEEDED' } }] },
      ])
    }
  })
})
