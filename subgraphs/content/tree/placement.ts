import { keyAfter, keysBetween, maxKeyLength } from '../../../engines/tree-store/order-keys.ts'
import { type DraftView, mayContinue, type TreeDraft, type TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { Fault, NotFound } from '../../../foundation/fault.ts'

/** Sort keys for new nodes and the changes that make room for them. */
export interface Room {
  readonly keys: readonly string[]
  /** present nodes with their new keys */
  readonly respread: ReadonlyMap<string, TreeNode>
  /** keys that no node has any more */
  readonly cleared: readonly string[]
}

/**
 * Returns keys for consecutive nodes between two neighbours in pre-order. If no short key is available, the keys of the neighbourhood are
 * redistributed.
 * @param low - undefined for the start of the tree  @param high - undefined for its end  @param leaving - nodes to be removed
 */
export async function roomBetween(
  base: DraftView,
  low: string | undefined,
  high: string | undefined,
  count: number,
  leaving: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Room> {
  const keys = count === 1 ? [keyAfter(low, high)] : keysBetween(low, high, count)
  if (keys.every((key) => key.length <= maxKeyLength)) return { keys, respread: new Map(), cleared: [] }
  for (let reach = 32; ; reach *= 4) {
    const before = [...(await base.before(high, reach + 1, signal))]
    const after = await following(base, high, reach + 1, signal)
    const outerLow = mayContinue(before, reach + 1) ? before.pop()?.orderKey : undefined
    const outerHigh = mayContinue(after, reach + 1) ? after.pop()?.orderKey : undefined
    const stays = (node: TreeNode): boolean => !leaving.has(node.id)
    const left = before.reverse().filter(stays)
    const right = after.filter(stays)
    const spread = keysBetween(outerLow, outerHigh, left.length + count + right.length)
    if (spread.some((key) => key.length > maxKeyLength) && reach < 1_000_000) continue
    const present = [...left.map((node, at) => [node, at] as const), ...right.map((node, at) => [node, left.length + count + at] as const)]
    const respread = new Map(present.map(([node, at]) => [node.id, { ...node, orderKey: spread[at] ?? node.orderKey }]))
    const taken = new Set(spread)
    return {
      keys: spread.slice(left.length, left.length + count),
      respread,
      cleared: [...left, ...right].map(({ orderKey }) => orderKey).filter((key) => !taken.has(key)),
    }
  }
}

/** Returns nodes from a key on, including that key. */
async function following(base: DraftView, key: string | undefined, limit: number, signal: AbortSignal): Promise<TreeNode[]> {
  if (key === undefined) return []
  const [previous] = await base.before(key, 1, signal)
  return [...(await base.slice(previous?.orderKey, limit, signal))]
}

/** The target position of a node. */
export interface Place {
  readonly parent: TreeNode | undefined
  readonly position: number
  /** neighbours in pre-order */
  readonly low: string | undefined
  readonly high: string | undefined
}

const maxPosition = 2_147_483_647

/** @param id - id of the node to place */
export async function placeFor(
  base: DraftView | undefined,
  id: string,
  parentId: string | undefined,
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<Place> {
  if (parentId === undefined) {
    const [root] = (await base?.slice(undefined, 1, signal)) ?? []
    if (root !== undefined) throw new Fault('CONFLICT', 'The tree already has a root')
    return { parent: undefined, position: wanted ?? 0, low: undefined, high: undefined }
  }
  const [parent] = (await base?.nodes([parentId], signal)) ?? []
  if (base === undefined || parent === undefined) throw new NotFound('Parent not found')
  const last = await base.lastPosition(parentId, signal)
  const position = wanted ?? Math.min(last === undefined ? 0 : last + 1, maxPosition)
  const next = last === undefined || position > last ? undefined : await base.childAfter(parentId, position, id, signal)
  const high = next?.orderKey ?? (await base.endOf(parent, signal))
  const [previous] = await base.before(high, 1, signal)
  return { parent, position, low: previous?.orderKey, high }
}

/** Writes nodes at their positions and the redistributed keys; parents keep their redistributed keys. */
export async function apply(
  draft: TreeDraft,
  room: Room | undefined,
  nodes: readonly TreeNode[],
  parents: readonly TreeNode[],
  left: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const written = new Map(room?.respread)
  for (const parent of parents) written.set(parent.id, { ...parent, orderKey: written.get(parent.id)?.orderKey ?? parent.orderKey })
  for (const node of nodes) written.set(node.id, node)
  const taken = new Set([...written.values()].map(({ orderKey }) => orderKey))
  await draft.clear(
    [...left, ...(room?.cleared ?? [])].filter((key) => !taken.has(key)),
    signal,
  )
  await draft.put([...written.values()], signal)
}

export const grown = (parent: TreeNode, by: number): TreeNode => ({ ...parent, childrenCount: parent.childrenCount + by })
