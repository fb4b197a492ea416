import { type AuditNote, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { TreeSnapshots } from '../../engines/tree-store/tree-snapshot.ts'
import type { TreeStore } from '../../engines/tree-store/tree-store.ts'
import type { Typesetter } from '../../engines/typesetting/typesetter.ts'
import type { Clock } from '../../foundation/clock.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { compose, type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { buildSubgraph, type Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { isTenant } from '../../foundation/validation/values.ts'
import { ContentResolver } from './graphql/content.resolver.ts'
import { ContentEditingResolver } from './graphql/content-editing.resolver.ts'
import { ContentPdfResolver } from './graphql/content-pdf.resolver.ts'
import { TenantResolver } from './graphql/tenant.resolver.ts'
import { TrashResolver } from './graphql/trash.resolver.ts'
import { ImportTree } from './import/import-tree.ts'
import { PdfGenerator, type PdfLimits } from './pdf/pdf-generator.ts'
import { tenantOf } from './tenant.ts'
import { oldestRetained, TreeTrash } from './trash/tree-trash.ts'
import { EditTree } from './tree/edit-tree.ts'
import type { PlaceholderRule } from './tree/editing.ts'
import { readWritten } from './tree/read-tree.ts'
import { snapshotUpkeep } from './tree/snapshot-upkeep.ts'
import { guarded, storeCircuit } from './tree/store-circuit.ts'
import { TreeAccess } from './tree/tree-access.ts'

export interface ContentEngines {
  readonly store: TreeStore
  readonly snapshots: TreeSnapshots
  readonly clock: Clock
  readonly log: Log
}

export interface ContentOptions {
  readonly version: string
  readonly pdf: PdfLimits
  /** decides which trees the first root of a tenant replaces */
  readonly placeholderIn: PlaceholderRule
  /** days for which deleted content can be restored */
  readonly trashDays: number
  /** URL of the REST component for the addresses of files; default: relative addresses */
  readonly publicUrl?: string | undefined
}

export interface ContentSubgraphEngines extends ContentEngines {
  readonly typesetter: Typesetter
  /** contains the audit log */
  readonly database: Database
  readonly auditNote?: AuditNote | undefined
}

/** Creates component E as a subgraph: one content tree per tenant, public to read, changed by its administrators. */
export function createContent(
  engines: ContentSubgraphEngines,
  { version, pdf, placeholderIn, trashDays, publicUrl = '' }: ContentOptions,
): Promise<Subgraph> {
  const { store, snapshots, clock, typesetter } = engines
  const circuit = storeCircuit(clock)
  const access = new TreeAccess(store, snapshots, circuit)
  const writable = guarded(store, circuit)
  const reading = new ContentResolver(access)
  const shown = readWritten((tenant, signal) => store.latest(tenant, signal))
  const audit = new AuditTrail(engines.database, engines.auditNote)
  const parts = { store: writable, clock, audit, placeholderIn }
  const editing = new ContentEditingResolver(new EditTree(parts), new ImportTree(parts), shown)
  const trash = new TrashResolver(new TreeTrash(parts), reading, shown, trashDays)
  const printing = new ContentPdfResolver(new PdfGenerator(access, typesetter, pdf), publicUrl)
  return buildSubgraph('content', {
    version,
    noteRefusal: (mutation, context) => audit.recordRefusal(mutation, context),
    probes: probesOf(engines),
    resolvers: [reading, new TenantResolver(access), editing, trash, printing],
    openFile: printing.openFile,
    entities: {
      ContentNode: ({ tenantId, id }, context) =>
        isTenant(String(tenantId)) ? reading.node(tenantOf(context.principal, String(tenantId)), String(id), context) : null,
      Tenant: ({ id }) => (isTenant(String(id)) ? { id } : null),
    },
  })
}

/** Without its store the component still reads from snapshots; it is down when there is no snapshot either. */
function probesOf({ store, snapshots }: ContentEngines): readonly HealthProbe[] {
  const check = (signal: AbortSignal): Promise<void> => store.health(signal)
  const orSnapshot = async (signal: AbortSignal): Promise<void> => {
    if ((await snapshots.versions()).length === 0) await check(signal)
  }
  return [
    { name: 'tree_store', engine: store.engine, essential: false, check },
    { name: 'snapshot', engine: 'files', essential: true, check: orSnapshot },
  ]
}

const purgeEveryMs = 600_000
/** how long superseded versions and unfinished imports remain */
const retentionMs = 3_600_000

/** Creates the background work of component E. */
export function createContentUpkeep(
  { store, snapshots, clock, log }: ContentEngines,
  { trashDays }: Pick<ContentOptions, 'trashDays'>,
): Part {
  const purge = periodic(
    'purge of content',
    purgeEveryMs,
    async (signal) => {
      await store.purge(new Date(clock.now() - retentionMs), signal)
      await store.trash.expire(oldestRetained(clock.now(), trashDays), signal)
    },
    (error) => log.warn({ err: error }, 'old versions of content could not be removed; the next round retries'),
  )
  return compose('content upkeep', [snapshotUpkeep({ store, snapshots, log }), purge])
}
