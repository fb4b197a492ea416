import type { TreeNode, TreeStore, TreeView } from '../../engines/tree-store/tree-store.ts'

/** Maximum node count of a demonstration tree; a larger one is treated as user content. */
const maxNodes = 200

/**
 * Returns the nodes of a tree if each has `demonstration: true` in its metadata and was never changed, else undefined. The first root that a user
 * creates or imports replaces such a tree.
 */
export async function demonstrationIn(tree: TreeView | undefined, signal: AbortSignal): Promise<readonly TreeNode[] | undefined> {
  const [root] = (await tree?.slice(undefined, 1, signal)) ?? []
  if (tree === undefined || root === undefined || !demonstrates(root)) return undefined
  const nodes = await tree.slice(undefined, maxNodes + 1, signal)
  return nodes.length <= maxNodes && nodes.every(demonstrates) ? nodes : undefined
}

const demonstrates = ({ metadata, createdAt, updatedAt }: TreeNode): boolean =>
  metadata.demonstration === true && createdAt.getTime() === updatedAt.getTime()

/** Removes a tenant's demonstration tree. @returns the number of removed nodes: 0 if the tree is not a demonstration */
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
