import type { Part } from '../../foundation/lifecycle.ts'
import type { SubgraphSource } from '../../gateway/sources/subgraph-source.ts'

/** Closes the connections to subgraphs after the parts that use them have stopped. */
export const subgraphConnections = (sources: Readonly<Record<string, SubgraphSource>>): Part => ({
  name: 'subgraph connections',
  start: async () => undefined,
  stop: async () => void (await Promise.all(Object.values(sources).map((source) => source.stop()))),
})
