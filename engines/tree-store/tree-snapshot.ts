import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import {
  isCut,
  maxListCharacters,
  mayContinue,
  type SubtreeTop,
  type TreeNode,
  type TreeSize,
  type TreeVersion,
  type TreeView,
  withinCharacters,
} from './tree-store.ts'

/** The index of a snapshot: finds the line of a node without reading the others. */
const Index = z.object({
  tenant: z.string(),
  version: z.int(),
  /** name and size of the file of the lines; absent in an index of release 1 */
  lines: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .optional(),
  bytes: z.int().optional(),
  at: z.coerce.date(),
  /** SHA-256 of the lines */
  sha256: z.string(),
  /** id, parent id, depth, key, length of the line in bytes */
  nodes: z.array(z.tuple([z.string(), z.string().nullable(), z.int(), z.string(), z.int()])),
})

/**
 * Snapshots of trees in files, for reads while the store is unavailable: one line of JSON per node, and an index. Processes may share a folder: each
 * write has files of its own, and the index selects one.
 */
export interface TreeSnapshots {
  /** Replaces the tenant's snapshot atomically, unless it has this version or another process has written a later one meanwhile. */
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
      const versionNow = (): Promise<Pick<TreeVersion, 'number'> | undefined> => versionIn(folder, indexOf(tenant))
      if ((await versionNow())?.number === number) return
      const before = await modified(tenant)
      const own = `${number}.${randomBytes(6).toString('hex')}`
      const lines = `${tenant}.${own}.ndjson`
      const index = join(folder, `${tenant}.${own}.json`)
      try {
        const { sha256, bytes, nodes } = await writeLines(join(folder, lines), view, signal)
        const content: z.input<typeof Index> = { tenant, version: number, lines, bytes, at: at.toISOString(), sha256, nodes }
        await writeFile(index, JSON.stringify(content), { mode: 0o600 })
        const isSuperseded = await exclusively(`${indexOf(tenant)}.lock`, signal, async () => {
          // a restored store may have an earlier version: only a snapshot of the meantime counts
          if ((await modified(tenant)) !== before && ((await versionNow())?.number ?? 0) >= number) return true
          await rename(index, indexOf(tenant))
          return false
        })
        if (isSuperseded) return await removeAll([index, join(folder, lines)])
      } catch (error) {
        await removeAll([index, join(folder, lines)])
        throw error
      }
      // readers that have the previous file open keep it
      await removeAll(await formerFiles(folder, tenant, number))
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
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.index.json'))
      return (await Promise.all(names.map((name) => versionIn(folder, join(folder, name))))).filter((version) => version !== undefined)
    },
  }
}

/** a lock of this age is that of a process that has ended */
const maxLockMs = 10_000
const lockRetryMs = 20

/** Runs `work`, which takes milliseconds, while no other process runs one with the same lock file. */
async function exclusively<Result>(lock: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  for (; ; await pause(lockRetryMs, signal)) {
    signal.throwIfAborted()
    const file = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (file !== undefined) return await work().finally(async () => Promise.all([file.close(), rm(lock, { force: true })]))
    const { mtimeMs } = (await stat(lock).catch(() => undefined)) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > maxLockMs) await rm(lock, { force: true })
  }
}

const removeAll = async (paths: readonly string[]): Promise<void> => {
  await Promise.all(paths.map((path) => rm(path, { force: true })))
}

const headBytes = 600
const head = /^\{"tenant":"([a-z0-9-]+)","version":(\d+),"lines":"([a-z0-9.-]+)","bytes":(\d+),/

/** Returns the version at the start of an index; undefined without an index, and when its lines are missing or incomplete. */
async function versionIn(folder: string, index: string): Promise<Pick<TreeVersion, 'tenant' | 'number'> | undefined> {
  const file = await open(index, 'r').catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const [, tenant, number, lines = '', bytes] = head.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
    const { size } = (await stat(join(folder, lines)).catch(() => undefined)) ?? {}
    return tenant === undefined || size !== Number(bytes) ? undefined : { tenant, number: Number(number) }
  } finally {
    await file.close()
  }
}

