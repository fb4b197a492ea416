import { readFileSync } from 'node:fs'
import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client'
import { Supergraph } from '@apollo/federation-internals'
import { execute } from 'graphql'
import { from, map } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

const supergraph = readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8')
const schema = Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema()

/** Apollo Client with default settings, over the printed schema: `data` supplies the root fields. */
function clientOf(data: (variables: Record<string, unknown>) => object): ApolloClient {
  const link = new ApolloLink(({ query, variables }) => {
    const answer = execute({ schema, document: query, variableValues: variables, rootValue: data(variables) })
    return from(Promise.resolve(answer)).pipe(
      map(({ data = null, errors }) => ({ data, errors: errors?.map((each) => each.toJSON()) ?? [] })),
    )
  })
  return new ApolloClient({ cache: new InMemoryCache(), link })
}

const domains: Readonly<Record<string, object>> = Object.fromEntries(
  ['health', 'energy', 'energy/supply'].map((id) => [
    id,
    {
      __typename: 'Domain',
      id,
      labels: [
        { lang: 'fr', text: `${id} en français` },
        { lang: 'ar', text: `${id} بالعربية` },
      ],
    },
  ]),
)
const decided = (id: string, label: string, score: number) => ({ domain: domains[id], label, score })

/** Two expressions of one domain: their classifications differ, the domain is the same. */
const expressions: Readonly<Record<string, object>> = {
  fr: {
    id: '1',
    classification: {
      domain: decided('energy', 'Énergie', 0.9),
      subDomain: decided('energy/supply', 'Coupures', 0.8),
      candidates: [
        { domain: domains.energy, score: 0.9 },
        { domain: domains.health, score: 0.1 },
      ],
    },
  },
  ar: {
    id: '2',
    classification: {
      domain: decided('energy', 'الطاقة', 0.6),
      subDomain: null,
      candidates: [
        { domain: domains.energy, score: 0.6 },
        { domain: domains.health, score: 0.4 },
      ],
    },
  },
}

const search = gql`
  query Search($lang: String!) {
    searchExpressions(input: { text: "electricity", filter: { lang: $lang } }) {
      edges {
        score
        node {
          id
          classification {
            domain { label score domain { id labels { lang text } } }
            subDomain { label score domain { id labels { lang text } } }
            candidates { score domain { id labels { lang text } } }
          }
        }
      }
    }
  }
`
const searchResult = ({ lang }: Record<string, unknown>) => ({
  searchExpressions: { edges: [{ score: lang === 'fr' ? 0.7 : 0.3, node: expressions[String(lang)] }] },
})

const tile = { zoom: 5, column: 15, row: 14 }
const cluster = (counts: Readonly<Record<string, number>>) => ({
  __typename: 'MapCluster',
  tile,
  lat: 14.7,
  lon: -17.4,
  pointCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
  domains: Object.entries(counts).map(([id, count]) => ({ count, domain: domains[id] })),
})
const clusters = gql`
  query Map($sentiment: SentimentLabel) {
    map(filter: { sentiment: $sentiment }) {
      features {
        ... on MapCluster { tile { zoom column row } lat lon pointCount domains { count domain { id labels { lang text } } } }
      }
    }
  }
`
const mapped = ({ sentiment }: Record<string, unknown>) => ({
  map: { features: [cluster(sentiment === undefined ? { health: 7, energy: 4 } : { health: 2, energy: 1 })] },
})

const complaints = { error: vi.spyOn(console, 'error'), warn: vi.spyOn(console, 'warn') }
beforeEach(() => void vi.clearAllMocks())
afterEach(() => {
  for (const complaint of Object.values(complaints)) expect(complaint.mock.calls).toEqual([])
})

describe('a normalised cache without any configuration', () => {
  it.each([
    ['language and score', search, searchResult, [{ lang: 'fr' }, { lang: 'ar' }]],
    ['filter', clusters, mapped, [{}, { sentiment: 'NEGATIVE' }]],
  ] as const)('stores two results that differ in %s separately', async (_, query, data, [first, second]) => {
    const client = clientOf(data)
    const before = await client.query({ query, variables: first })
    await client.query({ query, variables: second })
    expect(before.error).toBeUndefined()
    expect(before.data).toBeDefined()
    expect(client.readQuery({ query, variables: first })).toEqual(before.data)
  })

  it('stores one record per entity, and no other records', async () => {
    const client = clientOf((variables) => ({ ...searchResult(variables), ...mapped(variables) }))
    for (const lang of ['fr', 'ar']) await client.query({ query: search, variables: { lang } })
    for (const sentiment of [undefined, 'NEGATIVE']) await client.query({ query: clusters, variables: { sentiment } })
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(client.extract())).sort()).toEqual([
      'Domain:energy',
      'Domain:energy/supply',
      'Domain:health',
      'Expression:1',
      'Expression:2',
      'ROOT_QUERY',
    ])
  })
})
