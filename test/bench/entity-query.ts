import '../../gateway/no-telemetry.ts'
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import { createAuthentication } from '../../gateway/authentication.ts'
import { createExecutor } from '../../gateway/executor.ts'
import { createGatewayServer } from '../../gateway/http-server.ts'
import { inProcessSource } from '../../gateway/in-process-source.ts'
import { composeSupergraph } from '../../gateway/supergraph.ts'
import { silentLog } from '../../subgraphs/foundation/log.ts'
import type { Benchmark } from './harness.ts'
import { serve, servedVariant } from './served-variant.ts'

/** Two subgraphs: ten documents of one, then one fetch of ten entities from the other. */
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
const definitions = [
  {
    name: 'content',
    sdl: `${link} type Query { documents(first: Int!): [Document!]! } type Document @key(fields: "id") { id: ID! title: String! pages: Int! }`,
    resolvers: {
      Query: {
        documents: (_: unknown, { first }: { first: number }) =>
          Array.from({ length: first }, (__, index) => ({ id: String(index), title: `Document ${index}`, pages: index })),
      },
    },
  },
  {
    name: 'classify',
    sdl: `${link} type Query { labels: [String!]! } type Document @key(fields: "id") { id: ID! label: String! score: Float! }`,
    resolvers: {
      Query: { labels: () => [] },
      Document: { __resolveReference: ({ id }: { id: string }) => ({ id, label: `label ${id}`, score: 0.5 }) },
    },
  },
]
const body = JSON.stringify({ query: '{ documents(first: 10) { id title pages label score } }' })

const servers: Readonly<Record<string, () => Promise<string>>> = {
  'Apollo Server + ApolloGateway, LocalGraphQLDataSource': bare,
  'Civigraph gateway': ours,
}

export const entityQuery: Benchmark = {
  name: 'two-subgraph entity query, one process',
  about: `POST ${body}, 32 connections, 3 s a run`,
  rounds: 5,
  async start() {
    const load = { body, connections: 32, seconds: 3 }
    const variants = await Promise.all(Object.keys(servers).map((name) => servedVariant(name, new URL(import.meta.url), load)))
    const answers = await Promise.all(
      variants.map(async ({ url }) => (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()),
    )
    if (new Set(answers).size !== 1) throw new Error(`the variants do not answer the same: ${answers.join('')}`)
    return variants
  },
}

function schemas(): { readonly name: string; readonly schema: GraphQLSchema }[] {
  return definitions.map(({ name, sdl, resolvers }) => ({ name, schema: buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers }]) }))
}

async function bare(): Promise<string> {
  const bySubgraph = Object.fromEntries(schemas().map(({ name, schema }) => [name, schema]))
  const gateway = new ApolloGateway({
    supergraphSdl: composeSupergraph(definitions.map(({ name, sdl }) => ({ name, sdl, url: `http://${name}` }))),
    buildService: ({ name }) => {
      const schema = bySubgraph[name]
      if (schema === undefined) throw new Error(`no subgraph ${name}`)
      return new LocalGraphQLDataSource(schema)
    },
  })
  const { url } = await startStandaloneServer(new ApolloServer({ gateway }), { listen: { host: '127.0.0.1', port: 0 } })
  return url
}

async function ours(): Promise<string> {
  const server = createGatewayServer({
    executor: createExecutor({
      supergraph: composeSupergraph(definitions),
      sources: Object.fromEntries(schemas().map(({ name, schema }) => [name, inProcessSource({ schema })])),
      eventTimeoutMs: 1000,
    }),
    authentication: createAuthentication({ apiKeys: [] }),
    persistedQueries: { get: async () => undefined, set: async () => undefined },
    log: silentLog,
    host: '127.0.0.1',
    port: 0,
    corsOrigins: [],
    introspection: true,
    bodyBytes: 1024 * 1024,
    requestTimeoutMs: 10_000,
    version: 'bench',
  })
  await server.start(new AbortController().signal)
  return `${server.url}/graphql`
}

const [, , command, name = ''] = process.argv
const start = servers[name]
if (command === 'serve' && start !== undefined) serve(await start())
