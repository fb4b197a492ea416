import type { TreeNode, TreeStore, TreeView } from '../../engines/tree-store/tree-store.ts'
import type { ImportedNode } from './arrange.ts'

/** a demonstration is small: what is larger is somebody's own */
const maxNodes = 200

/**
 * The nodes of a tree that only demonstrates: each says so in its metadata (`demonstration: true`) and none was changed since it was made.
 * Such a tree gives way to the first root of somebody's own. Undefined for every other tree.
 */
export async function demonstrationIn(view: TreeView | undefined, signal: AbortSignal): Promise<readonly TreeNode[] | undefined> {
  const [root] = (await view?.slice(undefined, 1, signal)) ?? []
  if (view === undefined || root === undefined || !demonstrates(root)) return undefined
  const nodes = await view.slice(undefined, maxNodes + 1, signal)
  return nodes.length <= maxNodes && nodes.every(demonstrates) ? nodes : undefined
}

const demonstrates = ({ metadata, createdAt, updatedAt }: TreeNode): boolean =>
  metadata.demonstration === true && createdAt.getTime() === updatedAt.getTime()

/** Whether an import brings a root that is none of these nodes. */
export function bringsRoot(imported: readonly ImportedNode[], present: readonly Pick<TreeNode, 'id' | 'externalId'>[]): boolean {
  const known = new Set(present.flatMap(({ id, externalId }) => [id, externalId]))
  return imported.some(
    ({ id, externalId, parentId, parentKey, parentExternalId }) =>
      parentId === undefined &&
      parentKey === undefined &&
      parentExternalId === undefined &&
      !(id !== undefined && known.has(id)) &&
      !(externalId !== null && known.has(externalId)),
  )
}

/** Removes a tenant's demonstration. @returns how many nodes are gone: 0 when its tree is somebody's own */
export function removeDemonstration(store: Pick<TreeStore, 'write'>, tenant: string, signal: AbortSignal): Promise<number> {
  return store.write(
    tenant,
    async (draft) => {
      const nodes = (await demonstrationIn(draft.base, signal)) ?? []
      await draft.clear(
        nodes.map(({ orderKey }) => orderKey),
        signal,
      )
      return nodes.length
    },
    signal,
  )
}
