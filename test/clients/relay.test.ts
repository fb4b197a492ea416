import { readFileSync } from 'node:fs'
import { graphql } from 'graphql'
import { createOperationDescriptor, Environment, fetchQuery, Network, RecordSource, Store, type Variables } from 'relay-runtime'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { nodeIdOf } from '../../foundation/graphql/node-id.ts'
import { getDataID } from '../../packages/civigraph-client/src/caches/relay.ts'
import { clientSchema, clientSchemaText } from '../support/clients/client-schema.ts'
import { type RelayArtifacts, relayArtifacts } from '../support/clients/relay-artifacts.ts'

const config = readFileSync(new URL('../../docs/clients/relay.config.json', import.meta.url), 'utf8')

/** Source of a page for Relay's compiler. */
const page = `const { graphql } = require('relay-runtime')
graphql\`query pageDomainQuery($id: ID!) { domain(id: $id) { id slug } }\`
graphql\`query pageExpressionQuery { expression(id: "e") { text classification { domain { domain { slug } } } } }\`
graphql\`query pageSearchQuery($lang: String!) {
  searchExpressions(input: { text: "electricity", filter: { lang: $lang } }) {
    edges { score node { id classification { domain { label score domain { slug } } candidates { score domain { slug } } } } }
  }
}\`
graphql\`query pageMapQuery($sentiment: SentimentLabel) {
  map(filter: { sentiment: $sentiment }) {
    features { __typename ... on MapCluster { tile { zoom column row } pointCount domains { count domain { slug } } } }
  }
}\`
graphql\`fragment page_domain on Domain @refetchable(queryName: "pageAgainQuery") { slug labels { text } }\`
`

let artifacts: RelayArtifacts
beforeAll(() => {
  artifacts = relayArtifacts(page, clientSchemaText, config)
})
afterAll(() => artifacts[Symbol.dispose]())

/** Relay over the printed schema: `rootValue` supplies the root fields. */
function environmentOf(rootValue: object): Environment {
  const network = Network.create(async ({ text }, variableValues) => {
    const { data, errors } = await graphql({ schema: clientSchema, source: String(text), variableValues, rootValue })
    if (errors !== undefined) throw errors[0]
    return JSON.parse(JSON.stringify({ data }))
  })
  return new Environment({ network, store: new Store(new RecordSource()), getDataID })
}

it('stores an entity once for all queries, and refetches it by its node id', async () => {
  const warned = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]
  const nodeId = nodeIdOf('Domain', 'water')
  const domain = { __typename: 'Domain', id: 'water', nodeId, slug: 'eau', labels: [{ text: 'Eau' }] }
  const rootValue = {
    domain,
    expression: {
      nodeId: nodeIdOf('Expression', 'e'),
      text: 'Plus d’eau',
      classification: { domain: { domain: { ...domain, slug: 'water' } } },
    },
    node: ({ id }: { readonly id: string }) => (id === nodeId ? domain : null),
  }
  const environment = environmentOf(rootValue)
  await fetchQuery(environment, await artifacts.of('pageDomainQuery'), { id: 'water' }).toPromise()
  await fetchQuery(environment, await artifacts.of('pageExpressionQuery'), {}).toPromise()
  const records = environment.getStore().getSource()
  expect(records.getRecordIDs().filter((id) => records.get(id)?.__typename === 'Domain')).toEqual([nodeId])
  // both pages show the later result
  expect(records.get(nodeId)?.slug).toBe('water')
  await fetchQuery(environment, await artifacts.of('pageAgainQuery'), { nodeId }).toPromise()
  expect(records.get(nodeId)?.slug).toBe('eau')
  expect(warned.flatMap(({ mock }) => mock.calls)).toEqual([])
})

const domains = Object.fromEntries(
  ['energy', 'health'].map((id) => [id, { __typename: 'Domain', id, nodeId: nodeIdOf('Domain', id), slug: id }]),
)
const scored = (id: string, score: number) => ({ domain: domains[id], score })
const searchHit = (id: string, label: string, score: number) => ({
  score,
  node: {
    id,
    nodeId: nodeIdOf('Expression', id),
    classification: { domain: { ...scored('energy', score), label }, candidates: [scored('energy', score), scored('health', 1 - score)] },
  },
})
const cluster = (energy: number, health: number) => ({
  __typename: 'MapCluster',
  tile: { zoom: 5, column: 15, row: 14 },
  pointCount: energy + health,
  domains: [
    { count: energy, domain: domains.energy },
    { count: health, domain: domains.health },
  ],
})

it.each([
  ['language and score', 'pageSearchQuery', { lang: 'fr' }, { lang: 'ar' }],
  ['filter', 'pageMapQuery', { sentiment: 'POSITIVE' }, { sentiment: 'NEGATIVE' }],
])('stores two results that differ in %s separately', async (_, name, first, second) => {
  const warned = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]
  for (const spy of warned) spy.mockClear()
  const environment = environmentOf({
    searchExpressions: ({ input }: { readonly input: { readonly filter: { readonly lang: string } } }) => ({
      edges: [input.filter.lang === 'fr' ? searchHit('1', 'Énergie', 0.9) : searchHit('2', 'الطاقة', 0.6)],
    }),
    map: ({ filter }: { readonly filter: { readonly sentiment: string } }) => ({
      features: [filter.sentiment === 'POSITIVE' ? cluster(7, 4) : cluster(2, 1)],
    }),
  })
  const query = await artifacts.of(name)
  const shown = (variables: Variables) => environment.lookup(createOperationDescriptor(query, variables).fragment).data
  await fetchQuery(environment, query, first).toPromise()
  const before = structuredClone(shown(first))
  await fetchQuery(environment, query, second).toPromise()
  expect(shown(first)).toEqual(before)
  expect(shown(second)).not.toEqual(before)
  expect(warned.flatMap(({ mock }) => mock.calls)).toEqual([])
})
