import '../../../gateway/telemetry/apollo-opt-out.ts'
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import type { Benchmark } from '../support/harness.ts'
import { sameAnswers, servedVariant } from '../support/served-variant.ts'
import { serve } from '../support/server-process.ts'
import {
  body,
  documentExecutor,
  documentSchemas,
  documentSupergraph,
  startGateway,
  startMeasuredGateway,
} from '../verification/documents.ts'

const servers: Readonly<Record<string, () => Promise<string>>> = {
  'Apollo Server + ApolloGateway, LocalGraphQLDataSource': bare,
  'Civigraph gateway': () => startMeasuredGateway(),
  'Civigraph gateway without metrics': () => startGateway(documentExecutor()),
}

export const entityQuery: Benchmark = {
  name: 'entity-query',
  about: `POST ${body}, 32 connections, 3 s a run`,
  wanted: 'requests/s x 2.5 or more, p99 x 1 or less',
  rounds: 5,
  async start() {
    const load = { body, connections: 32, seconds: 3 }
    const variants = await Promise.all(Object.keys(servers).map((name) => servedVariant(name, new URL(import.meta.url), load)))
    await sameAnswers(variants, body)
    return variants
  },
}

async function bare(): Promise<string> {
  const schemas = documentSchemas()
  const gateway = new ApolloGateway({
    supergraphSdl: documentSupergraph(),
    buildService: ({ name }) => {
      const schema = schemas[name]
      if (schema === undefined) throw new Error(`no subgraph ${name}`)
      return new LocalGraphQLDataSource(schema)
    },
  })
  const { url } = await startStandaloneServer(new ApolloServer({ gateway }), { listen: { host: '127.0.0.1', port: 0 } })
  return url
}

const [, module = '', command, name = ''] = process.argv
const start = servers[name]
if (command === 'serve' && module === new URL(import.meta.url).pathname && start !== undefined) serve(await start())
