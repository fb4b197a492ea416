import { ApolloServer } from '@apollo/server'
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { GraphQLSchema } from 'graphql'
import { parse } from 'graphql'
import { onTestFinished } from 'vitest'
import { CivigraphGateway, type CivigraphGatewayOptions } from '../../../gateway/package/civigraph-gateway.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'

/** Two subgraphs of a shop, whose resolvers do not know this gateway. */
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@authenticated"])'
export const goodsSdl = `${link}
  type Query { good(id: ID!): Good  crash: String  caller: String }
  type Mutation { sell(id: ID!): Good }
  type Subscription { sold: Good!  quiet: Good! }
  type Good @key(fields: "id") { id: ID!  name: String! }`
export const pricesSdl = `${link}
  type Query { currency: String }
  type Good @key(fields: "id") { id: ID!  price: Int }`

export const goodsSchema = (): GraphQLSchema =>
  buildSubgraphSchema([
    {
      typeDefs: parse(goodsSdl),
      resolvers: {
        Query: {
          good: (_: unknown, { id }: { id: string }) => ({ id, name: `good ${id}` }),
          crash: () => {
            throw new Error('no connection to 10.1.2.3')
          },
          caller: (_: unknown, __: unknown, context: { user?: string }) => context.user ?? 'anonymous',
        },
        Subscription: {
          sold: {
            async *subscribe() {
              yield { sold: { id: '1', name: 'good 1' } }
              yield { sold: { id: '2', name: 'good 2' } }
            },
          },
          quiet: {
            async *subscribe() {
              yield { quiet: { id: '1', name: 'good 1' } }
              await new Promise(() => undefined)
            },
          },
        },
      },
    },
  ])

/** @param more - further definitions of the subgraph */
export const pricesSchema = (more = ''): GraphQLSchema =>
  buildSubgraphSchema([
    {
      typeDefs: parse(`${pricesSdl} ${more}`),
      resolvers: {
        Query: { currency: () => 'EUR' },
        Good: { __resolveReference: ({ id }: { id: string }) => ({ id, price: Number(id) * 10 }) },
      },
    },
  ])

const urls = { goods: 'http://goods.test/graphql', prices: 'http://prices.test/graphql' }
export const supergraphOf = (graphs: { readonly goods?: string; readonly prices?: string } = urls, more = ''): string =>
  composeSupergraph([
    ...(graphs.goods === undefined ? [] : [{ name: 'goods', sdl: `${goodsSdl} ${more}`, url: graphs.goods }]),
    ...(graphs.prices === undefined ? [] : [{ name: 'prices', sdl: pricesSdl, url: graphs.prices }]),
  ])
export const goodsAlone = supergraphOf({ goods: urls.goods })
export const both = supergraphOf()

/** Answers an operation as Apollo Server does, without HTTP. */
export type Ask = (query: string, variables?: Record<string, unknown>, contextValue?: object) => Promise<unknown>

/** Starts Apollo Server over a CivigraphGateway; both stop after the test. */
export async function startDropIn(
  options: CivigraphGatewayOptions,
): Promise<{ readonly gateway: CivigraphGateway; readonly server: ApolloServer; readonly ask: Ask }> {
  const gateway = new CivigraphGateway(options)
  const server = new ApolloServer({ gateway, includeStacktraceInErrorResponses: false })
  await server.start()
  onTestFinished(() => server.stop())
  return {
    gateway,
    server,
    async ask(query, variables = {}, contextValue = {}) {
      const { body } = await server.executeOperation({ query, variables }, { contextValue })
      return body.kind === 'single' ? JSON.parse(JSON.stringify(body.singleResult)) : body
    },
  }
}

/** A manager whose supergraph a test replaces. */
export function changing(sdl: string): {
  readonly supergraphSdl: NonNullable<Extract<CivigraphGatewayOptions['supergraphSdl'], (...hook: never[]) => unknown>>
  update(sdl: string): void
} {
  let update: (sdl: string) => void = () => undefined
  return {
    supergraphSdl: async (hook) => {
      update = hook.update
      return { supergraphSdl: sdl }
    },
    update: (next) => update(next),
  }
}
