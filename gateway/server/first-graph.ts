import { messageOf } from '../../foundation/fault.ts'
import type { Executor } from '../executor/executor.ts'
import type { SupergraphOrigin } from '../supergraph/supergraph-origin.ts'
import type { RemoteGraphs } from './remote-graphs.ts'

/** Loads the initial supergraph of a gateway. @throws {Error} naming its origin if it cannot be read or served */
export async function firstGraph(
  origin: SupergraphOrigin,
  graphs: RemoteGraphs,
): Promise<{ readonly sdl: string; readonly executor: Executor }> {
  try {
    const sdl = (await origin.read(new AbortController().signal)) ?? ''
    return { sdl, executor: await graphs.take(sdl) }
  } catch (error) {
    throw new Error(`the supergraph ${origin.name} cannot be served: ${messageOf(error)}`, { cause: error })
  }
}
