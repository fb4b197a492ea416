import '../../../gateway/supergraph/apollo-opt-out.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { silentLog } from '../../../foundation/log.ts'
import { CivigraphGateway } from '../../../gateway/package/civigraph-gateway.ts'
import { tracing } from '../../../platform/process/tracing.ts'
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
  'Apollo Server + ApolloGateway, LocalGraphQLDataSource': () => bare(),
  'Apollo Server + CivigraphGateway, LocalGraphQLDataSource': () => dropIn(),
  'Civigraph gateway': () => startMeasuredGateway(),
  'Civigraph gateway through the pipeline of Apollo Server': () => startMeasuredGateway(undefined, { plugins: [{}] }),
  'Civigraph gateway, 1 % of the requests traced': traced,
  'Civigraph gateway without metrics': () => startGateway(documentExecutor()),
}

export const entityQuery: Benchmark = {
  name: 'entity-query',
  about: `POST ${body}, 32 connections, 3 s a run`,
  target: 'requests/s x 2.5 or more, p99 x 1 or less',
  rounds: 5,
  async start() {
    const load = { body, connections: 32, seconds: 3 }
    const variants = await Promise.all(Object.keys(servers).map((name) => servedVariant(name, new URL(import.meta.url), load)))
    await sameAnswers(variants, body)
    return variants
  },
}

const bare = (): Promise<string> => standalone(new ApolloGateway(inThisProcess()))
const dropIn = (): Promise<string> => standalone(new CivigraphGateway(inThisProcess()))

function inThisProcess(): {
  readonly supergraphSdl: string
  readonly buildService: (graph: { readonly name: string }) => LocalGraphQLDataSource
} {
  const schemas = documentSchemas()
  return {
    supergraphSdl: documentSupergraph(),
    buildService: ({ name }) => {
      const schema = schemas[name]
      if (schema === undefined) throw new Error(`no subgraph ${name}`)
      return new LocalGraphQLDataSource(schema)
    },
  }
}

async function standalone(gateway: ApolloGateway): Promise<string> {
  const { url } = await startStandaloneServer(new ApolloServer({ gateway }), { listen: { host: '127.0.0.1', port: 0 } })
  return url
}

/** Traces as under OTEL_TRACES_SAMPLER=parentbased_traceidratio, with a collector that accepts everything. */
async function traced(): Promise<string> {
  const collector = createServer((request, response) => request.resume().once('end', () => response.end('{}'))).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const endpoint = listenerUrl(collector, '127.0.0.1')
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' }
  Object.assign(process.env, sampled, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  const settings = { endpoint, tracesEndpoint: undefined, exporter: 'otlp', disabled: undefined }
  await tracing(settings, { version: 'bench', roles: 'gateway', log: silentLog }).start(new AbortController().signal)
  return startMeasuredGateway()
}

const [, module = '', command, name = ''] = process.argv
const start = servers[name]
if (command === 'serve' && module === new URL(import.meta.url).pathname && start !== undefined) serve(await start())
