import type { DraftView, TreeDraft, TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { Fault, NotFound } from '../../../foundation/fault.ts'

/** maximum of nodes per move */
const maxMoved = 100_000

/** Returns a node of the version that a draft is based on. @throws {NotFound} */
export async function nodeIn(
  { base }: Pick<TreeDraft, 'base'>,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly base: DraftView; readonly node: TreeNode }> {
  const [node] = (await base?.nodes([id], signal)) ?? []
  if (base === undefined || node === undefined) throw new NotFound('Node not found')
  return { base, node }
}

/** Returns a node and its descendants in pre-order. @throws {Fault} LIMIT_EXCEEDED */
export async function subtreeOf(base: DraftView, top: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> {
  const nodes = [top]
  for (;;) {
    const page = await base.slice(nodes.at(-1)?.orderKey, 1000, signal)
    const end = page.findIndex(({ depth }) => depth <= top.depth)
    nodes.push(...(end < 0 ? page : page.slice(0, end)))
    if (end >= 0 || page.length < 1000) return nodes
    if (nodes.length > maxMoved) throw new Fault('LIMIT_EXCEEDED', `More than ${maxMoved} nodes would move; use an import`)
  }
}
