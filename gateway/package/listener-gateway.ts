import type { Executor } from '../executor/executor.ts'
import { executing, type ReloadableGateway } from '../protocols/graphql-http/apollo-server.ts'
import type { ApolloLogger } from './apollo-logger.ts'
import { CivigraphGateway } from './civigraph-gateway.ts'

/** Logs nothing: errors of ApolloGateway reach the caller of `reload`, and its other messages repeat them. */
const silent: ApolloLogger = { debug: ignored, info: ignored, warn: ignored, error: ignored }
function ignored(): void {}

/** Creates the CivigraphGateway of a listener that builds its executors itself. @param executor - returns the current one */
export function listenerGateway(executor: () => Executor): ReloadableGateway {
  let update: ((sdl: string) => void) | undefined
  const gateway = new CivigraphGateway({
    async supergraphSdl(hook) {
      update = hook.update
      return { supergraphSdl: executor().supergraph }
    },
    createExecutor: executor,
    // the executor has its own sources
    buildService: ({ name }) => ({
      process: async () => {
        throw new Error(`The subgraph "${name}" is called by the executor`)
      },
    }),
    validateSupergraph: false,
    logger: silent,
  })
  gateway.executor = executing(executor)
  return { gateway, reload: () => update?.(executor().supergraph) }
}
