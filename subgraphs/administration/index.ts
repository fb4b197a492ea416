import type { HealthProbe } from '../foundation/health.ts'
import { buildSubgraph, type Subgraph } from '../foundation/subgraph.ts'
import { AdministeredCitizen, Administrator, Delegation } from './entities.type.ts'

/** Component D as a subgraph. So far it tells its health and holds its entity keys; it knows no delegation and no administrator yet. */
export function createAdministration(version: string, probes: readonly HealthProbe[]): Promise<Subgraph> {
  return buildSubgraph('administration', {
    version,
    probes,
    entities: { Citizen: ({ code }) => ({ code }), Delegation: () => null, Administrator: () => null },
    orphanedTypes: [AdministeredCitizen, Administrator, Delegation],
  })
}
