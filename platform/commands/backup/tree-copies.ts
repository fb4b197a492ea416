import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { TreeNode, TreeStore, TreeView } from '../../../engines/tree-store/tree-store.ts'
import { hashOf, readPart, type TreePart, writePart } from './backup-folder.ts'

/** nodes read or written at once */
const slice = 500

/** Copies the visible tree of each tenant, one line of JSON per node in pre-order, without older versions. */
export async function copyTrees(trees: TreeStore, folder: string, signal: AbortSignal): Promise<TreePart[]> {
  const parts: TreePart[] = []
  for (const { tenant } of await trees.versions(signal)) {
    const view = await trees.latest(tenant, signal)
    if (view === undefined) continue
    const counted = { nodes: 0 }
    // a tenant's name may not be a valid file name
    const file = `tree-${parts.length + 1}.ndjson.gz`
    const sha256 = await writePart(join(folder, file), linesOf(view, counted, signal), signal)
    parts.push({ tenant, version: view.version.number, file, nodes: counted.nodes, sha256 })
  }
  return parts
}

/**
 * Creates the tree of a tenant without one in a single version and reads it back. @throws {Error} if the file is damaged or the store returns
 * different content
 */
export async function restoreTree(trees: TreeStore, folder: string, part: TreePart, signal: AbortSignal): Promise<void> {
  const { tenant, nodes, sha256 } = part
  const orderKeys: string[] = []
  await readPart(
    folder,
    part,
    async (content) => {
      for await (const node of nodesIn(content)) orderKeys.push(node.orderKey)
    },
    signal,
  )
  if (orderKeys.length === 0) return
  await trees.write(
    tenant,
    async (draft) => {
      await draft.plan(orderKeys, signal)
      await readPart(
        folder,
        part,
        async (content) => {
          let some: TreeNode[] = []
          for await (const node of nodesIn(content)) {
            some.push(node)
            if (some.length === slice) await draft.put(some.splice(0), signal)
          }
          if (some.length > 0) await draft.put(some, signal)
          some = []
        },
        signal,
      )
    },
    signal,
  )
  const view = await trees.latest(tenant, signal)
  const counted = { nodes: 0 }
  const isEqual = view !== undefined && (await hashOf(linesOf(view, counted, signal), signal)) === sha256
  if (!isEqual || counted.nodes !== nodes)
    throw new Error(`The tree of ${tenant} differs from the backup: ${counted.nodes} nodes of ${nodes}`)
}

function linesOf(view: TreeView, counted: { nodes: number }, signal: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      for (let after: string | undefined; ; ) {
        const nodes = await view.slice(after, slice, signal)
        if (nodes.length === 0) return
        counted.nodes += nodes.length
        after = nodes.at(-1)?.orderKey
        yield Buffer.from(nodes.map((node) => `${JSON.stringify(node)}\n`).join(''))
      }
    })(),
    { objectMode: false },
  )
}

async function* nodesIn(content: AsyncIterable<Buffer>): AsyncIterable<TreeNode> {
  for await (const line of createInterface({ input: Readable.from(content), crlfDelay: Number.POSITIVE_INFINITY })) {
    // verified by the hash in the manifest, hence written by this release or an older one
    const node = JSON.parse(line) as Omit<TreeNode, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }
    yield { ...node, createdAt: new Date(node.createdAt), updatedAt: new Date(node.updatedAt) }
  }
}
