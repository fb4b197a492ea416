import { charactersIn, type DraftView, mayContinue, type TreeDraft, type TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { Fault, NotFound } from '../../../foundation/fault.ts'

/** maximum of nodes that are moved, removed or restored together */
const maxMoved = 100_000
/** maximum of characters of their texts, which are in memory together */
const maxMovedCharacters = 64 * 1024 * 1024

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

/** @throws {Fault} LIMIT_EXCEEDED for nodes that do not fit into memory together */
export function refuseLarge(nodes: number, characters: number): void {
  if (nodes > maxMoved) throw new Fault('LIMIT_EXCEEDED', `More than ${maxMoved} nodes would move; use an import`)
  if (characters > maxMovedCharacters)
    throw new Fault(
      'LIMIT_EXCEEDED',
      `The texts of these nodes have more than ${maxMovedCharacters} characters: move a smaller subtree, or use an import`,
    )
}

/** Returns a node and its descendants in pre-order. @throws {Fault} LIMIT_EXCEEDED */
export async function subtreeOf(base: DraftView, top: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> {
  const nodes = [top]
  let characters = charactersIn(nodes)
  for (;;) {
    const page = await base.slice(nodes.at(-1)?.orderKey, 1000, signal)
    const end = page.findIndex(({ depth }) => depth <= top.depth)
    const inside = end < 0 ? page : page.slice(0, end)
    nodes.push(...inside)
    characters += charactersIn(inside)
    refuseLarge(nodes.length, characters)
    if (end >= 0 || !mayContinue(page, 1000)) return nodes
  }
}
