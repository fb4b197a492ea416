import type { SubgraphSource } from '../../gateway/sources/subgraph-source.ts'
import type { Part } from '../../subgraphs/foundation/lifecycle.ts'

/** Lets go of the sources once those who ask them have stopped. */
export const sourcesPart = (sources: Readonly<Record<string, SubgraphSource>>): Part => ({
  name: 'sources',
  start: async () => undefined,
  stop: async () => void (await Promise.all(Object.values(sources).map((source) => source.stop()))),
})
