import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import { Registry } from 'prom-client'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { requestTelemetry } from '../../../foundation/http/request-telemetry.ts'
import { silentLog } from '../../../foundation/log.ts'
import { createExecutor, type Executor } from '../../../gateway/executor/executor.ts'
import { listenerGateway } from '../../../gateway/package/listener-gateway.ts'
import { GatewayTelemetry } from '../../../gateway/pipeline/telemetry/gateway-telemetry.ts'
import { createGatewayServer, type GatewayServer, type GatewayServerOptions } from '../../../gateway/server/gateway-server.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'

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

export const query = '{ documents(first: 10) { id title pages label score } }'
export const body = JSON.stringify({ query })

export function documentSchemas(): Readonly<Record<string, GraphQLSchema>> {
  return Object.fromEntries(
    definitions.map(({ name, sdl, resolvers }) => [name, buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers }])]),
  )
}

/** @param urlOf - address of a subgraph */
export function documentSupergraph(urlOf: (name: string) => string = (name) => `http://${name}`): string {
  return composeSupergraph(definitions.map(({ name, sdl }) => ({ name, sdl, url: urlOf(name) })))
}

/** The executor over the documents; by default the subgraphs run in this process. */
export function documentExecutor(sourceOf?: (name: string) => SubgraphSource, telemetry?: GatewayTelemetry): Executor {
  const sources = Object.entries(documentSchemas()).map(([name, schema]) => [name, sourceOf?.(name) ?? inProcessSource({ schema })])
  return createExecutor({ supergraph: documentSupergraph(), sources: Object.fromEntries(sources), eventTimeoutMs: 1000, telemetry })
}

type Options = Pick<GatewayServerOptions, 'telemetry' | 'requests' | 'plugins'>

/** The same with the metrics of a platform's gateway. */
export function startMeasuredGateway(sourceOf?: (name: string) => SubgraphSource, options: Options = {}): Promise<string> {
  const registry = new Registry()
  const telemetry = new GatewayTelemetry({ registry })
  return startGateway(documentExecutor(sourceOf, telemetry), { telemetry, requests: requestTelemetry({ registry }), ...options })
}

/** @returns the address of the gateway's GraphQL */
export async function startGateway(executor: Executor, options: Options = {}): Promise<string> {
  return `${(await startGatewayServer(executor, options)).url}/graphql`
}

export async function startGatewayServer(executor: Executor, options: Options = {}): Promise<GatewayServer> {
  const server = createGatewayServer({
    executor,
    ...options,
    gatewayOver: listenerGateway,
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
  return server
}
