import type { PartitionedKeyValue } from '../../engines/key-value/key-value.ts'
import { componentNames } from '../../foundation/component-names.ts'
import { loadOperationManifest } from '../../gateway/admission/operation-manifest.ts'
import { createGatewayServer, type GatewayServer, type GatewayServerOptions } from '../../gateway/server.ts'
import type { LandingFacts } from '../../web/landing/page.ts'
import type { Composition, Listener } from '../composition.ts'
import { mountPages } from './mount-pages.ts'
import type { Doors } from './rest-listeners.ts'

type GatewayDoors = Omit<Doors, 'graphql'>

type Own = Pick<
  GatewayServerOptions,
  'executor' | 'authentication' | 'intake' | 'gate' | 'listLengths' | 'longestList' | 'health' | 'requests' | 'telemetry' | 'mayReadPlans'
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
    mountPages: (server) => mountPages(server, { components, version, publicUrl }),
  })
  return { part, address: () => ['GraphQL', `${part.url}/graphql`] }
}

/** Creates the gateway over the five components; without the gateway role it serves only the console. */
export function componentsGateway(composition: Composition, doors: GatewayDoors): Promise<Listener & { readonly part: GatewayServer }> {
  const { config, engines, ports, roles } = composition
  return gatewayListener(
    composition,
    {
      ...doors,
      keyValue: engines.keyValue,
      mayReadPlans: ({ user }) => config.tellsPlans || user?.roles.includes('super_admin') === true,
      // assumed lengths of lists without a page size
      listLengths: { 'MapView.features': 1000, 'SentimentStatistics.history': 730 },
      // the field itself refuses a larger size and names the argument
      longestList: 1000,
    },
    componentNames.map((name) => ({ name, port: ports.rest(name) || undefined })),
    roles.gateway ? ports.gateway : undefined,
  )
}