/** age from which files of an interrupted write are deleted: younger ones may be those of another process that is writing */
const abandonedMs = 3_600_000

/** Returns the files of earlier versions of a tenant, and those of interrupted writes. */
async function formerFiles(folder: string, tenant: string, version: number): Promise<readonly string[]> {
  const former = (await readdir(folder)).map(async (name) => {
    const [, of, number, kind] = /^([a-z0-9-]+)\.(\d+)(?:\.[0-9a-f]+)?\.(ndjson(?:\.new)?|json)$/.exec(name) ?? []
    if (of !== tenant) return []
    const path = join(folder, name)
    if (kind === 'ndjson' && Number(number) < version) return [path]
    const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(path).catch(() => undefined)) ?? {}
    return Date.now() - mtimeMs > abandonedMs ? [path] : []
  })
  return (await Promise.all(former)).flat()
}

/** name of the lines in release 1 */
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
      more = mayContinue(page, pageRows)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), bytes: nodes.reduce((sum, [, , , , length]) => sum + length, 0), nodes }
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
    const path = join(folder, index.lines ?? linesOf(index.tenant, index.version))
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
    return this.#each(Array.from({ length: Math.min(limit, this.#nodes.length - from) }, (_, index) => from + index))
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

  async size(_: AbortSignal, top?: SubtreeTop): Promise<TreeSize> {
    const start = top === undefined ? 0 : this.#firstAfter(top.orderKey)
    const end = top === undefined ? -1 : this.#nodes.findIndex(([, , depth], index) => index >= start && depth <= top.depth)
    const counted = this.#nodes.slice(start, end < 0 ? undefined : end)
    const depth = counted.reduce((deepest, [, , each]) => Math.max(deepest, each), top?.depth ?? 0)
    return { nodes: counted.length + (top === undefined ? 0 : 1), depth }
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

  #each(indexes: readonly number[]): Promise<readonly TreeNode[]> {
    const lengths = indexes.map((index) => this.#nodes[index]?.[4] ?? 0)
    return listInSteps(lengths, async (from, to) =>
      (await Promise.all(rangesIn(indexes.slice(from, to)).map((range) => this.#read(...range)))).flat(),
    )
  }

  async #read(from: number, to: number): Promise<readonly TreeNode[]> {
    const start = this.#offsets[from] ?? 0
    const bytes = Buffer.alloc((this.#offsets[to] ?? start) - start)
    if (bytes.length > 0) await this.#file.read(bytes, 0, bytes.length, start)
    return bytes.toString('utf8').split('\n').slice(0, -1).map(nodeOf)
  }
}

/** Joins indexes that follow each other. */
function rangesIn(indexes: readonly number[]): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = []
  for (const index of indexes) {
    const last = ranges.at(-1)
    if (last?.[1] === index) last[1] += 1
    else ranges.push([index, index + 1])
  }
  return ranges
}

/**
 * Reads a list of nodes up to `maxListCharacters`. @param lengths - of the nodes in the file, in bytes
 * @param read - returns those from one position of the list to another
 */
export async function listInSteps(
  lengths: readonly number[],
  read: (from: number, to: number) => Promise<readonly TreeNode[]>,
): Promise<readonly TreeNode[]> {
  const nodes: TreeNode[] = []
  for (let from = 0, to = 0; from < lengths.length && !isCut(nodes); from = to) {
    for (let bytes = 0; to < lengths.length && bytes <= maxListCharacters; to++) bytes += lengths[to] ?? 0
    nodes.push(...(await read(from, to)))
  }
  return withinCharacters(nodes)
}

function nodeOf(line: string): TreeNode {
  // written by writeLines and verified by its checksum
  const node = JSON.parse(line) as TreeNode
  return { ...node, createdAt: new Date(node.createdAt), updatedAt: new Date(node.updatedAt) }
}
