import { type AnyVariables, Client, fetchExchange, gql, type OperationResult, type TypedDocumentNode } from '@urql/core'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { urqlSubscriptions } from '../support/clients/graphql-ws-transports.ts'
import { library, librarySdl } from '../support/gateway/library.ts'
import { startServed } from '../support/gateway/town.ts'

const books = library()
let served: Awaited<ReturnType<typeof startServed>>
beforeAll(async () => {
  served = await startServed('in process', librarySdl, books.schemas)
})
afterAll(() => served[Symbol.asyncDispose]())

/** urql with the graphql-ws setup of its documentation. */
function clientOf() {
  /** content types of the responses */
  const types: (string | undefined)[] = []
  const socket = createClient({ url: served.socket, webSocketImpl: WebSocket })
  const client = new Client({
    url: served.graphql,
    preferGetMethod: false,
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      types.push(answer.headers.get('content-type')?.split(';')[0])
      return answer
    },
    exchanges: [fetchExchange, urqlSubscriptions(socket)],
  })
  return { client, types, [Symbol.asyncDispose]: async () => socket.dispose() }
}

it('runs queries and mutations', async () => {
  await using urql = clientOf()
  const { data, error } = await urql.client.query(gql`query ($id: ID!) { book(id: $id) { title stars } }`, { id: '3' })
  expect([data, error]).toEqual([{ book: { title: 'Book 3', stars: 3 } }, undefined])
  const before = books.lent()
  const lent = await urql.client.mutation(gql`mutation ($id: ID!) { lend(id: $id) { id stars } }`, { id: '4' })
  expect(lent.data).toEqual({ lend: { id: '4', stars: 4 } })
  expect(books.lent()).toBe(before + 1)
  // urql accepts event streams and multipart, too; its abort would reject a stream that continues after the result
  expect(urql.types).toEqual(['application/graphql-response+json', 'application/graphql-response+json'])
})

it('receives an error with its code', async () => {
  await using urql = clientOf()
  const { error } = await urql.client.query(gql`{ nothing }`, {})
  expect(error?.graphQLErrors.map(({ extensions }) => extensions.code)).toEqual(['GRAPHQL_VALIDATION_FAILED'])
})

/** Collects the states of an operation until `isLast` returns true. */
function states<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables> | ReturnType<typeof gql>,
  isLast: (result: OperationResult, count: number) => boolean,
): Promise<readonly OperationResult[]> {
  const kind = /^\s*subscription/.test(String(document.loc?.source.body)) ? 'subscription' : 'query'
  return new Promise((resolve) => {
    const states: OperationResult[] = []
    const { unsubscribe } = client[kind](document, {}).subscribe((result) => {
      states.push(structuredClone({ ...result, operation: undefined, error: result.error?.message }) as unknown as OperationResult)
      if (isLast(result, states.length)) {
        queueMicrotask(() => unsubscribe())
        resolve(states)
      }
    })
  })
}

it('follows events over graphql-ws, completed by another subgraph', async () => {
  await using urql = clientOf()
  const results = states(urql.client, gql`subscription { lent { seq book { title stars } } }`, (_, count) => count === 2)
  await expect.poll(() => books.streams.length).toBe(1)
  const first = books.lent() + 1
  books.lend('5')
  books.lend('6')
  expect((await results).map(({ data }) => data)).toMatchObject([
    { lent: { seq: first, book: { title: 'Book 5', stars: 5 } } },
    { lent: { seq: first + 1, book: { title: 'Book 6', stars: 6 } } },
  ])
})

it('merges deferred fragments', async () => {
  await using urql = clientOf()
  const results = await states(urql.client, gql`query { book(id: "8") { title ... on Book @defer { stars } } }`, ({ hasNext }) => !hasNext)
  expect(results[0]).toMatchObject({ data: { book: { title: 'Book 8' } }, hasNext: true })
  expect(results[0]?.data.book).not.toHaveProperty('stars')
  expect(results.at(-1)).toMatchObject({ data: { book: { title: 'Book 8', stars: 8 } }, hasNext: false })
  expect(urql.types).toEqual(['multipart/mixed'])
})
