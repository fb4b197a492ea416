import { alwaysOpenGate, type LoadGate } from '../../../foundation/concurrency/load-gate.ts'
import { type ListenerLimits, listener } from '../../../foundation/http/listener.ts'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import type { RequestTelemetry } from '../../../foundation/http/request-telemetry.ts'
import { cutSlowReaders } from '../../../foundation/http/slow-readers.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { anonymousRequest } from '../../admission/request-limits.ts'
import { inProcessSource } from '../../sources/in-process-source.ts'
import { type GraphqlSocket, graphqlSocket, maxMessageBytes } from '../graphql-ws/graphql-socket.ts'
import { readinessRoutes } from '../health.ts'
import { type ServedSubgraph, subgraphRoutes } from './subgraph-routes.ts'
import { subscriptionHooks } from './subscription-hooks.ts'

export interface SubgraphServerOptions extends Omit<ServedSubgraph, 'source' | 'gate'> {
  readonly host: string
  /** 0: any free port */
  readonly port: number
  readonly bodyBytes: number
  /** records requests and responses (default: off) */
  readonly requests?: RequestTelemetry | undefined
  /** checked before any work; absent: everything is admitted */
  readonly gate?: Pick<LoadGate, 'forProtocol'>
  /** returns why this process must not get requests, for /health/ready (default: nothing) */
  readonly readinessProblem?: () => string | undefined
  /** limits that differ from the defaults */
  readonly listening?: Partial<ListenerLimits>
}

/** The server of a subgraph. */
export interface SubgraphServer extends Part {
  /** URL of its GraphQL endpoint once started: http://…/graphql */
  readonly url: string
}

const graceMs = 10_000
const maxFileIdLength = 1000

/**
 * Serves a subgraph to its gateway: POST /graphql, graphql-transport-ws on the same path, GET /files/{id} if it has files, GET /health/live and /health/ready. Every
 * operation and file request needs a principal token; operations come from the query planner and are not validated.
 */
export function createSubgraphServer(options: SubgraphServerOptions): SubgraphServer {
  const { subgraph, log, host, port, bodyBytes } = options
  const served: ServedSubgraph = {
    ...options,
    source: inProcessSource(subgraph),
    gate: options.gate?.forProtocol('subgraph') ?? alwaysOpenGate,
  }
  let socket: GraphqlSocket | undefined
  const server = listener(
    undefined,
    () => socket !== undefined,
    {
      bodyLimit: bodyBytes,
      forceCloseConnections: 'idle',
      // answers requests on open connections during a drain, which a balancer may still use
      return503OnClosing: false,
      routerOptions: { maxParamLength: maxFileIdLength },
    },
    options.listening,
  )
  cutSlowReaders(server)
  options.requests?.observe(server, `subgraph ${subgraph.name}`)
  subgraphRoutes(server, served)
  readinessRoutes(server, () => socket !== undefined, options.readinessProblem)

  return {
    name: `subgraph ${subgraph.name}`,
    get url() {
      return `${listenerUrl(server.server, host)}/graphql`
    },
    async start() {
      await server.listen({ host, port })
      // A gateway message contains a rewritten client message and a token, on a connection shared by all clients.
      const messageBytes = 8 * maxMessageBytes
      socket = graphqlSocket({
        server: server.server,
        path: '/graphql',
        log,
        messageBytes,
        // in all, until an operation carries a principal token
        limitsBeforeAdmission: { ...anonymousRequest, bytes: messageBytes },
        hooks: subscriptionHooks(served, messageBytes),
      })
    },
    async stop() {
      const open = socket
      socket = undefined
      await open?.stop()
      const force = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await server.close()
      clearTimeout(force)
    },
  }
}
