import { messageOf } from '../../foundation/fault.ts'
import { compose, type Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Executor } from '../executor/executor.ts'
import { type Health, sourceHealth } from '../protocols/health.ts'
import type { SupergraphOrigin } from '../supergraph/supergraph-origin.ts'
import { supergraphWatch } from '../supergraph/supergraph-watch.ts'
import type { GatewayServer } from './gateway-server.ts'
import { RemoteGraphs, type RemoteGraphsOptions } from './remote-graphs.ts'

export interface SupergraphGatewayOptions extends RemoteGraphsOptions {
  readonly origin: SupergraphOrigin
  /** poll interval for a new supergraph, ms */
  readonly everyMs: number
  /** version of the platform, for /health */
  readonly version: string
  readonly log: Log
  /** creates the listener over the initial supergraph */
  readonly listener: (graph: {
    readonly executor: Executor
    readonly health: () => Promise<Health>
  }) => Promise<GatewayServer> | GatewayServer
}

/** The gateway over remote subgraphs, which switches to a new supergraph when it is available. */
export interface SupergraphGateway extends Part {
  /** http://host:port, once started */
  readonly url: string
  /** URLs of its subgraphs, by name */
  readonly addresses: RemoteGraphs['addresses']
  /** Polls immediately for a new supergraph. */
  poll(): void
}

/**
 * Loads the initial supergraph; once started, it listens and polls for the next. @throws {Error} if the supergraph is invalid, a subgraph has no URL,
 * or it protects fields but callers are not authenticated
 */
export async function supergraphGateway({
  origin,
  everyMs,
  version,
  log,
  listener,
  ...options
}: SupergraphGatewayOptions): Promise<SupergraphGateway> {
  const graphs = new RemoteGraphs(options)
  const { sdl, executor } = await firstGraph(origin, graphs)
  const problem = (): string | undefined => watch.problem
  const server = await listener({ executor, health: sourceHealth(() => graphs.sources, version, log, problem) })
  const serve = async (offered: string): Promise<void> => void (await graphs.switchTo(offered, (next) => server.reload(next)))
  const watch = supergraphWatch({ origin, sdl, serve, everyMs, log })
  const connections: Part = { name: 'subgraph connections', start: async () => undefined, stop: () => graphs.stop() }
  return {
    ...compose('gateway', [connections, server, watch]),
    get url() {
      return server.url
    },
    get addresses() {
      return graphs.addresses
    },
    poll: watch.poll,
  }
}

/** Loads the initial supergraph of a gateway. @throws {Error} naming its origin if it cannot be read or served */
async function firstGraph(origin: SupergraphOrigin, graphs: RemoteGraphs): Promise<{ readonly sdl: string; readonly executor: Executor }> {
  try {
    const sdl = (await origin.read(new AbortController().signal)) ?? ''
    return { sdl, executor: await graphs.switchTo(sdl) }
  } catch (error) {
    throw new Error(`the supergraph ${origin.name} cannot be served: ${messageOf(error)}`, { cause: error })
  }
}
