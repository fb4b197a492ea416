import type { HealthProbe } from '../foundation/health.ts'
import { buildSubgraph, type Subgraph } from '../foundation/subgraph.ts'
import { Domain, VotedExpression } from './entities.type.ts'

/** Component B as a subgraph. So far it tells its health and holds its entity keys; it knows no domain and no expression yet. */
export function createExploration(version: string, probes: readonly HealthProbe[]): Promise<Subgraph> {
  return buildSubgraph('exploration', {
    version,
    probes,
    entities: { Domain: () => null, Expression: () => null },
    orphanedTypes: [Domain, VotedExpression],
  })
}
