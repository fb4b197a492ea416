import type { TreeNode } from '../../../engines/tree-store/tree-store.ts'
import type { ImportedNode } from './merge-tree.ts'

/** Returns whether an import contains a root that is not one of these nodes. */
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
