import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { parse, print } from 'graphql'
import type { GraphQLSingularResponse, Variables } from 'relay-runtime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { possibleTypes, typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { cachingClients, type GraphEndpoint } from '../support/clients/caching-clients.ts'
import { tokenOf } from '../support/clients/content-client.ts'
import { postExpression } from '../support/clients/post-expression.ts'
import { clientArtifacts, type RelayArtifacts } from '../support/clients/relay-artifacts.ts'
import { type System, startPlatform } from '../support/processes/platform.ts'

/** Operations of pages, with fragments on the interface and on the union of the graph. */
const operations = {
  pageSearchQuery: `query pageSearchQuery($lang: String!) {
    searchExpressions(first: 5, input: { text: "eau water ماء", filter: { lang: $lang } }) {
      edges { score node { id text ...page_any
        classification { domain { label score domain { id labels { lang text } } } candidates { score domain { id } } } } } } }`,
  pageMapQuery: `query pageMapQuery($sentiment: SentimentLabel) {
    map(zoom: 2, filter: { sentiment: $sentiment }) { total features { __typename ...page_feature } } }`,
  pageNodesQuery: 'query pageNodesQuery($ids: [ID!]!) { nodes(ids: $ids) { __typename ...page_any ... on Domain { slug } } }',
  pageListQuery: `query pageListQuery($after: String) {
    expressions(first: 2, after: $after) { edges { cursor node { id ...page_any } } pageInfo { endCursor hasNextPage } } }`,
  pageTrailQuery: `query pageTrailQuery($after: String) {
    auditTrail(first: 1, after: $after) { edges { cursor node { id action } } pageInfo { endCursor hasNextPage } } }`,
} as const
type Operation = keyof typeof operations
const fragments = {
  page_any: 'fragment page_any on Node { nodeId }',
  page_feature: `fragment page_feature on MapFeature {
    ... on MapCluster { tile { zoom column row } pointCount domains { count domain { id slug } } }
    ... on MapPoint { expression { id } domain { id slug } votes { total } } }`,
}

/** The operation as one document with the fragments that it spreads. */
const documentOf = (name: Operation) =>
  parse(
    [
      operations[name],
      ...Object.entries(fragments).flatMap(([fragment, text]) => (operations[name].includes(fragment) ? [text] : [])),
    ].join('\n'),
  )

let system: System
let token: string
let artifacts: RelayArtifacts
beforeAll(async () => {
  system = await startPlatform({ workers: ['exploration', 'classification'] })
  token = await tokenOf(system)
  artifacts = clientArtifacts([...Object.values(operations), ...Object.values(fragments)])
  const texts = ['Il n’y a plus d’eau au robinet', 'There is no water in our street', 'لا يوجد ماء في الحي', 'Thank you, the water is back']
  for (const [index, text] of texts.entries())
    expect(await postExpression(system, { text, location: { lat: 14.7 + index / 1e3, lon: -17.4 } })).toMatchObject({ status: 201 })
  // the map counts them asynchronously
  const counted = { data: { map: { total: texts.length } } }
  await vi.waitFor(async () => expect(await execute('pageMapQuery', {})).toMatchObject(counted), { timeout: 60_000 })
})
afterAll(async () => {
  artifacts?.[Symbol.dispose]()
  await system?.stop()
})

const headers = () => ({ 'content-type': 'application/json', authorization: `Bearer ${token}` })
const post = async (query: string, variables: Variables): Promise<GraphQLSingularResponse> => {
  const response = await fetch(system.graphqlUrl, { method: 'POST', headers: headers(), body: JSON.stringify({ query, variables }) })
  return (await response.json()) as GraphQLSingularResponse
}
const execute = (operation: Operation, variables: Variables) => post(print(documentOf(operation)), variables)

const graph = (): GraphEndpoint => ({
  url: system.graphqlUrl,
  headers: headers(),
  documentOf: (name) => documentOf(name as Operation),
  artifactOf: (name) => artifacts.of(name),
})

const complaints = { error: vi.spyOn(console, 'error'), warn: vi.spyOn(console, 'warn') }
afterEach(() => {
  for (const complaint of Object.values(complaints)) expect(complaint.mock.calls).toEqual([])
})

it('returns a new expression at once, in the list of all, in the list of its domain, and for a vote', async () => {
  for (const number of [1, 2, 3]) {
    const { body } = await postExpression(system, { text: `Pothole number ${number} on the bridge`, domain_hint: 'transport' })
    const query = `query ($id: ID!) { expression(id: $id) { id } expressions(first: 3) { nodes { id } }
      domain(id: "transport") { expressions(first: 3) { nodes { id } } } }`
    const { data } = await post(query, { id: body.id })
    const ownExpression = { nodes: expect.arrayContaining([{ id: body.id }]) }
    expect(data).toMatchObject({ expression: { id: body.id }, expressions: ownExpression, domain: { expressions: ownExpression } })
    const vote = 'mutation ($id: ID!) { castVote(input: { expressionId: $id, value: AGREE }) { expression { votes { agree } } } }'
    expect(await post(vote, { id: body.id })).toEqual({ data: { castVote: { expression: { votes: { agree: 1 } } } } })
  }
})

describe.each(cachingClients)('one cache of %s, configured as the package documents', (_, open) => {
  it.each<[string, Operation, Variables, Variables]>([
    ['language and score', 'pageSearchQuery', { lang: 'fr' }, { lang: 'ar' }],
    ['filter', 'pageMapQuery', {}, { sentiment: 'NEGATIVE' }],
  ])('stores two results of the platform that differ in %s separately', async (__, operation, first, second) => {
    const page = open(graph())
    const before = structuredClone(await page.query(operation, first))
    const other = await page.query(operation, second)
    expect(JSON.stringify(before).length).toBeGreaterThan(100)
    expect(other).not.toEqual(before)
    expect(await page.readCached(operation, first)).toEqual(before)
  })

  it('returns the fields of a fragment on an interface for every type', async () => {
    const page = open(graph())
    const ids = ['WyJEb21haW4iLCJ3YXRlci1zYW5pdGF0aW9uIl0', 'WyJUZW5hbnQiLCJkZWZhdWx0Il0', 'nothing']
    const nodes = JSON.stringify(await page.query('pageNodesQuery', { ids }))
    for (const id of ids.slice(0, 2)) expect(nodes).toContain(`"nodeId":"${id}"`)
    expect(nodes).toContain('"slug":"water-sanitation"')
    expect(nodes).not.toContain('nothing')
  })
})

it.each(['pageListQuery', 'pageTrailQuery'] as const)('Apollo Client merges the pages of %s', async (name) => {
  const link = new HttpLink({ uri: system.graphqlUrl, headers: headers() })
  const client = new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
  // each read of the trail adds a record to it
  for (const _ of [1, 2]) await execute(name, {})
  const watched = client.watchQuery({ query: documentOf(name) })
  const listening = watched.subscribe(() => undefined)
  const shown = () => Object.values(Object(watched.getCurrentResult().data))[0] as { edges: unknown[]; pageInfo: { endCursor: string } }
  await expect.poll(() => watched.getCurrentResult().loading).toBe(false)
  const { length } = shown().edges
  await watched.fetchMore({ variables: { after: shown().pageInfo.endCursor } })
  await expect.poll(() => shown().edges.length).toBe(2 * length)
  listening.unsubscribe()
})
