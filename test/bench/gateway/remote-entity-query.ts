import '../../../gateway/supergraph/apollo-opt-out.ts'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { ApolloGateway } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { type DocumentNode, execute, parse } from 'graphql'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { remoteSource } from '../../../gateway/sources/remote-source.ts'
import type { Benchmark } from '../support/harness.ts'
import { sameAnswers, servedVariant } from '../support/served-variant.ts'
import { serve, startServer } from '../support/server-process.ts'
import { body, documentSchemas, documentSupergraph, startMeasuredGateway } from '../verification/documents.ts'

/** Where the subgraphs listen, and where Hive is installed: arguments of a server process. */
type Start = (subgraphs: string, hiveFolder: string) => Promise<string>
const hiveName = 'Hive gateway-runtime'
const servers: Readonly<Record<string, Start>> = {
  'Apollo Server + ApolloGateway, RemoteGraphQLDataSource': async (subgraphs) => {
    const gateway = new ApolloGateway({ supergraphSdl: documentSupergraph((name) => `${subgraphs}/${name}`) })
    const { url } = await startStandaloneServer(new ApolloServer({ gateway }), { listen: { host: '127.0.0.1', port: 0 } })
    return url
  },
  [hiveName]: hive,
  'Civigraph gateway': (subgraphs) => startMeasuredGateway((name) => remoteSource({ name, url: `${subgraphs}/${name}` })),
  subgraphs,
}

/** `--hive=FOLDER`: where @graphql-hive/gateway-runtime and its transport @graphql-mesh/transport-http are installed; this project does not depend on them. */
const hiveFolder = process.argv.find((word) => word.startsWith('--hive='))?.slice('--hive='.length) ?? ''

export const remoteEntityQuery: Benchmark = {
  name: 'remote-entity-query',
  about: `POST ${body}, 32 connections, 3 s a run, both subgraphs on a lean node:http server`,
  target: 'requests/s x 2.5 or more of the first, and 2 x that of Hive',
  rounds: 3,
  async start(print) {
    const module = new URL(import.meta.url)
    const behind = await startServer(module, 'subgraphs')
    if (hiveFolder === '')
      print(`SKIPPED: ${hiveName} (give --hive=FOLDER, where @graphql-hive/gateway-runtime and @graphql-mesh/transport-http are installed)`)
    const names = Object.keys(servers).filter((name) => name !== 'subgraphs' && (hiveFolder !== '' || name !== hiveName))
    const load = { body, connections: 32, seconds: 3 }
    const variants = await Promise.all(names.map((name) => servedVariant(name, module, load, [behind.url, hiveFolder])))
    await sameAnswers(variants, body)
    return variants.map((variant, index) =>
      index > 0 ? variant : { ...variant, stop: () => Promise.all([variant.stop(), behind.stop()]).then() },
    )
  },
}

async function hive(at: string, folder: string): Promise<string> {
  const resolved = createRequire(`${folder}/package.json`).resolve('@graphql-hive/gateway-runtime')
  // Hive is not installed with this project, so its types are missing: this is the part that the benchmark uses
  const { createGatewayRuntime } = (await import(pathToFileURL(resolved).href)) as {
    createGatewayRuntime(options: object): (request: unknown, response: unknown) => void
  }
  const runtime = createGatewayRuntime({ supergraph: documentSupergraph((name) => `${at}/${name}`), logging: false, landingPage: false })
  const server = createServer(runtime)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `${listenerUrl(server, '127.0.0.1')}/graphql`
}

/** A minimal GraphQL server: no validation, no middleware, each document parsed once. */
async function subgraphs(): Promise<string> {
  const schemas = documentSchemas()
  const documents = new Map<string, DocumentNode>()
  const server = createServer(async (request, response) => {
    const schema = schemas[request.url?.slice(1) ?? '']
    // only the measured gateways call this server
    const operation = (await json(request)) as { query: string; variables?: Record<string, unknown>; operationName?: string }
    if (schema === undefined) return response.writeHead(404).end()
    const document = documents.get(operation.query) ?? parse(operation.query)
    documents.set(operation.query, document)
    const { variables: variableValues, operationName } = operation
    const result = await execute({ schema, document, variableValues, operationName })
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return listenerUrl(server, '127.0.0.1')
}

const [, module = '', command, name = '', ...more] = process.argv
const start = servers[name]
if (command === 'serve' && module === new URL(import.meta.url).pathname && start !== undefined)
  serve(await start(more[0] ?? '', more[1] ?? ''))
