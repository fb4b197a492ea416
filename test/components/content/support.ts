import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '../../../engines/audit/audit-trail.ts'
import { postgresTreeStore } from '../../../engines/tree-store/postgres/postgres-tree-store.ts'
import type { TreeNode, TreeStore } from '../../../engines/tree-store/tree-store.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import type { ContentImportNodeInput } from '../../../subgraphs/content/graphql/node.input.ts'
import { ImportTree } from '../../../subgraphs/content/import/import-tree.ts'
import { TreeTrash } from '../../../subgraphs/content/trash/tree-trash.ts'
import { EditTree } from '../../../subgraphs/content/tree/edit-tree.ts'
import type { EditDependencies, EditRequest, PlaceholderRule } from '../../../subgraphs/content/tree/editing.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { randomFrom } from '../../support/samples/random.ts'

export function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    const [one, two] = [mixed[at], mixed[other]]
    if (one !== undefined && two !== undefined) [mixed[at], mixed[other]] = [two, one]
  }
  return mixed
}

export type Row = ContentImportNodeInput & { readonly id: string }

/** Generates a random tree as rows of an import: ids, parents, positions with gaps and ties. */
export function randomTree(size: number, seed: number, prefix = 'n'): Row[] {
  const next = randomFrom(seed)
  return Array.from(
    { length: size },
    (_, at): Row => ({
      id: `${prefix}${at}`,
      title: `Title ${at}`,
      body: next() < 0.3 ? `Body ${at}` : null,
      position: Math.floor(next() * 5) * 10,
      ...(at === 0 ? {} : { parentId: `${prefix}${Math.floor(next() ** 2 * at)}` }),
    }),
  )
}

/** A request of an administrator without a deadline. */
export const editing = (subject = 'editor'): EditRequest => ({
  principal: { user: { issuer: 'https://issuer.test', subject, roles: ['group_admin'], groups: [], expiresAt: 4e9 } },
  requestId: 'request',
  deadline: new Deadline({ timeoutMs: Number.POSITIVE_INFINITY }),
})

/** Dependencies of tree changes on a store. @param audit - by default records nothing */
export const partsOn = (
  store: TreeStore,
  placeholderIn: PlaceholderRule = async () => undefined,
  audit: EditDependencies['audit'] = { record: async () => undefined },
): EditDependencies => ({ store, clock: systemClock, audit, placeholderIn })

/** Editing of trees on a store, without a server. */
export interface Trees extends AsyncDisposable {
  readonly store: TreeStore
  readonly edit: EditTree
  readonly trash: TreeTrash
  readonly imports: ImportTree
  /** Records of the audit trail. */
  readonly accounted: readonly AuditEntry[]
  newTenant(): string
  bring(
    tenant: string,
    rows: readonly ContentImportNodeInput[],
    mode?: 'upsert' | 'replace',
    dryRun?: boolean,
  ): ReturnType<ImportTree['finish']>
  all(tenant: string): Promise<readonly TreeNode[]>
}

export async function openTrees(placeholderIn?: PlaceholderRule): Promise<Trees> {
  const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(embeddedEngine)
  const store = postgresTreeStore(database)
  return { ...treesOn(store, placeholderIn), [Symbol.asyncDispose]: () => dispose() }
}

/** @param audit - by default records to `accounted` */
export function treesOn(
  store: TreeStore,
  placeholderIn?: PlaceholderRule,
  audit?: EditDependencies['audit'],
): Omit<Trees, keyof AsyncDisposable> {
  const signal = AbortSignal.timeout(300_000)
  const accounted: AuditEntry[] = []
  const recorded = { record: async (_: unknown, entries: readonly AuditEntry[]) => void accounted.push(...entries) }
  const parts = partsOn(store, placeholderIn, audit ?? recorded)
  const imports = new ImportTree(parts)
  return {
    store,
    edit: new EditTree(parts),
    trash: new TreeTrash(parts),
    imports,
    accounted,
    newTenant: () => `t-${randomUUID()}`,
    async bring(tenant, rows, mode = 'upsert', dryRun = false) {
      const request = editing()
      const id = await imports.start(tenant, mode, dryRun, request)
      for (let at = 0; at * 1000 < Math.max(1, rows.length); at++)
        await imports.append(id, at, rows.slice(at * 1000, at * 1000 + 1000), request.deadline)
      for (;;) {
        const summary = await imports.finish(id, true, request)
        if (summary !== undefined) return summary
      }
    },
    async all(tenant) {
      const view = await store.latest(tenant, signal)
      const nodes: TreeNode[] = []
      for (;;) {
        const page = (await view?.slice(nodes.at(-1)?.orderKey, 1000, signal)) ?? []
        nodes.push(...page)
        if (page.length < 1000) return nodes
      }
    },
  }
}

/** Fields of nodes that clients see, without the times of changes. */
export const shape = (nodes: readonly TreeNode[]) =>
  nodes.map(({ id, parentId, position, depth, childrenCount, title, body, slug }) => ({
    id,
    parentId,
    position,
    depth,
    childrenCount,
    title,
    body,
    slug,
  }))
/** Invariants of every tree after every change. */
export function brokenRules(nodes: readonly TreeNode[]): readonly string[] {
  const problems: string[] = []
  const open: TreeNode[] = []
  const children = new Map<string, TreeNode[]>()
  for (const [at, node] of nodes.entries()) {
    if (at > 0 && node.orderKey <= (nodes[at - 1]?.orderKey ?? '')) problems.push(`${node.id} is out of order`)
    while (open.length > node.depth) open.pop()
    const above = open.at(-1)
    if ((above?.id ?? null) !== node.parentId) problems.push(`${node.id} is below ${above?.id} and not below ${node.parentId}`)
    if (open.length !== node.depth) problems.push(`${node.id} has depth ${node.depth}`)
    open.push(node)
    if (node.parentId !== null) children.set(node.parentId, [...(children.get(node.parentId) ?? []), node])
  }
  for (const node of nodes) {
    const below = children.get(node.id) ?? []
    if (below.length !== node.childrenCount) problems.push(`${node.id} counts ${node.childrenCount} children and has ${below.length}`)
    for (const [at, child] of below.entries()) {
      const before = below[at - 1]
      if (before && (before.position > child.position || (before.position === child.position && before.id > child.id)))
        problems.push(`${child.id} is after its position`)
    }
  }
  if (new Set(nodes.map(({ id }) => id)).size !== nodes.length) problems.push('an id is there twice')
  return problems
}
