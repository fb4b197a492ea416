import { z } from 'zod'
import type { TrashChunk, TreeNode } from '../../../engines/tree-store/tree-store.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { refuseLarge } from './subtree.ts'

const About = z.object({
  contentId: z.string(),
  parentId: z.string().nullable(),
  title: z.string(),
  locale: z.string().nullable(),
  nodesCount: z.int(),
  removedAt: z.coerce.date(),
  /** subject identifier of the person; null for a service */
  subject: z.string().nullable(),
  service: z.string().nullable(),
})

type RemovedAbout = z.output<typeof About>

/** The summary of a deleted subtree in lists. */
export interface RemovedSubtree extends RemovedAbout {
  /** id in the trash; ordered by time */
  readonly id: string
}

export const removedSubtree = (id: string, about: string): RemovedSubtree => ({ id, ...About.parse(JSON.parse(about)) })

/** maximum characters per chunk, unless a single node is larger */
const chunkLength = 1_000_000

/** @param nodesCount - including descendants */
export function aboutRemoved(
  { id, parentId, title, locale }: TreeNode,
  nodesCount: number,
  at: number,
  { user, service }: Principal,
): RemovedAbout {
  const by = { subject: user?.subject ?? null, service: service?.name ?? null }
  return { contentId: id, parentId, title, locale, nodesCount, removedAt: new Date(at), ...by }
}

/** A removed node and its entry in the trash. */
export interface RemovedNode {
  readonly trashId: string
  readonly about: RemovedAbout
  readonly node: TreeNode
}

/** @param removed - nodes grouped by subtree, in pre-order */
export async function* chunksOf(removed: Iterable<RemovedNode> | AsyncIterable<RemovedNode>): AsyncGenerator<TrashChunk> {
  let open: Pick<RemovedNode, 'trashId' | 'about'> | undefined
  let texts: string[] = []
  let length = 0
  const close = (): TrashChunk[] => {
    if (open === undefined || texts.length === 0) return []
    const chunk = { id: open.trashId, about: JSON.stringify(open.about), nodes: `[${texts.join()}]` }
    texts = []
    length = 0
    return [chunk]
  }
  for await (const { trashId, about, node } of removed) {
    const text = JSON.stringify(node)
    if (trashId !== open?.trashId || length + text.length > chunkLength) yield* close()
    open = { trashId, about }
    texts.push(text)
    length += text.length
  }
  yield* close()
}

/** Reads a removed subtree. @throws {Fault} LIMIT_EXCEEDED */
export async function nodesIn(chunks: AsyncIterable<string>): Promise<readonly TreeNode[]> {
  const nodes: TreeNode[] = []
  let characters = 0
  for await (const chunk of chunks) {
    characters += chunk.length
    refuseLarge(nodes.length, characters)
    // written by chunksOf, possibly in an earlier release
    const some = JSON.parse(chunk) as readonly TreeNode[]
    for (const node of some) nodes.push({ ...node, createdAt: new Date(node.createdAt), updatedAt: new Date(node.updatedAt) })
  }
  return nodes
}
