import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import type { TreeNode, TreeSize, TreeVersion, TreeView } from './tree-store.ts'

/** The index of a snapshot: finds the line of a node without reading the others. */
const Index = z.object({
  tenant: z.string(),
  version: z.int(),
  at: z.coerce.date(),
  /** SHA-256 of the lines */
  sha256: z.string(),
  /** id, parent id, depth, key, length of the line in bytes */
  nodes: z.array(z.tuple([z.string(), z.string().nullable(), z.int(), z.string(), z.int()])),
})

/** Snapshots of trees in files, for reads while the store is unavailable: one line of JSON per node, and an index. One folder per process. */
export interface TreeSnapshots {
  /** Replaces the tenant's snapshot atomically. */
  write(view: TreeView, signal: AbortSignal): Promise<void>
  /** Returns undefined without a snapshot, and for one that is broken or of another tenant */
  latest(tenant: string): Promise<TreeView | undefined>
  /** Returns the versions of the snapshots */
  versions(): Promise<readonly Pick<TreeVersion, 'tenant' | 'number'>[]>
}

const pageRows = 1000
/** Maximum number of open files with in-memory indexes, and the delay before a replaced file is closed. */
const maxOpen = 200
const closeDelayMs = 600_000

/** @param onRefused - called with a sentence for a snapshot that is broken or of another tenant */
export function treeSnapshots(folder: string, onRefused: (problem: string) => void = () => undefined): TreeSnapshots {
  const loaded = new LRUCache<string, { readonly name: string; readonly view: Promise<SnapshotView | undefined> }>({
    max: maxOpen,
    dispose: ({ view }) => void setTimeout(async () => (await view)?.close(), closeDelayMs).unref(),
  })
  const indexOf = (tenant: string): string => join(folder, `${tenant}.index.json`)
  const modified = async (tenant: string): Promise<string | undefined> => {
    const file = await stat(indexOf(tenant)).catch(() => undefined)
    return file && `${file.ino} ${file.mtimeMs}`
  }
  return {
    async write(view, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { tenant, number, at } = view.version
      const lines = join(folder, linesOf(tenant, number))
      const { sha256, nodes } = await writeLines(`${lines}.new`, view, signal)
      await rename(`${lines}.new`, lines)
      const index: z.input<typeof Index> = { tenant, version: number, at: at.toISOString(), sha256, nodes }
      await writeFile(`${indexOf(tenant)}.new`, JSON.stringify(index), { mode: 0o600 })
      await rename(`${indexOf(tenant)}.new`, indexOf(tenant))
      // readers that have the previous file open keep it
      const former = (await readdir(folder)).filter((name) => name.startsWith(`${tenant}.`) && /\.\d+\.ndjson(\.new)?$/.test(name))
      await Promise.all(former.filter((name) => name !== linesOf(tenant, number)).map((name) => rm(join(folder, name), { force: true })))
    },
    async latest(tenant) {
      const name = await modified(tenant)
      if (name === undefined) return undefined
      const cached = loaded.get(tenant)
      if (cached?.name === name) return cached.view
      // concurrent readers share one load: when the store fails, all readers need it at the same time
      const now = { name, view: load(folder, indexOf(tenant), tenant, onRefused) }
      loaded.set(tenant, now)
      const view = await now.view
      // the file may have been replaced during the load: the next reader tries again
      if (view === undefined && loaded.peek(tenant) === now) loaded.delete(tenant)
      return view
    },
    async versions() {
      const names = await readdir(folder).catch(() => [])
      return names.flatMap((name) => {
        const [, tenant, number] = /^([a-z0-9-]+)\.(\d+)\.ndjson$/.exec(name) ?? []
        return tenant === undefined ? [] : [{ tenant, number: Number(number) }]
      })
    },
  }
}

const linesOf = (tenant: string, version: number): string => `${tenant}.${version}.ndjson`

async function writeLines(path: string, view: TreeView, signal: AbortSignal) {
  const file = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  const nodes: z.input<typeof Index>['nodes'] = []
  try {
    for (let after: string | undefined, more = true; more; ) {
      const page = await view.slice(after, pageRows, signal)
      const lines = page.map((node) => Buffer.from(`${JSON.stringify(node)}\n`))
      for (const [at, { id, parentId, depth, orderKey }] of page.entries())
        nodes.push([id, parentId, depth, orderKey, lines[at]?.length ?? 0])
      const bytes = Buffer.concat(lines)
      hash.update(bytes)
      await file.write(bytes)
      after = page.at(-1)?.orderKey
      more = page.length === pageRows
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), nodes }
}

