import { isCut, type TreeNode, type TreeStore, type TreeView } from '../../../engines/tree-store/tree-store.ts'
import { Fault, NotFound } from '../../../foundation/fault.ts'
import { type PageWindow, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors, foreignCursor } from '../../../foundation/graphql/cursors.ts'
import { type PageRequest, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import { ContentBodyFormat, type ContentSource } from '../vocabulary.ts'
import { inReadTurn, type Reader } from './read-turn.ts'
import type { TreeAccess, TreeReading, TreeSizes } from './tree-access.ts'

export const nodesOfPage = { defaultSize: 20, maxSize: 1000 } as const
/** maximum of ids in a path */
export const maxPathLength = 100

/** A node with the version that it was read from. */
export interface ReadNode extends TreeNode {
  readonly tenantId: string
  readonly bodyFormat: ContentBodyFormat
  readonly view: TreeView
}

/** A page of a list of nodes, which counts them when `totalCount` is requested. */
export type NodePage = ReturnType<typeof pageOf<ReadNode>> & CountablePage

export function readNode(node: TreeNode, { view }: Pick<TreeReading, 'view'>): ReadNode {
  return { ...node, tenantId: view.version.tenant, bodyFormat: ContentBodyFormat.MARKDOWN, view }
}

/** Returns a written node from the version that contains it, for its path and children. */
export type ReadWritten = (tenant: string, node: TreeNode, signal: AbortSignal) => Promise<ReadNode>

export function readWritten(latest: TreeStore['latest']): ReadWritten {
  return async (tenant, node, signal) => {
    const view = await latest(tenant, signal)
    if (view === undefined) throw new NotFound('Node not found')
    return readNode(node, { view })
  }
}

/** Version and source of a reading. */
export interface ReadingSource {
  readonly version: number
  readonly source: ContentSource
  /** null for the store */
  readonly snapshotAt: Date | null
  readonly isPrivate: boolean
}

export const sourceOf = ({ source, view, isPrivate }: TreeReading): ReadingSource => ({
  version: view.version.number,
  source,
  snapshotAt: source === 'store' ? null : view.version.at,
  isPrivate,
})

/** A position in a subtree or list of children of one version. */
interface Place {
  readonly version: number
  readonly orderKey: string
}

/** @throws {Fault} MALFORMED for a cursor of another list */
function placeOf(cursor: string, cursors: Cursors): Place {
  const [version, orderKey] = cursors.placeOf(cursor, 2)
  if (isVersion(version) && typeof orderKey === 'string' && /^[0-9A-Za-z]{1,200}$/.test(orderKey)) return { version, orderKey }
  throw foreignCursor()
}

/** stores use 32-bit versions */
const isVersion = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31

/** Returns the version of a cursor. @throws {Fault} MALFORMED when it is no longer stored */
export async function readingOf(access: TreeAccess, tenant: string, version: number, signal: AbortSignal): Promise<TreeReading> {
  const reading = await access.at(tenant, version, signal)
  if (reading === undefined) throw new Fault('MALFORMED', 'The cursor has expired; start from the first page')
  return reading
}

/** Returns one page of the direct children of a node. */
export async function childrenOf(
  node: Pick<ReadNode, 'id' | 'view' | 'childrenCount'>,
  wanted: Pick<PageRequest, 'first' | 'after'>,
  at: (version: number) => Promise<TreeReading>,
  context: Reader,
): Promise<NodePage> {
  const { signal } = context
  const cursors = new Cursors(['ContentNode.children', node.view.version.tenant, node.id])
  const window = pageWindow(wanted, nodesOfPage, (cursor) => placeOf(cursor, cursors))
  const { beyond: place } = window
  const isOwn = place === undefined || place.version === node.view.version.number
  const { view } = isOwn ? node : await at(place.version)
  const isEmpty = place === undefined && node.childrenCount === 0
  const nodes = isEmpty ? [] : await inReadTurn(context, () => view.children(node.id, place?.orderKey, window.limit, signal))
  const count = async (): Promise<number> => (isOwn ? node : (await view.nodes([node.id], signal))[0])?.childrenCount ?? 0
  return { ...connectionOf(nodes, { ...window, isCut: isCut(nodes) }, cursors, { view }), count }
}

/** Returns one page of a node and its descendants in pre-order; undefined when the node does not exist. */
export async function subtreeOf(
  access: TreeAccess,
  sizes: TreeSizes,
  tenant: string,
  id: string | null | undefined,
  wanted: Pick<PageRequest, 'first' | 'after'>,
  context: Reader,
): Promise<(NodePage & { readonly reading: TreeReading }) | undefined> {
  const cursors = new Cursors(['contentSubtree', tenant, id ?? ''])
  const window = pageWindow(wanted, nodesOfPage, (cursor) => placeOf(cursor, cursors))
  const { beyond: place } = window
  const page = (reading: TreeReading | undefined) => reading && subtreeIn(reading, sizes, id, window, cursors, context)
  return place === undefined
    ? access.latest(tenant, async (reading) => page(reading), context.signal)
    : page(await readingOf(access, tenant, place.version, context.signal))
}

async function subtreeIn(
  reading: TreeReading,
  sizes: TreeSizes,
  id: string | null | undefined,
  window: PageWindow<Place>,
  cursors: Cursors,
  context: Reader,
): Promise<(NodePage & { readonly reading: TreeReading }) | undefined> {
  const { view } = reading
  const { signal } = context
  const { beyond: place, limit } = window
  const countOf = (top?: TreeNode) => async () => (await sizes.of(view, context, top)).nodes
  // the whole tree has no end key
  if (id == null) {
    const nodes = await inReadTurn(context, () => view.slice(place?.orderKey, limit, signal))
    return nodes.length === 0 && place === undefined
      ? undefined
      : { ...connectionOf(nodes, { ...window, isCut: isCut(nodes) }, cursors, reading), count: countOf(), reading }
  }
  const [top] = await inReadTurn(context, () => view.nodes([id], signal))
  if (top === undefined) return undefined
  const nodes = place === undefined ? [top] : []
  let isShort = false
  if (place !== undefined || top.childrenCount > 0) {
    const page = await inReadTurn(context, () => view.slice(place?.orderKey ?? top.orderKey, limit - nodes.length, signal))
    const end = page.findIndex(({ depth }) => depth <= top.depth)
    nodes.push(...(end < 0 ? page : page.slice(0, end)))
    isShort = end < 0 && isCut(page)
  }
  return { ...connectionOf(nodes, { ...window, isCut: isShort }, cursors, reading), count: countOf(top), reading }
}

/**
 * Returns the ids of the ancestors of each node, nearest first, at most `max`. Reads a path from the store only where no other one of these nodes
 * leads to it: for a page of a subtree, the paths of its first nodes.
 */
export async function ancestorsOf(
  view: Pick<TreeView, 'ancestors'>,
  nodes: readonly Pick<TreeNode, 'id' | 'parentId'>[],
  max: number,
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
  /** the node itself and its ancestors, by id */
  const paths = new Map<string, readonly string[]>()
  const results: (readonly string[])[] = []
  for (const { parentId } of nodes) {
    const passed: string[] = []
    let top = parentId
    for (; top !== null && !paths.has(top) && parents.has(top); top = parents.get(top) ?? null) passed.push(top)
    let path = top === null ? [] : (paths.get(top) ?? (await view.ancestors({ parentId: top }, max, signal)))
    if (top !== null) paths.set(top, path)
    for (const id of passed.toReversed()) {
      path = [id, ...path].slice(0, max)
      paths.set(id, path)
    }
    results.push(path)
  }
  return results
}

function connectionOf(
  fetched: readonly TreeNode[],
  window: PageWindow<Place> & { readonly isCut: boolean },
  cursors: Cursors,
  reading: Pick<TreeReading, 'view'>,
) {
  const version = reading.view.version.number
  const nodes = fetched.map((node) => readNode(node, reading))
  return pageOf(nodes, window, ({ orderKey }) => cursors.of(version, orderKey))
}
