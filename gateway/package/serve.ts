import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import type { Log } from '../../foundation/log.ts'
import { readBuildInfo } from '../../foundation/process/build-info.ts'
import type { PersistedQueryStore } from '../admission/persisted-operations.ts'
import { anonymousRequest } from '../admission/request-limits.ts'
import type { EntityCache } from '../caching/entity-cache.ts'
import { forwardingAuthentication } from '../http/authentication.ts'
import type { OverrideLabels } from '../planning/override-labels.ts'
import { createGatewayServer } from '../server.ts'
import { originOf } from '../supergraph/reload/supergraph-origin.ts'
import { supergraphGateway } from '../supergraph/supergraph-gateway.ts'

export interface ServeOptions {
  /** a federation v2 supergraph: path of a file, or an http address that answers with one */
  readonly supergraph: string
  /** 0: any free one (default: 4000) */
  readonly port?: number
  /** (default: 127.0.0.1) */
  readonly host?: string
  /** where subgraphs answer, by name, when the supergraph has another address of them or none */
  readonly subgraphUrls?: Readonly<Record<string, string>>
  /** headers of a request that reach its subgraphs as they came, such as `authorization` (default: none) */
  readonly propagateHeaders?: readonly string[]
  /** origins that browsers may call from (default: none) */
  readonly corsOrigins?: readonly string[] | 'any'
  /** largest request body after decompression; callers are not verified here (default: 262,144) */
  readonly bodyBytes?: number
  /** whether clients may read the schema (default: yes) */
  readonly introspection?: boolean
  /** longest time of a request, ms (default: 30,000) */
  readonly requestTimeoutMs?: number
  /** between two looks for another supergraph, ms (default: 1,000) */
  readonly pollMs?: number
  /** labels of progressive overrides that are on, or what decides on them for each operation; `percent(n)` needs neither (default: none) */
  readonly overrideLabels?: OverrideLabels
  /** keeps what subgraphs give of entities for as long as `@cacheControl` says; its `invalidate` is yours to call (default: none is kept) */
  readonly entityCache?: EntityCache
  readonly log?: Log
}

/** A gateway that serves. */
export interface ServedGateway extends AsyncDisposable {
  /** http://host:port; GraphQL is at /graphql */
  readonly url: string
  /** Drains: what is being answered is finished, subscriptions are told to go. */
  stop(): Promise<void>
}

/** by what a program says what is missing; those who know their callers put the gateway together themselves */
const settingNames = {
  addresses: 'subgraphUrls',
  callers: 'createGatewayServer over createExecutor with authorization',
  policies: 'policies in the authorization of createExecutor',
}
/** sockets at once, and as many streams; those of one address or caller */
const maxSubscribers = 20_000
const subscribersPerClient = 500
const persistedAtMost = { max: 1000, maxSize: 16 * 1024 * 1024 }

/**
 * Serves a supergraph over HTTP, WebSocket, server-sent events and multipart, and the next one as soon as its file or address offers it.
 * Callers are known to the subgraphs alone; a program that knows them itself puts `createGatewayServer` together.
 * @throws {Error} when it is no supergraph, protects fields, or a subgraph of it has no address; or when the port is taken
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

/** Automatic persisted queries of this process alone: a client whose operation is no longer here sends it again. */
function recentOperations(): PersistedQueryStore {
  const texts = new LRUCache<string, string>({ ...persistedAtMost, sizeCalculation: (text) => text.length + 1 })
  return {
    get: async (key) => texts.get(key),
    set: async (key, text, ttl) => texts.set(key, text, { ttl }),
  }
}
