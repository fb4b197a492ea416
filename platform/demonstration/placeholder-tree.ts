import type { TreeNode, TreeStore, TreeView } from '../../engines/tree-store/tree-store.ts'

/** a demonstration is small: what is larger is somebody's own */
const maxNodes = 200

/**
 * The nodes of a tree that only demonstrates: each says so in its metadata (`demonstration: true`) and none was changed since it was made.
 * Such a tree gives way to the first root of somebody's own. Undefined for every other tree.
 */
export async function demonstrationIn(tree: TreeView | undefined, signal: AbortSignal): Promise<readonly TreeNode[] | undefined> {
  const [root] = (await tree?.slice(undefined, 1, signal)) ?? []
  if (tree === undefined || root === undefined || !demonstrates(root)) return undefined
  const nodes = await tree.slice(undefined, maxNodes + 1, signal)
  return nodes.length <= maxNodes && nodes.every(demonstrates) ? nodes : undefined
}

const demonstrates = ({ metadata, createdAt, updatedAt }: TreeNode): boolean =>
  metadata.demonstration === true && createdAt.getTime() === updatedAt.getTime()

/** Removes a tenant's demonstration. @returns how many nodes are gone: 0 when its tree is somebody's own */
export function removeDemonstrationTree(store: Pick<TreeStore, 'write'>, tenant: string, signal: AbortSignal): Promise<number> {
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
