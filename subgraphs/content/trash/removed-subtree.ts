import { z } from 'zod'
import type { TreeNode } from '../../engines/tree-store/tree-store.ts'

const About = z.object({
  contentId: z.string(),
  parentId: z.string().nullable(),
  title: z.string(),
  locale: z.string().nullable(),
  nodesCount: z.int(),
  removedAt: z.coerce.date(),
  /** the issuer's id of the person; null where a service did it */
  subject: z.string().nullable(),
  service: z.string().nullable(),
})

/** What lists tell of a node that was deleted with everything below it. */
export interface RemovedSubtree extends z.output<typeof About> {
  /** in the trash; sorts by when */
  readonly id: string
}

export const removedSubtree = (id: string, about: string): RemovedSubtree => ({ id, ...About.parse(JSON.parse(about)) })

/** characters of one chunk, unless a single node has more */
const chunkLength = 1_000_000

/** @param nodes - in pre-order */
export function chunksOf(nodes: readonly TreeNode[]): readonly string[] {
  const chunks: string[] = []
  let some: string[] = []
  let length = 0
  const close = (): void => {
    if (some.length > 0) chunks.push(`[${some.join()}]`)
    some = []
    length = 0
  }
  for (const node of nodes) {
    const text = JSON.stringify(node)
    if (length + text.length > chunkLength) close()
    some.push(text)
    length += text.length
  }
  close()
  return chunks
}

export async function nodesIn(chunks: AsyncIterable<string>): Promise<readonly TreeNode[]> {
  const nodes: TreeNode[] = []
  for await (const chunk of chunks) {
    // written by chunksOf, here or by an older release
    const some = JSON.parse(chunk) as readonly TreeNode[]
    for (const node of some) nodes.push({ ...node, createdAt: new Date(node.createdAt), updatedAt: new Date(node.updatedAt) })
  }
  return nodes
}
