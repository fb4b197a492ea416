import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { type DocumentNode, OperationTypeNode, parse } from 'graphql'
import type { Client as SubscriptionClient } from 'graphql-ws'
import {
  commitMutation,
  Environment,
  fetchQuery,
  type GraphQLSingularResponse,
  Network,
  RecordSource,
  requestSubscription,
  Store,
} from 'relay-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { possibleTypes, typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { keys, resolvers, schema } from '../../packages/civigraph-client/src/caches/graphcache.ts'
import { getDataID } from '../../packages/civigraph-client/src/caches/relay.ts'
import { type Session, signIn } from '../../packages/civigraph-client/src/graphql/session.ts'
import { accountOf } from '../support/clients/content-client.ts'
import { relaySubscriptions, urqlSubscriptions } from '../support/clients/graphql-ws-transports.ts'
import { postExpression } from '../support/clients/post-expression.ts'
import { clientArtifacts, type RelayArtifacts } from '../support/clients/relay-artifacts.ts'
import { type System, startPlatform } from '../support/processes/platform.ts'

const operations = {
  pageListQuery: `query pageListQuery($after: String) {
    expressions(first: 2, after: $after) { nodes { id text } pageInfo { endCursor hasNextPage } } }`,
  pageMeQuery: 'query pageMeQuery { me { id email } }',
  pageVoteMutation: `mutation pageVoteMutation($input: CastVoteInput!) {
    castVote(input: $input) { expression { id myVote votes { agree total } } } }`,
  pageAddedSubscription: 'subscription pageAddedSubscription { expressionAdded { seq expression { id text } } }',
} as const
type Operation = keyof typeof operations
type Variables = Record<string, unknown>

/** What a page does with a client library. */
interface Visitor {
  query(operation: Operation, variables?: Variables): Promise<unknown>
  mutate(operation: Operation, variables: Variables): Promise<unknown>
  /** Passes on the data of each event. @param ended - called when the subscription ends */
  subscribe(operation: Operation, next: (data: unknown) => void, ended: () => void): void
}

interface Access {
  readonly url: string
  readonly fetch: Session['fetch']
  readonly socket: SubscriptionClient
  artifactOf(operation: Operation): ReturnType<RelayArtifacts['of']>
}

const documentOf = (operation: Operation): DocumentNode => parse(operations[operation])

/** The client libraries, each over one session as the package documents. */
const libraries: readonly (readonly [string, (access: Access) => Visitor])[] = [
  ['Apollo Client', apollo],
  ['urql', urql],
  ['Relay', relay],
]

function apollo({ url, fetch, socket }: Access): Visitor {
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    new HttpLink({ uri: url, fetch }),
  )
  const client = new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
  return {
    query: async (name, variables = {}) =>
      (await client.query({ query: documentOf(name), variables, fetchPolicy: 'network-only', errorPolicy: 'all' })).data,
    mutate: async (name, variables) => (await client.mutate({ mutation: documentOf(name), variables })).data,
    subscribe: (name, next, ended) =>
      void client.subscribe({ query: documentOf(name) }).subscribe({
        next: ({ data, error }) => (error === undefined ? next(data) : ended()),
        error: ended,
        complete: ended,
      }),
  }
}

function urql({ url, fetch, socket }: Access): Visitor {
  const client = new Client({
    url,
    fetch,
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys, schema, resolvers }), fetchExchange, urqlSubscriptions(socket)],
  })
  return {
    query: async (name, variables = {}) => (await client.query(documentOf(name), variables, { requestPolicy: 'network-only' })).data,
    mutate: async (name, variables) => (await client.mutation(documentOf(name), variables)).data,
    subscribe: (name, next, ended) =>
      void client.subscription(documentOf(name), {}).subscribe(({ data, error }) => (error === undefined ? next(data) : ended())),
  }
}

function relay({ url, fetch, socket, artifactOf }: Access): Visitor {
  const network = Network.create(async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return (await response.json()) as GraphQLSingularResponse
  }, relaySubscriptions(socket))
  const environment = new Environment({ network, store: new Store(new RecordSource()), getDataID })
  return {
    query: async (name, variables = {}) =>
      fetchQuery(environment, await artifactOf(name), variables, { fetchPolicy: 'network-only' }).toPromise(),
    mutate: async (name, variables) => {
      const mutation = await artifactOf(name)
      return new Promise((resolve, reject) => {
        commitMutation(environment, { mutation, variables, onCompleted: resolve, onError: reject })
      })
    },
    subscribe: (name, next, ended) =>
      void artifactOf(name).then((subscription) =>
        requestSubscription(environment, { subscription, variables: {}, onNext: next, onError: ended, onCompleted: ended }),
      ),
  }
}

const List = z.object({
  expressions: z.object({ nodes: z.array(z.object({ id: z.string() })), pageInfo: z.object({ endCursor: z.string() }) }),
})

const Me = z.object({ me: z.unknown() }).nullish()

let system: System
let artifacts: RelayArtifacts
beforeAll(async () => {
  system = await startPlatform({ workers: ['exploration', 'classification'] })
  artifacts = clientArtifacts(Object.values(operations))
  for (let number = 1; number <= 4; number++)
    expect(await postExpression(system, { text: `The street lamp ${number} is broken` })).toMatchObject({ status: 201 })
})
afterAll(async () => {
  artifacts?.[Symbol.dispose]()
  await system?.stop()
})

describe.each(libraries)('%s over one session', (name, open) => {
  it('signs in, pages, votes, follows and signs out', async () => {
    const account = await accountOf(system, 'super_admin')
    const session = await signIn(account, { url: system.graphqlUrl })
    const socket = session.subscriptions({ url: system.graphqlUrl.replace('http', 'ws'), webSocketImpl: WebSocket })
    const page = open({ url: system.graphqlUrl, fetch: session.fetch, socket, artifactOf: (operation) => artifacts.of(operation) })
    expect(await page.query('pageMeQuery')).toMatchObject({ me: { email: account.email } })

    const first = List.parse(await page.query('pageListQuery')).expressions
    const second = List.parse(await page.query('pageListQuery', { after: first.pageInfo.endCursor })).expressions
    const ids = [...first.nodes, ...second.nodes].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)

    const [expressionId] = ids
    for (const value of ['AGREE', 'DISAGREE', 'AGREE'])
      expect(await page.mutate('pageVoteMutation', { input: { expressionId, value } })).toMatchObject({
        castVote: { expression: { id: expressionId, myVote: value } },
      })

    const texts: unknown[] = []
    let isOver = false
    page.subscribe(
      'pageAddedSubscription',
      (data) => texts.push(data),
      () => {
        isOver = true
      },
    )
    const added = { expressionAdded: { expression: { text: `Written for ${name}` } } }
    // the subscription begins asynchronously
    await expect
      .poll(async () => {
        await postExpression(system, { text: `Written for ${name}` })
        return texts
      })
      .toContainEqual(
        expect.objectContaining({
          expressionAdded: expect.objectContaining({ expression: expect.objectContaining(added.expressionAdded.expression) }),
        }),
      )

    await session.signOut()
    await expect.poll(() => isOver).toBe(true)
    // an anonymous caller gets an error; clients report it with null, with no data, or by throwing
    expect(Me.parse(await page.query('pageMeQuery').catch(() => null))?.me ?? null).toBeNull()
  })
})
