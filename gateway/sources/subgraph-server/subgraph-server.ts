import { type LoadGate, openDoor } from '../../../foundation/concurrency/load-gate.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { anonymousRequest } from '../../admission/request-limits.ts'
import { type GraphqlSocket, graphqlSocket, largestMessageBytes } from '../../graphql-ws/graphql-socket.ts'
import { type ListenerLimits, listener } from '../../http/listener.ts'
import { listenerUrl } from '../../http/listener-url.ts'
import type { RequestNotes } from '../../http/request-notes.ts'
import { cutSlowReaders } from '../../http/slow-readers.ts'
import { inProcessSource } from '../in-process-source.ts'
import type { ServedSubgraph } from './served-subgraph.ts'
import { subgraphRoutes } from './subgraph-routes.ts'
import { subscriptionHooks } from './subscription-hooks.ts'

export interface SubgraphServerOptions extends Omit<ServedSubgraph, 'source' | 'door'> {
  readonly host: string
  /** 0: any free one */
  readonly port: number
  readonly bodyBytes: number
  /** notes requests and their answers (default: nobody does) */
  readonly requests?: RequestNotes | undefined
  /** asked before anything is begun; everything may begin when absent */
  readonly gate?: Pick<LoadGate, 'door'>
  /** limits of the listener that are not the usual ones */
  readonly listening?: Partial<ListenerLimits>
}

/** A subgraph on a port of its own. */
export interface SubgraphServer extends Part {
  /** where GraphQL answers, once started: http://…/graphql */
  readonly url: string
}

const graceMs = 10_000
const maxFileIdLength = 1000

/**
 * Serves a subgraph to its gateway: POST /graphql, graphql-transport-ws on the same path, GET /files/{id} where it has files, GET
 * /health/live. Every operation and every request for a file must carry a principal token; operations come from the gateway's query planner and are executed without validation.
 */
export function createSubgraphServer(options: SubgraphServerOptions): SubgraphServer {
  const { subgraph, log, host, port, bodyBytes } = options
  const served: ServedSubgraph = { ...options, source: inProcessSource(subgraph), door: options.gate?.door('subgraph') ?? openDoor }
  let socket: GraphqlSocket | undefined
  const server = listener(
    undefined,
    () => socket !== undefined,
    {
      bodyLimit: bodyBytes,
      forceCloseConnections: 'idle',
      // what comes over a connection that is still open while it drains is answered: a balancer may keep it, and hear of the end later
      return503OnClosing: false,
      routerOptions: { maxParamLength: maxFileIdLength },
    },
    options.listening,
  )
  cutSlowReaders(server)
  options.requests?.observe(server, `subgraph ${subgraph.name}`)
  subgraphRoutes(server, served)

  return {
    name: `subgraph ${subgraph.name}`,
    get url() {
      return `${listenerUrl(server.server, host)}/graphql`
    },
    async start() {
      await server.listen({ host, port })
      // The gateway's message holds a client's in other words and with a token, and its connection is shared by all clients.
      const messageBytes = 8 * largestMessageBytes
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
