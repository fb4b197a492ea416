import { systemClock } from '../../foundation/clock.ts'
import type { Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { createSubgraphServer } from '../../gateway/protocols/subgraph-server/subgraph-server.ts'
import { principalTokens } from '../../gateway/sources/principal-token.ts'
import type { Composition, Listener } from '../engines/composition.ts'

/** Creates a listener per subgraph for gateways in other processes; none in a process with every role. */
export function subgraphListeners(
  { config, roles, ports, keys, gate, log, requests, admission, readiness, build }: Composition,
  subgraphs: readonly Subgraph[],
): readonly Listener[] {
  if (roles.all) return []
  const { requestTimeoutMs, batchBodyBytes } = config.limits
  const tokens = principalTokens(keys.principalSigning, systemClock, keys.previousPrincipalSigning)
  return subgraphs.map((subgraph) => {
    const part = createSubgraphServer({
      subgraph,
      tokens,
      build,
      gate,
      log,
      requests,
      host: config.bindAddress,
      port: ports.subgraph(subgraph.name),
      bodyBytes: 2 * batchBodyBytes,
      requestTimeoutMs,
      listening: admission.internal,
      readinessProblem: readiness.problem,
    })
    return { part, address: () => [part.name, part.url] }
  })
}
