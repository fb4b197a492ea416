import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import { forwardingAuthentication } from '../../foundation/http/authentication.ts'
import type { Log } from '../../foundation/log.ts'
import { readBuildInfo } from '../../foundation/process/build-info.ts'
import { anonymousRequest } from '../admission/request-limits.ts'
import type { EntityCache } from '../caching/entity-cache.ts'
import type { PersistedQueryStore } from '../pipeline/persisted-operations.ts'
import type { OverrideLabels } from '../planning/override-labels.ts'
import { createGatewayServer, type GatewayServerOptions } from '../server/gateway-server.ts'
import { supergraphGateway } from '../server/supergraph-gateway.ts'
import { originOf } from '../supergraph/supergraph-origin.ts'
import { listenerGateway } from './listener-gateway.ts'

export interface ServeOptions {
  /** Federation 2 supergraph: a file path, or a URL that returns one */
  readonly supergraph: string
  /** 0: any free port (default: 4000) */
  readonly port?: number
  /** (default: 127.0.0.1) */
  readonly host?: string
  /** URLs of subgraphs by name, if the supergraph has other ones or none */
  readonly subgraphUrls?: Readonly<Record<string, string>>
  /** request headers forwarded unchanged to the subgraphs, such as `authorization` (default: none) */
  readonly propagateHeaders?: readonly string[]
  /** origins that browsers may call from (default: none) */
  readonly corsOrigins?: readonly string[] | 'any'
  /** maximum request body after decompression; callers are not verified here (default: 262,144) */
  readonly bodyBytes?: number
  /** whether clients may introspect the schema (default: true) */
  readonly introspection?: boolean
  /** time limit of a request, ms (default: 30,000) */
  readonly requestTimeoutMs?: number
  /** interval of checks for a new supergraph, ms (default: 1,000) */
  readonly pollMs?: number
  /** labels of progressive overrides that are on, or a function that decides per operation; `percent(n)` needs neither (default: none) */
  readonly overrideLabels?: OverrideLabels
  /** caches entities as `@cacheControl` declares; call its `invalidate` on changes (default: no cache) */
  readonly entityCache?: EntityCache
  /** plugins of Apollo Server, for queries and mutations; with any, every complete response passes Apollo Server (default: none) */
  readonly plugins?: GatewayServerOptions['plugins']
  readonly log?: Log
}

/** A running gateway. */
export interface ServedGateway extends AsyncDisposable {
  /** http://host:port; GraphQL is at /graphql */
  readonly url: string
  /** Drains: finishes requests in progress and closes subscriptions. */
  stop(): Promise<void>
}

/** names of missing options in error messages; programs that authenticate callers compose the gateway themselves */
const settingNames = {
  addresses: 'subgraphUrls',
  callers: 'createGatewayServer over createExecutor with authorization',
  policies: 'policies in the authorization of createExecutor',
}
/** maximum concurrent sockets, and separately streams; also per address or caller */
const maxSubscribers = 20_000
const subscribersPerClient = 500
const persistedAtMost = { max: 1000, maxSize: 16 * 1024 * 1024 }

/**
 * Serves a supergraph over HTTP, WebSocket, server-sent events and multipart, and reloads it when its file or URL changes. Only the subgraphs
 * authenticate callers; for other setups use `createGatewayServer`. @throws {Error} if the supergraph is invalid or protects fields, a subgraph has
 * no URL, or the port is in use
 */
export async function serve(options: ServeOptions): Promise<ServedGateway> {
  const { supergraph, log = pino(), requestTimeoutMs = 30_000, pollMs = 1000, host = '127.0.0.1', port = 4000 } = options
  const { bodyBytes = anonymousRequest.bytes } = options
  const { version } = readBuildInfo()
  const gateway = await supergraphGateway({
    origin: originOf(supergraph),
    everyMs: pollMs,
    version,
    log,
    urls: options.subgraphUrls ?? {},
    requestTimeoutMs,
    overrideLabels: options.overrideLabels,
    entityCache: options.entityCache,
    settingNames,
    listener: (graph) =>
      createGatewayServer({
        ...graph,
        gatewayOver: listenerGateway,
        plugins: options.plugins ?? [],
        authentication: forwardingAuthentication(options.propagateHeaders ?? []),
        persistedQueries: recentOperations(),
        log,
        host,
        port,
        corsOrigins: options.corsOrigins ?? [],
        introspection: options.introspection ?? true,
        bodyBytes,
        anonymousBodyBytes: bodyBytes,
        requestTimeoutMs,
        maxSubscribers,
        subscribersPerClient,
        version,
      }),
  })
  await gateway.start(new AbortController().signal)
  return { url: gateway.url, stop: gateway.stop, [Symbol.asyncDispose]: gateway.stop }
}

/** Automatic persisted queries of this process only: clients send an unknown operation again. */
function recentOperations(): PersistedQueryStore {
  const texts = new LRUCache<string, string>({ ...persistedAtMost, sizeCalculation: (text) => text.length + 1 })
  return {
    get: async (key) => texts.get(key),
    set: async (key, text, ttl) => texts.set(key, text, { ttl }),
  }
}
