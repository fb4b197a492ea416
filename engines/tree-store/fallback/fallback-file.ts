import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { isStorableMoment } from '../../../foundation/validation/values.ts'
import { listInSteps } from '../tree-snapshot.ts'
import type { SubtreeTop, TreeNode, TreeSize, TreeView } from '../tree-store.ts'
import { fileRecords, UnreadableFile } from './file-records.ts'

/** more would not fit into the memory of a process beside its other work */
const maxNodes = 2_000_000
const keyLength = 6

const text = z.string().nullish()
const moment = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine(isStorableMoment)
/** A node as `GET /api/v1/export` returns it; other members are ignored. */
const ExportedNode = z.object({
  id: z.string().min(1),
  external_id: text,
  tenant_id: text,
  parent_id: text,
  title: z.string(),
  slug: text,
  summary: text,
  body: text,
  locale: text,
  position: z.number().nullish(),
  media: z.array(z.object({ url: z.string(), type: text, alt: text, caption: text })).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: moment.nullish(),
  updated_at: moment.nullish(),
})
type ExportedNode = z.output<typeof ExportedNode>

/** A node of the file without its texts. */
interface Outline {
  readonly id: string
  readonly parentId: string | null
  readonly position: number
  readonly offset: number
  readonly length: number
  depth: number
  childrenCount: number
}

/**
 * Reads an export of one tenant in two passes, so that a file of 1 GB needs memory for its outline only.
 * @param tenant - of the file; undefined: that of its records
 * @param at - time of the content
 * @throws {UnreadableFile} for a broken file, records of another tenant, a missing parent, a second root or a cycle
 */
export async function openFallbackFile(
  path: string,
  { tenant, at }: { readonly tenant: string | undefined; readonly at: Date },
  signal: AbortSignal,
): Promise<TreeView & AsyncDisposable> {
  const outlines = new Map<string, Outline>()
  let owner = tenant
  for await (const { offset, bytes } of fileRecords(path, signal)) {
    const node = nodeIn(bytes, offset)
    owner ??= node.tenant_id ?? 'default'
    if (node.tenant_id != null && node.tenant_id !== owner)
      throw new UnreadableFile(`the record at byte ${offset} belongs to the tenant ${node.tenant_id}, not to ${owner}`)
    if (outlines.has(node.id)) throw new UnreadableFile(`the id ${node.id} occurs twice, again at byte ${offset}`)
    if (outlines.size === maxNodes) throw new UnreadableFile(`the file has more than ${maxNodes.toLocaleString('en')} nodes`)
    const position = node.position ?? outlines.size
    const { id, parent_id: parentId = null } = node
    outlines.set(id, { id, parentId, position, offset, length: bytes.length, depth: 0, childrenCount: 0 })
  }
  if (owner === undefined) throw new UnreadableFile('the file has no records')
  const ordered = inOrder(outlines)
  // two exports of different seconds are different versions
  const version = { tenant: owner, number: Math.max(1, Math.floor(at.getTime() / 1000)), at }
  return new FileView(version, await open(path, 'r'), ordered)
}

function nodeIn(bytes: Buffer, offset: number): ExportedNode {
  let content: unknown
  try {
    content = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new UnreadableFile(`the record at byte ${offset} is not JSON`)
  }
  const read = ExportedNode.safeParse(content)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new UnreadableFile(`the record at byte ${offset} is not an exported node: ${issue?.path.join('.') || 'it'} ${issue?.message ?? ''}`)
}

/** Returns the nodes in pre-order, siblings by position and id. @throws {UnreadableFile} */
function inOrder(outlines: ReadonlyMap<string, Outline>): readonly Outline[] {
  const children = Map.groupBy(outlines.values(), ({ parentId }) => parentId)
  const roots = children.get(null) ?? []
  const [root, second] = roots
  for (const { id, parentId } of outlines.values())
    if (parentId !== null && !outlines.has(parentId)) throw new UnreadableFile(`the parent ${parentId} of the node ${id} is missing`)
  if (second !== undefined) throw new UnreadableFile(`the file has two roots, ${root?.id} and ${second.id}`)
  const ordered: Outline[] = []
  const waiting = [...roots]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    ordered.push(node)
    const below = (children.get(node.id) ?? []).sort((one, other) => other.position - one.position || (one.id < other.id ? 1 : -1))
    node.childrenCount = below.length
    for (const child of below) {
      child.depth = node.depth + 1
      waiting.push(child)
    }
  }
  if (ordered.length === outlines.size) return ordered
  const reached = new Set(ordered)
  const [inCycle] = outlines.values().filter((node) => !reached.has(node))
  throw new UnreadableFile(`the node ${inCycle?.id} is its own ancestor: the parents form a cycle`)
}

/** The tree of a file, whose texts are read when they are requested. */
class FileView implements TreeView, AsyncDisposable {
  readonly version: TreeView['version']
  readonly #file: FileHandle
  readonly #ordered: readonly Outline[]

  constructor(version: TreeView['version'], file: FileHandle, ordered: readonly Outline[]) {
    this.version = version
    this.#file = file
    this.#ordered = ordered
  }

  async slice(after: string | undefined, limit: number): Promise<readonly TreeNode[]> {
    const from = after === undefined ? 0 : Number.parseInt(after, 36) + 1
    const outlines = this.#ordered.slice(from, from + limit)
    return listInSteps(
      outlines.map(({ length }) => length),
      (first, end) => Promise.all(outlines.slice(first, end).map((outline, index) => this.#read(outline, from + first + index))),
    )
  }

  async nodes(): Promise<readonly TreeNode[]> {
    throw new Error('a fallback file is read in order only')
  }

  async children(): Promise<readonly TreeNode[]> {
    throw new Error('a fallback file is read in order only')
  }

  async ancestors(): Promise<readonly string[]> {
    throw new Error('a fallback file is read in order only')
  }

  async size(_: AbortSignal, top?: SubtreeTop): Promise<TreeSize> {
    if (top !== undefined) throw new Error('a fallback file is read in order only')
    return { nodes: this.#ordered.length, depth: this.#ordered.reduce((deepest, { depth }) => Math.max(deepest, depth), 0) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #read({ offset, length, position, depth, childrenCount, parentId }: Outline, index: number): Promise<TreeNode> {
    const bytes = Buffer.alloc(length)
    await this.#file.read(bytes, 0, length, offset)
    const node = nodeIn(bytes, offset)
    const { id, title, media, metadata } = node
    const content = {
      externalId: node.external_id ?? null,
      title,
      slug: node.slug ?? id,
      summary: node.summary ?? null,
      body: node.body ?? null,
      locale: node.locale ?? null,
      media: (media ?? []).map(({ url, type = null, alt = null, caption = null }) => ({ url, type, alt, caption })),
      metadata: metadata ?? {},
    }
    const createdAt = node.created_at ?? this.version.at
    return {
      ...content,
      ...{ id, parentId, position, depth, childrenCount, createdAt, updatedAt: node.updated_at ?? createdAt },
      orderKey: index.toString(36).padStart(keyLength, '0'),
      contentHash: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
    }
  }
}