async function load(
  folder: string,
  indexPath: string,
  tenant: string,
  onRefused: (problem: string) => void,
): Promise<SnapshotView | undefined> {
  const refuse = (why: string): undefined => {
    onRefused(`The content snapshot ${indexPath} is refused: ${why}`)
    return undefined
  }
  try {
    const index = Index.parse(JSON.parse(await readFile(indexPath, 'utf8')))
    if (index.tenant !== tenant) return refuse(`it belongs to the tenant ${index.tenant}, not to ${tenant}`)
    const path = join(folder, linesOf(index.tenant, index.version))
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    if (hash.digest('hex') !== index.sha256) return refuse('its checksum is wrong')
    return new SnapshotView(await open(path, 'r'), index)
  } catch (error) {
    return refuse(messageOf(error))
  }
}

class SnapshotView implements TreeView {
  readonly version: TreeVersion
  readonly #file: FileHandle
  readonly #nodes: z.output<typeof Index>['nodes']
  readonly #offsets: Float64Array
  readonly #byId: ReadonlyMap<string, number>
  readonly #children: ReadonlyMap<string | null, number[]>

  constructor(file: FileHandle, { tenant, version, at, nodes }: z.output<typeof Index>) {
    this.version = { tenant, number: version, at }
    this.#file = file
    this.#nodes = nodes
    this.#offsets = new Float64Array(nodes.length + 1)
    for (const [index, [, , , , bytes]] of nodes.entries()) this.#offsets[index + 1] = (this.#offsets[index] ?? 0) + bytes
    this.#byId = new Map(nodes.map(([id], index) => [id, index]))
    this.#children = Map.groupBy(nodes.keys(), (index) => nodes[index]?.[1] ?? null)
  }

  async slice(after: string | undefined, limit: number): Promise<readonly TreeNode[]> {
    const from = after === undefined ? 0 : this.#firstAfter(after)
    return this.#read(from, Math.min(from + limit, this.#nodes.length))
  }

  async nodes(ids: readonly string[]): Promise<readonly TreeNode[]> {
    return this.#each(ids.map((id) => this.#byId.get(id)).filter((index) => index !== undefined))
  }

  async children(parentId: string, after: string | undefined, limit: number): Promise<readonly TreeNode[]> {
    const all = this.#children.get(parentId) ?? []
    const from = after === undefined ? 0 : all.findIndex((index) => this.#keyAt(index) > after)
    return from < 0 ? [] : this.#each(all.slice(from, from + limit))
  }

  async ancestors({ parentId }: Pick<TreeNode, 'parentId'>, max: number): Promise<readonly string[]> {
    const ids: string[] = []
    for (let id = parentId; id !== null && ids.length < max; id = this.#nodes[this.#byId.get(id) ?? -1]?.[1] ?? null) ids.push(id)
    return ids
  }

  async size(): Promise<TreeSize> {
    return { nodes: this.#nodes.length, depth: this.#nodes.reduce((deepest, [, , depth]) => Math.max(deepest, depth), 0) }
  }

  async close(): Promise<void> {
    await this.#file.close().catch(() => undefined)
  }

  #keyAt(index: number): string {
    return this.#nodes[index]?.[3] ?? ''
  }

  #firstAfter(key: string): number {
    let [low, high] = [0, this.#nodes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#keyAt(middle) <= key) low = middle + 1
      else high = middle
    }
    return low
  }

  async #each(indexes: readonly number[]): Promise<readonly TreeNode[]> {
    return (await Promise.all(indexes.map((index) => this.#read(index, index + 1)))).flat()
  }

  async #read(from: number, to: number): Promise<readonly TreeNode[]> {
    const start = this.#offsets[from] ?? 0
    const bytes = Buffer.alloc((this.#offsets[to] ?? start) - start)
    if (bytes.length > 0) await this.#file.read(bytes, 0, bytes.length, start)
    return bytes.toString('utf8').split('\n').slice(0, -1).map(nodeOf)
  }
}

function nodeOf(line: string): TreeNode {
  // written by writeLines and verified by its checksum
  const node = JSON.parse(line) as TreeNode
  return { ...node, createdAt: new Date(node.createdAt), updatedAt: new Date(node.updatedAt) }
}
