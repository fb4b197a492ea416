import type { TreeNode, TreeView } from '../../../engines/tree-store/tree-store.ts'

/**
 * Which trees only hold the place for somebody's own: the first root that somebody brings replaces such a tree whole.
 * @returns the nodes of a placeholder; undefined for every other tree, and where there is none
 */
export type PlaceholderRule = (tree: TreeView | undefined, signal: AbortSignal) => Promise<readonly TreeNode[] | undefined>
