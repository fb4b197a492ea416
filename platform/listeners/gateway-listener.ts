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
  /** stores persisted queries and counts requests, for all replicas */
  readonly keyValue: Pick<PartitionedKeyValue, 'partition'>
}

/**
 * GraphQL over HTTP and WebSocket with its pages, as the settings say.
 * @param components - what the landing page leads to   @param port - undefined: it listens nowhere, and answers behind another listener
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
    // the listener before it notes them
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

/** The gateway over the five components; in a process without that role it stands behind the console alone. */
export function componentsGateway(composition: Composition, doors: GatewayDoors): Promise<Listener & { readonly part: GatewayServer }> {
  const { config, engines, ports, roles } = composition
  return gatewayListener(
    composition,
    {
      ...doors,
      keyValue: engines.keyValue,
      mayReadPlans: ({ user }) => config.tellsPlans || user?.roles.includes('super_admin') === true,
      // lists without a page size, as long as they get
      listLengths: { 'MapView.features': 1000, 'SentimentStatistics.history': 730 },
      // what asks for more is refused by the field, which names the argument
      longestList: 1000,
    },
    componentNames.map((name) => ({ name, port: ports.rest(name) || undefined })),
    roles.gateway ? ports.gateway : undefined,
  )
}
