import type { TreeStore } from '../engines/tree-store/tree-store.ts'
import type { Clock } from '../foundation/clock.ts'
import type { HealthProbe } from '../foundation/health.ts'
import { type Part, periodic } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import { buildSubgraph, type Subgraph } from '../foundation/subgraph.ts'
import { ContentResolver } from './content.resolver.ts'
import { ContentEditingResolver } from './content-editing.resolver.ts'
import { EditTree } from './edit-tree.ts'
import { ImportTree } from './import-tree.ts'
import { storeAccess } from './tree-access.ts'

export interface ContentEngines {
  readonly store: TreeStore
  readonly clock: Clock
  readonly log: Log
}

/** Component E as a subgraph: one tree of content per tenant, read by everybody, changed by its administrators. */
export function createContent(engines: ContentEngines, version: string): Promise<Subgraph> {
  const { store, clock } = engines
  const access = storeAccess(store)
  const reading = new ContentResolver(access)
  const editing = new ContentEditingResolver(new EditTree(store, clock), new ImportTree(store, clock), (tenant, signal) =>
    store.latest(tenant, signal),
  )
  return buildSubgraph('content', {
    version,
    probes: probesOf(engines),
    resolvers: [reading, editing],
    entities: { ContentNode: ({ tenantId, id }, context) => reading.node(String(tenantId), String(id), context) },
  })
}

function probesOf({ store }: ContentEngines): readonly HealthProbe[] {
  return [{ name: 'tree_store', engine: store.engine, essential: true, check: (signal) => store.health(signal) }]
}

const purgeEveryMs = 600_000
/** how long readers may go on with a version that was superseded, and importers with an import */
const keptMs = 3_600_000

/** What component E does beside answering. */
export function createContentUpkeep({ store, clock, log }: ContentEngines): Part {
  return periodic(
    'purge of content',
    purgeEveryMs,
    (signal) => store.purge(new Date(clock.now() - keptMs), signal),
    (error) => log.warn({ err: error }, 'old versions of content could not be removed; the next round tries again'),
  )
}
