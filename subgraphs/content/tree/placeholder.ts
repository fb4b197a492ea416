import type { TreeNode, TreeView } from '../../../engines/tree-store/tree-store.ts'

/**
 * Decides which trees are placeholders; the first root that a tenant creates replaces such a tree.
 * @returns the nodes of a placeholder; undefined for any other tree, and without a tree
 */
export type PlaceholderRule = (tree: TreeView | undefined, signal: AbortSignal) => Promise<readonly TreeNode[] | undefined>
