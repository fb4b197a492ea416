import '../../../gateway/supergraph/apollo-opt-out.ts'
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import type { GraphQLSchema } from 'graphql'
import type { Log } from '../../../foundation/log.ts'
import { contextFor } from './town.ts'

/** The reference for comparisons: Apollo Server over ApolloGateway in the documented setup, with subgraphs in this process. */
export async function startBareGateway(
  supergraph: string,
  schemas: Readonly<Record<string, GraphQLSchema>>,
  log: Log,
): Promise<AsyncDisposable & { readonly url: string }> {
  const gateway = new ApolloGateway({
    supergraphSdl: supergraph,
    buildService: ({ name }) => {
      const schema = schemas[name]
      if (schema === undefined) throw new Error(`no subgraph ${name}`)
      return new LocalGraphQLDataSource(schema)
    },
  })
  const server = new ApolloServer({ gateway, nodeEnv: 'production', introspection: true })
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 }, context: async () => contextFor(log) })
  return { url, [Symbol.asyncDispose]: () => server.stop() }
}
