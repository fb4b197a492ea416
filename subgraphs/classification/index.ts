import type { HealthProbe } from '../foundation/health.ts'
import { buildSubgraph, type Subgraph } from '../foundation/subgraph.ts'
import { Expression } from './entities.type.ts'

/** Component C as a subgraph. So far it tells its health and holds its entity key; it knows no expression yet. */
export function createClassification(version: string, probes: readonly HealthProbe[]): Promise<Subgraph> {
  return buildSubgraph('classification', {
    version,
    probes,
    entities: { Expression: () => null },
    orphanedTypes: [Expression],
  })
}
