import { LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { CivigraphGateway } from '../../../../gateway/package/civigraph-gateway.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
const goodsSdl = `${link} type Query { good(id: ID!): Good } type Good @key(fields: "id") { id: ID! name: String! }`
const pricesSdl = `${link} type Query { currency: String } type Good @key(fields: "id") { id: ID! price: Int }`
const schemas = {
  goods: buildSubgraphSchema([
    { typeDefs: parse(goodsSdl), resolvers: { Query: { good: (_: unknown, { id }: { id: string }) => ({ id, name: `good ${id}` }) } } },
  ]),
  prices: buildSubgraphSchema([
    {
      typeDefs: parse(pricesSdl),
      resolvers: {
        Query: { currency: () => 'EUR' },
        Good: { __resolveReference: ({ id }: { id: string }) => ({ id, price: Number(id) * 10 }) },
      },
    },
  ]),
}
const goodsAlone = composeSupergraph([{ name: 'goods', sdl: goodsSdl, url: 'http://goods' }])
const both = composeSupergraph([
  { name: 'goods', sdl: goodsSdl, url: 'http://goods' },
  { name: 'prices', sdl: pricesSdl, url: 'http://prices' },
])
const buildService = ({ name }: { readonly name: string }): LocalGraphQLDataSource =>
  new LocalGraphQLDataSource(name === 'goods' ? schemas.goods : schemas.prices)

const ask = async (server: ApolloServer, query: string, variables: Record<string, unknown> = {}): Promise<unknown> => {
  const { body } = await server.executeOperation({ query, variables })
  return body.kind === 'single' ? JSON.parse(JSON.stringify(body.singleResult)) : body
}

it('answers in Apollo Server, and switches to the supergraph of an update', async () => {
  let update: (sdl: string) => void = () => undefined
  const gateway = new CivigraphGateway({
    async supergraphSdl(hook) {
      update = hook.update
      return { supergraphSdl: goodsAlone }
    },
    buildService,
  })
  const server = new ApolloServer({ gateway })
  await server.start()
  const query = 'query ($id: ID!) { good(id: $id) { name price } }'
  expect(await ask(server, '{ good(id: "1") { name } }')).toEqual({ data: { good: { name: 'good 1' } } })
  expect(await ask(server, query, { id: '2' })).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
  update(both)
  expect(await ask(server, query, { id: '2' })).toEqual({ data: { good: { name: 'good 2', price: 20 } } })
  await server.stop()
})
