import { gql, InMemoryCache } from '@apollo/client'
import { parse, validate } from 'graphql'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { typePolicies } from '../../../packages/civigraph-client/src/caches/apollo.ts'
import { InvalidInputError, UnauthenticatedError } from '../../../packages/civigraph-client/src/errors/civigraph-error.ts'
import { errorOf } from '../../../packages/civigraph-client/src/errors/refusals.ts'
import { createSession } from '../../../packages/civigraph-client/src/graphql/session.ts'
import { createSubscriptionClient } from '../../../packages/civigraph-client/src/graphql/subscription-client.ts'
import { clientSchema } from '../../support/clients/client-schema.ts'

const url = 'http://graph.test/graphql'
const refusal = (code: string, path?: readonly string[]) => ({ message: 'Refused', path, extensions: { code } })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The session's other cases (two tabs, a wrong clock, a token without refresh) are in session.test.ts. */
describe('a session that ends in the middle of a mutation', () => {
  it.each([
    ['before any field', 401, { errors: [refusal('UNAUTHENTICATED')] }],
    ['after the first field', 200, { data: { castVote: { value: 'AGREE' }, me: null }, errors: [refusal('UNAUTHENTICATED', ['me'])] }],
  ])('%s: is UnauthenticatedError, and the mutation is sent once', async (_, status, body) => {
    const sent: string[] = []
    const answer: typeof fetch = async (__, init) => {
      const { query } = JSON.parse(String(init?.body))
      sent.push(query)
      if (!/refreshSession/.test(query)) return Response.json(body, { status })
      return Response.json({ data: { refreshSession: null }, errors: [refusal('INVALID_CREDENTIALS', ['refreshSession'])] })
    }
    const session = createSession({ accessToken: 'token', refreshToken: 'refresh' }, { url, fetch: answer })
    const mutation = 'mutation { castVote { value } me { id } }'
    const response = await session.fetch(url, { method: 'POST', body: JSON.stringify({ query: mutation }) })
    const { errors } = (await response.json()) as { readonly errors: readonly [ReturnType<typeof refusal>] }
    expect(errorOf(errors[0], response.status)).toBeInstanceOf(UnauthenticatedError)
    expect(sent.filter((query) => query === mutation)).toHaveLength(1)
    // where nothing was executed, the session has ended
    if (status === 401) await expect(session.token()).rejects.toThrow(UnauthenticatedError)
  })
})

/** Never opens. */
class BrokenSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  static opened: number[] = []
  onclose?: (event: object) => void
  onerror?: (event: object) => void
  readonly readyState = 3
  constructor() {
    BrokenSocket.opened.push(Date.now())
    queueMicrotask(() => this.onclose?.({ code: 1006, reason: '' }))
  }
  close(): void {
    // closed already
  }
}

it('clients reconnect after an outage at different times', async () => {
  vi.useFakeTimers()
  const clients = Array.from({ length: 200 }, () =>
    createSubscriptionClient({ url: 'ws://graph.test/graphql', webSocketImpl: BrokenSocket }),
  )
  for (const client of clients)
    client.subscribe(
      { query: 'subscription { statisticsChanged { seq } }' },
      { next: () => undefined, error: () => undefined, complete: () => undefined },
    )
  await vi.advanceTimersByTimeAsync(120_000)
  const from = Date.now()
  BrokenSocket.opened = []
  await vi.advanceTimersByTimeAsync(30_000)
  expect(BrokenSocket.opened.length).toBeGreaterThanOrEqual(clients.length)
  expect(BrokenSocket.opened.length).toBeLessThanOrEqual(2 * clients.length)
  const bySecond = Map.groupBy(BrokenSocket.opened, (at) => Math.floor((at - from) / 1000))
  expect(Math.max(...[...bySecond.values()].map((each) => each.length))).toBeLessThan(clients.length / 4)
  for (const client of clients) void client.dispose()
})

it('the policies for Apollo Client join a thousand pages, no item twice', () => {
  const cache = new InMemoryCache({ typePolicies })
  const query = gql`query ($after: String) { expressions(after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }`
  for (let page = 0; page < 1000; page++) {
    // each page begins with the last item of the page before
    const nodes = [page, page + 1].map((id) => ({ __typename: 'Expression', id: String(id) }))
    const pageInfo = { __typename: 'PageInfo', endCursor: String(page + 1), hasNextPage: page < 999 }
    const variables = page === 0 ? {} : { after: String(page) }
    cache.writeQuery({ query, variables, data: { expressions: { __typename: 'ExpressionListConnection', nodes, pageInfo } } })
  }
  const stored = cache.readQuery<{ expressions: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean } } }>({ query })
  expect(stored?.expressions.nodes.map(({ id }) => Number(id))).toEqual(Array.from({ length: 1001 }, (_, id) => id))
  expect(stored?.expressions.pageInfo.hasNextPage).toBe(false)
})

it.each(['nodes', 'edges'])(
  'a list of %s that is read again is the same object, so that long lists stay fast; evicted items are omitted',
  (member) => {
    const cache = new InMemoryCache({ typePolicies })
    const query = parse(`{ expressions { ${member === 'nodes' ? 'nodes { id }' : 'edges { node { id } }'} } }`)
    const items = ['1', '2'].map((id) => ({ __typename: 'Expression', id }))
    const list = { nodes: { nodes: items }, edges: { edges: items.map((node) => ({ __typename: 'ExpressionListEdge', node })) } }[member]
    cache.writeQuery({ query, data: { expressions: { __typename: 'ExpressionListConnection', ...list } } })
    const existing = cache.extract().ROOT_QUERY?.expressions
    const read = (): unknown => {
      const policy = typePolicies.Query?.fields?.expressions
      const functions = { canRead: () => true, readField: (_: string, { node }: { readonly node: unknown }) => node }
      return typeof policy === 'object' ? policy.read?.(existing as never, functions as never) : undefined
    }
    expect(existing).toBeDefined()
    expect(read()).toBe(existing)
    cache.evict({ id: 'Expression:1' })
    expect(JSON.stringify(cache.readQuery({ query }))).toContain('"id":"2"')
    expect(JSON.stringify(cache.readQuery({ query }))).not.toContain('"id":"1"')
  },
)

it('a document with two fragments of different type on one field is InvalidInputError', () => {
  const document = parse(
    '{ node(id: "x") { ... on Expression { value: text } ... on MapPoint { value: lat } ... on Domain { value: depth } } }',
  )
  const [conflict] = validate(clientSchema, document).filter(({ message }) => /conflict/.test(message))
  expect(conflict?.message).toContain('value')
  // as the gateway reports it
  expect(errorOf({ message: String(conflict?.message), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }, 400)).toBeInstanceOf(
    InvalidInputError,
  )
  expect(errorOf({ message: 'Unknown', extensions: { code: 'OF_A_LATER_RELEASE' } }, 400)).toBeInstanceOf(InvalidInputError)
})
