import type { HealthProbe } from '../foundation/health.ts'
import { buildSubgraph, type Subgraph } from '../foundation/subgraph.ts'
import { ContentNode } from './entities.type.ts'

/** Component E as a subgraph. So far it tells its health and holds its entity key; it knows no node yet. */
export function createContent(version: string, probes: readonly HealthProbe[]): Promise<Subgraph> {
  return buildSubgraph('content', {
    version,
    probes,
    entities: { ContentNode: () => null },
    orphanedTypes: [ContentNode],
  })
}
