import { type AuditNote, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { ContentFallback } from '../../engines/tree-store/fallback/content-fallback.ts'
import type { TreeSnapshots } from '../../engines/tree-store/tree-snapshot.ts'
import type { TreeStore } from '../../engines/tree-store/tree-store.ts'
import type { Typesetter } from '../../engines/typesetting/typesetter.ts'
import type { Clock } from '../../foundation/clock.ts'
import { totalCountOf } from '../../foundation/graphql/total-count.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { compose, type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { buildSubgraph, type Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { isTenant } from '../../foundation/validation/values.ts'
import { ContentResolver } from './graphql/content.resolver.ts'
import { ContentEditingResolver } from './graphql/content-editing.resolver.ts'
import { ContentLinkResolver } from './graphql/content-link.resolver.ts'
import { ContentPdfResolver } from './graphql/content-pdf.resolver.ts'
import { ContentNodeConnection, ContentSubtreeConnection } from './graphql/node.type.ts'
import { TenantResolver } from './graphql/tenant.resolver.ts'
import { TrashResolver } from './graphql/trash.resolver.ts'
import { ImportTree } from './import/import-tree.ts'
import { PdfGenerator, type PdfLimits } from './pdf/pdf-generator.ts'
import { ReadableTenants } from './readable-tenants.ts'
import { RevokedLinks } from './revoked-links.ts'
import { oldestRetained, TreeTrash } from './trash/tree-trash.ts'
import { EditTree } from './tree/edit-tree.ts'
import type { PlaceholderRule } from './tree/editing.ts'
import { readWritten } from './tree/read-tree.ts'
import { snapshotUpkeep } from './tree/snapshot-upkeep.ts'
import { guarded, storeCircuit } from './tree/store-circuit.ts'
import { TreeAccess, TreeSizes } from './tree/tree-access.ts'

export interface ContentEngines {
  readonly store: TreeStore
  readonly snapshots: TreeSnapshots
  /** content of the operator, for tenants without a snapshot */
  readonly fallback?: ContentFallback | undefined
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
  /** tenants that are read with a role or a signed link only (default: none) */
  readonly privateTenants?: readonly string[]
  /** URL of the REST component for the addresses of files; default: relative addresses */
  readonly publicUrl?: string | undefined
}

export interface ContentSubgraphEngines extends ContentEngines {
  readonly typesetter: Typesetter
  /** sign links to private tenants, 32 bytes each, the current one first */
  readonly linkKeys: readonly [Uint8Array, ...Uint8Array[]]
  /** contains the audit trail */
  readonly database: Database
  readonly auditNote?: AuditNote | undefined
}

/** Creates component E as a subgraph: one content tree per tenant, public to read, changed by its administrators. */
export function createContent(
  engines: ContentSubgraphEngines,
  { version, pdf, placeholderIn, trashDays, privateTenants = [], publicUrl = '' }: ContentOptions,
): Promise<Subgraph> {
  const { store, snapshots, fallback, clock, typesetter } = engines
  const circuit = storeCircuit(clock)
  const revoked = new RevokedLinks(engines.database)
  const tenants = new ReadableTenants({ privateTenants, keys: engines.linkKeys, clock, revoked })
  const access = new TreeAccess(store, withFallback(snapshots, fallback), circuit, (tenant) => tenants.isPrivate(tenant))
  const writable = guarded(store, circuit)
  const sizes = new TreeSizes()
  const reading = new ContentResolver(access, tenants, sizes)
  const shown = readWritten((tenant, signal) => store.latest(tenant, signal))
  const audit = new AuditTrail(engines.database, engines.auditNote)
  const parts = { store: writable, clock, audit, placeholderIn }
  const editing = new ContentEditingResolver(new EditTree(parts), new ImportTree(parts), shown)
  const trash = new TrashResolver(new TreeTrash(parts), reading, shown, trashDays)
  const printing = new ContentPdfResolver(new PdfGenerator(access, typesetter, pdf), tenants, publicUrl)
  return buildSubgraph('content', {
    version,
    noteRefusal: (mutation, context) => audit.recordRefusal(mutation, context),
    probes: probesOf(engines),
    resolvers: [
      reading,
      new TenantResolver(access, tenants, sizes),
      totalCountOf(ContentNodeConnection, []),
      totalCountOf(ContentSubtreeConnection, []),
      editing,
      trash,
      printing,
      new ContentLinkResolver({ tenants, revoked, database: engines.database, audit, publicUrl, clock }),
    ],
    openFile: printing.openFile,
    entities: {
      ContentNode: ({ tenantId, id }, context) =>
        isTenant(String(tenantId)) ? reading.readable(String(tenantId), String(id), context) : null,
      Tenant: ({ id }) => (isTenant(String(id)) ? { id } : null),
    },
  })
}

/** Without its store the component still reads from snapshots; it is down when there is no snapshot either. */
function probesOf({ store, snapshots, fallback }: ContentEngines): readonly HealthProbe[] {
  const check = (signal: AbortSignal): Promise<void> => store.health(signal)
  const orSnapshot = async (signal: AbortSignal): Promise<void> => {
    const held = [...(await snapshots.versions()), ...((await fallback?.versions()) ?? [])]
    if (held.length === 0) await check(signal)
  }
  return [
    { name: 'tree_store', engine: store.engine, essential: false, check },
    { name: 'snapshot', engine: 'files', essential: true, check: orSnapshot },
    ...(fallback === undefined
      ? []
      : [{ name: 'fallback', engine: 'files', essential: false, check: async () => refuseProblems(fallback) }]),
  ]
}

/** @throws {Error} with the sentences about files that are refused */
function refuseProblems(fallback: ContentFallback): void {
  const problems = fallback.problems()
  if (problems.length > 0) throw new Error(problems.join(' '))
}

/** The process's own snapshots are newer than the content that an operator provided. */
const withFallback = (own: TreeSnapshots, fallback: ContentFallback | undefined): Pick<TreeSnapshots, 'latest'> =>
  fallback === undefined ? own : { latest: async (tenant) => (await own.latest(tenant)) ?? fallback.latest(tenant) }

const purgeEveryMs = 600_000
/** how long superseded versions and unfinished imports remain */
const retentionMs = 3_600_000

/** Creates the background work of component E. */
export function createContentUpkeep(
  { store, snapshots, fallback, clock, log }: ContentEngines,
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
  return compose('content upkeep', [snapshotUpkeep({ store, snapshots, log }), purge, ...(fallback === undefined ? [] : [fallback.upkeep])])
}
