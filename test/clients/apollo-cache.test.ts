import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { graphql } from 'graphql'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { clientSchema } from '../support/clients/client-schema.ts'

afterEach(() => vi.restoreAllMocks())

function clientOf(rootValue: object): ApolloClient {
  const answer: typeof fetch = async (_, init) => {
    const { query, variables } = JSON.parse(String(init?.body))
    return Response.json(await graphql({ schema: clientSchema, source: query, variableValues: variables, rootValue }))
  }
  const link = new HttpLink({ uri: 'http://graph.test/graphql', fetch: answer })
  return new ApolloClient({ cache: new InMemoryCache({ typePolicies }), link })
}

it('identifies content nodes by tenant and id, accepts a node without its tenant, and evicts deleted nodes', async () => {
  const warned = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]
  const client = clientOf({
    contentNode: ({ tenantId }: { readonly tenantId: string }) => ({ tenantId, id: 'root', title: `Root of ${tenantId}` }),
  })
  const whole = gql`query ($tenant: ID) { contentNode(tenantId: $tenant, id: "root") { tenantId id title } }`
  await client.query({ query: whole, variables: { tenant: 'north' } })
  await client.query({ query: whole, variables: { tenant: 'south' } })
  await client.query({ query: gql`{ contentNode(tenantId: "east", id: "root") { id title } }` })
  const cachedKeys = Object.keys(z.record(z.string(), z.unknown()).parse(client.cache.extract())).filter((key) =>
    key.startsWith('ContentNode'),
  )
  expect(cachedKeys).toEqual(['ContentNode:{"tenantId":"north","id":"root"}', 'ContentNode:{"tenantId":"south","id":"root"}'])
  const evicted = client.cache.identify({ __typename: 'ContentNode', tenantId: 'north', id: 'root' })
  expect(client.cache.evict({ id: String(evicted) })).toBe(true)
  expect(warned.flatMap(({ mock }) => mock.calls)).toEqual([])
})

it('merges the pages of a list', async () => {
  const edge = (id: number) => ({ cursor: String(id), node: { id: String(id), text: `Number ${id}` } })
  const client = clientOf({
    expressions: ({ after }: { readonly after?: string }) => ({
      edges: after === undefined ? [edge(3), edge(2)] : [edge(1)],
      pageInfo: { endCursor: after === undefined ? '2' : '1', hasNextPage: after === undefined, hasPreviousPage: after !== undefined },
    }),
  })
  const query = gql`query ($after: String) {
    expressions(first: 2, after: $after) { edges { cursor node { id text } } pageInfo { endCursor hasNextPage } }
  }`
  const watched = client.watchQuery({ query })
  const listening = watched.subscribe(() => undefined)
  await expect.poll(() => watched.getCurrentResult().loading).toBe(false)
  await watched.fetchMore({ variables: { after: '2' } })
  await expect
    .poll(() => watched.getCurrentResult().data)
    .toMatchObject({ expressions: { edges: [{ node: { id: '3' } }, { node: { id: '2' } }, { node: { id: '1' } }] } })
  listening.unsubscribe()
})
