import type { FastifyInstance } from 'fastify'
import type { PartitionedKeyValue } from '../../engines/key-value/key-value.ts'
import { componentNames } from '../../foundation/process/build-info.ts'
import { loadOperationManifest } from '../../gateway/pipeline/operation-manifest.ts'
import { createGatewayServer, type GatewayServer, type GatewayServerOptions } from '../../gateway/server/gateway-server.ts'
import type { LandingFacts } from '../../web/landing/page.ts'
import { landingPage } from '../../web/landing/page.ts'
import { queryPage } from '../../web/query/page.ts'
import { fileSender } from '../../web/serving/file-sender.ts'
import { eachOnce, type PageFile, pageHeaders, sharedPageFiles } from '../../web/serving/page-file.ts'
import type { Composition, Listener } from '../engines/composition.ts'
import { serveDocuments } from './documents.ts'
import type { ListenerDependencies } from './rest-listeners.ts'
import { translateErrors } from './translated-errors.ts'

type GatewayDependencies = Omit<ListenerDependencies, 'graphql'>

type Own = Pick<
  GatewayServerOptions,
  | 'executor'
  | 'authentication'
  | 'intake'
  | 'gate'
  | 'listLengths'
  | 'maxListLength'
  | 'health'
  | 'requests'
  | 'telemetry'
  | 'mayReadPlans'
  | 'readinessProblem'
> & {
  /** stores persisted queries and rate limit counters for all replicas */
  readonly keyValue: Pick<PartitionedKeyValue, 'partition'>
}

/**
 * Creates the listener of GraphQL over HTTP and WebSocket with its pages. @param components - links of the landing page
 * @param port - undefined: no port of its own, mounted behind another listener
 */
export async function gatewayListener(
  { config, build, log, certificate, admission }: Pick<Composition, 'config' | 'build' | 'log' | 'certificate' | 'admission'>,
  { keyValue, ...own }: Own,
  components: LandingFacts['components'],
  port: number | undefined,
): Promise<Listener & { readonly part: GatewayServer }> {
  const { version } = build
  const { publicUrl } = config
  const { manifest: file, only } = config.persistedOperations
  const manifest = file === undefined ? undefined : await loadOperationManifest(file)
  const part = createGatewayServer({
    ...own,
    // only for the gateway role: ApolloGateway loads a query planner of its own
    gatewayOver: port === undefined ? undefined : (await import('../../gateway/package/listener-gateway.ts')).listenerGateway,
    // recorded by the outer listener
    requests: port === undefined ? undefined : own.requests,
    persistedQueries: keyValue.partition('cache'),
    rateRule: config.rate.requests === 0 ? undefined : { counter: keyValue.partition('counters'), ...config.rate },
    registeredOperations: manifest && { manifest: () => manifest, only },
    log,
    certificate,
    version,
    publicUrl,
    host: config.bindAddress,
    port,
    corsOrigins: config.corsOrigins,
    introspection: config.introspection,
    bodyBytes: config.limits.bodyBytes,
    anonymousBodyBytes: config.limits.anonymousBodyBytes,
    requestTimeoutMs: config.limits.requestTimeoutMs,
    trustedProxies: config.trustedProxies,
    maxSubscribers: config.subscriptionClients,
    subscribersPerClient: config.clientsPerAddress,
    processSlots: admission.sockets,
    listening: admission.clients,
    explorer: '/query',
    mountPages: (server) => {
      mountPages(server, { components, version, publicUrl })
      if (port !== undefined) serveDocuments(server)
      translateErrors(server)
    },
  })
  return { part, address: () => ['GraphQL', `${part.url}/graphql`] }
}

/** Creates the gateway over the five components; without the gateway role it serves only the console. */
export function componentsGateway(
  composition: Composition,
  dependencies: GatewayDependencies,
): Promise<Listener & { readonly part: GatewayServer }> {
  const { config, engines, ports, roles } = composition
  return gatewayListener(
    composition,
    {
      ...dependencies,
      keyValue: engines.keyValue,
      mayReadPlans: ({ user }) => config.exposesPlans || user?.roles.includes('super_admin') === true,
      // assumed lengths of lists without a page size
      listLengths: { 'MapView.features': 1000, 'SentimentStatistics.history': 730 },
      // the field itself refuses a larger size and names the argument
      maxListLength: 1000,
    },
    componentNames.map((name) => ({ name, port: ports.rest(name) || undefined })),
    roles.gateway ? ports.gateway : undefined,
  )
}

/** Serves the landing page at /, the query editor at /query, and their files under /pages. */
export function mountPages(server: FastifyInstance, facts: LandingFacts): void {
  const pages = [landingPage(facts), queryPage({ hasComponents: facts.components.length > 0 })]
  for (const { page } of pages) mount(server, page, page.policy)
  for (const file of eachOnce([...sharedPageFiles(), ...pages.flatMap(({ files }) => files)])) mount(server, file)
  // keeps links to the former query editor working
  server.get('/graphiql', async (request, reply) => reply.redirect(`/query${new URL(request.url, 'http://gateway').search}`, 308))
}

function mount(server: FastifyInstance, file: PageFile, policy?: string): void {
  const send = fileSender(file)
  const headers = pageHeaders(policy)
  server.get(file.path, async (request, reply) => send(request, reply.headers(headers)))
}
