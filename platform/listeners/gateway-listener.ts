import { loadOperationManifest } from '../../gateway/admission/operation-manifest.ts'
import type { PersistedQueryStore } from '../../gateway/admission/persisted-operations.ts'
import type { RequestCounter } from '../../gateway/admission/rate-limit.ts'
import { createGatewayServer, type GatewayServer, type GatewayServerOptions } from '../../gateway/server.ts'
import { componentNames } from '../../subgraphs/foundation/component-names.ts'
import { mountPages, type PlatformPages } from '../../web/landing/mount-pages.ts'
import type { Composition, Listener } from '../composition.ts'
import type { Doors } from './rest-listeners.ts'

type Own = Pick<
  GatewayServerOptions,
  'executor' | 'authentication' | 'intake' | 'gate' | 'listLengths' | 'health' | 'requests' | 'telemetry' | 'mayReadPlans'
> & {
  /** keeps persisted queries and counts requests, for all replicas */
  readonly keyValue: PersistedQueryStore & RequestCounter
}

/** GraphQL over HTTP and WebSocket with its pages, as the settings say. @param components - what the landing page leads to */
export async function gatewayListener(
  { config, ports, build, log, certificate }: Pick<Composition, 'config' | 'ports' | 'build' | 'log' | 'certificate'>,
  { keyValue, ...own }: Own,
  components: PlatformPages['components'],
): Promise<Listener & { readonly part: GatewayServer }> {
  const { version } = build
  const { publicUrl } = config
  const { manifest: file, only } = config.persistedOperations
  const manifest = file === undefined ? undefined : await loadOperationManifest(file)
  const part = createGatewayServer({
    ...own,
    persistedQueries: keyValue,
    rateRule: config.rate.requests === 0 ? undefined : { counter: keyValue, ...config.rate },
    registeredOperations: manifest && { manifest: () => manifest, only },
    log,
    certificate,
    version,
    publicUrl,
    host: config.bindAddress,
    port: ports.gateway,
    corsOrigins: config.corsOrigins,
    introspection: config.introspection,
    bodyBytes: config.limits.bodyBytes,
    requestTimeoutMs: config.limits.requestTimeoutMs,
    trustedProxies: config.trustedProxies,
    maxSubscribers: config.subscriptionClients,
    explorer: '/graphiql',
    mountPages: (server) => mountPages(server, { components, version, publicUrl }),
  })
  return { part, address: () => ['GraphQL', `${part.url}/graphql`] }
}

/** The gateway over the five components. */
export function componentsGateway(composition: Composition, doors: Doors): Promise<Listener> {
  const { config, engines, ports } = composition
  return gatewayListener(
    composition,
    {
      ...doors,
      keyValue: engines.keyValue,
      mayReadPlans: ({ user }) => config.tellsPlans || user?.roles.includes('super_admin') === true,
      // lists without a page size, as long as they get
      listLengths: { 'MapView.features': 1000, 'SentimentStatistics.history': 730 },
    },
    componentNames.map((name) => ({ name, port: ports.rest(name) || undefined })),
  )
}
