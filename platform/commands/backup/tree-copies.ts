import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { TreeNode, TreeStore, TreeView } from '../../../engines/tree-store/tree-store.ts'
import { hashOf, readPart, type TreePart, writePart } from './backup-folder.ts'

/** nodes that are read or put at once */
const slice = 500

/** Copies what readers see of every tenant's tree, a line of JSON a node in pre-order. Older versions stay behind. */
export async function copyTrees(trees: TreeStore, folder: string, signal: AbortSignal): Promise<TreePart[]> {
  const parts: TreePart[] = []
  for (const { tenant } of await trees.versions(signal)) {
    const view = await trees.latest(tenant, signal)
    if (view === undefined) continue
    const counted = { nodes: 0 }
    // a tenant's name need not be one of a file
    const file = `tree-${parts.length + 1}.ndjson.gz`
    const sha256 = await writePart(join(folder, file), linesOf(view, counted, signal), signal)
    parts.push({ tenant, version: view.version.number, file, nodes: counted.nodes, sha256 })
  }
  return parts
}

/** Makes the tree of a tenant that has none, in one version, and reads it again. @throws {Error} when the file is damaged, or the store gives back something else */
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
    throw new Error(`The tree of ${tenant} is not what was copied: ${counted.nodes} nodes of ${nodes}`)
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
    // its hash is the manifest's: this release, or an older one, wrote it
    const node = JSON.parse(line) as Omit<TreeNode, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }
    yield { ...node, createdAt: new Date(node.createdAt), updatedAt: new Date(node.updatedAt) }
  }
}
