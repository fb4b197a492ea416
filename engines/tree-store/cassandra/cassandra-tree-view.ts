import { createHash } from 'node:crypto'
import {
  charactersIn,
  type DraftView,
  type MediaItem,
  maxListCharacters,
  type OutlineNode,
  type SubtreeTop,
  storableNames,
  type TreeNode,
  type TreeSize,
  type TreeVersion,
  withinCharacters,
} from '../tree-store.ts'
import type { Cassandra, Row } from './cassandra-connection.ts'
import { newestOfEach, type PageSize, type VersionedRows } from './newest-rows.ts'
import { type Buckets, bucketAt, rangesFrom } from './tree-buckets.ts'

/** Number of partitions per tenant over which names and children are spread. */
const parts = 64
export const partNumbers: readonly number[] = Array.from({ length: parts }, (_, part) => part)
export const partOf = (name: string): number => createHash('md5').update(name).digest().readUInt16BE() % parts

const slim = 'order_key, version, deleted, id, external_id, parent_id, slug, position, depth, children_count, content_hash'
const pageRows = 1000
const slimRows = 5000
/** rows with texts that are read at once */
const textRows = 100
/** maximum keys of one `in` */
const keysAtOnce = 100
/** page size of a search that usually ends soon */
const nearRows = 64
/** versions of one key read at once */
const versionsAtOnce = 8

/** The location of rows of one kind: `from … where …` without key and version. */
interface Place {
  readonly from: string
  readonly params: readonly unknown[]
  readonly columns: string
  readonly key: VersionedRows['key']
}

/** Selects rows after a key. @returns undefined if none remain */
type Part = (behind: string | undefined) => { readonly text: string; readonly params: readonly unknown[] } | undefined

/** One version of a tree on Cassandra. */
export class CassandraTreeView implements DraftView {
  readonly version: TreeVersion
  readonly buckets: Buckets
  readonly #db: Cassandra
  readonly #aborted: ReadonlySet<number>

  constructor(db: Cassandra, version: TreeVersion, buckets: Buckets, aborted: ReadonlySet<number>) {
    this.#db = db
    this.version = version
    this.buckets = buckets
    this.#aborted = aborted
  }

  async slice(after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]> {
    return listed(this.#forward('*', after, { first: Math.min(limit, textRows), max: textRows }, signal), limit)
  }

  async nodes(ids: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]> {
    const rows = await this.#named('i', ids, signal)
    const wanted = new Set(ids)
    const keys = [...rows.values()].map(({ key }) => key)
    return (await this.#listedAt(keys, signal)).filter(({ id }) => wanted.has(id))
  }

  async nodesByExternalId(externalIds: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]> {
    const rows = await this.#named('x', externalIds, signal)
    const wanted = new Set<string | null>(externalIds)
    const keys = [...rows.values()].map(({ key }) => key)
    return (await this.#listedAt(keys, signal)).filter(({ externalId }) => wanted.has(externalId))
  }

  async children(parentId: string, after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]> {
    const keys: string[] = []
    for await (const row of this.#childRows(parentId, after, Math.min(limit, pageRows), signal)) {
      keys.push(row.get('order_key'))
      if (keys.length >= limit) break
    }
    return this.#listedAt(keys, signal)
  }

  async ancestors({ parentId }: Pick<TreeNode, 'parentId'>, max: number, signal: AbortSignal): Promise<readonly string[]> {
    const ids: string[] = []
    for (let id = parentId; id !== null && ids.length < max; ) {
      const node = (await this.#named('i', [id], signal)).get(id)
      if (node === undefined) break
      ids.push(id)
      id = node.parentId
    }
    return ids
  }

  async size(signal: AbortSignal, top?: SubtreeTop): Promise<TreeSize> {
    let [nodes, depth] = top === undefined ? [0, 0] : [1, top.depth]
    for await (const row of this.#forward(slim, top?.orderKey, { first: top === undefined ? slimRows : nearRows, max: slimRows }, signal)) {
      const at: number = row.get('depth')
      if (top !== undefined && at <= top.depth) break
      nodes += 1
      depth = Math.max(depth, at)
    }
    return { nodes, depth }
  }

  async childAfter(parentId: string, position: number, id: string, signal: AbortSignal): Promise<TreeNode | undefined> {
    for await (const row of this.#childRows(parentId, undefined, nearRows, signal)) {
      const at: number = row.get('position')
      if (at > position || (at === position && row.get('id') > id))
        return (await this.atKeys([row.get('order_key')], '*', signal)).map(nodeOf)[0]
    }
    return undefined
  }

  async lastPosition(parentId: string, signal: AbortSignal): Promise<number | undefined> {
    for (const { bucket, before } of rangesFrom(this.buckets, '').toReversed()) {
      const place = this.#children(parentId, bucket)
      for await (const row of this.#backward(place, 'parent_id desc, order_key desc', before, { first: 2, max: nearRows }, signal))
        return row.get('position')
    }
    return undefined
  }

  async endOf({ orderKey, depth }: SubtreeTop, signal: AbortSignal): Promise<string | undefined> {
    for await (const row of this.#forward(slim, orderKey, { first: nearRows, max: slimRows }, signal))
      if (row.get('depth') <= depth) return row.get('order_key')
    return undefined
  }

  async before(key: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]> {
    const last = key === undefined ? this.buckets.length - 1 : bucketAt(this.buckets, key)
    const size = { first: Math.min(limit + 1, textRows), max: textRows }
    const backward = async function* (this: CassandraTreeView): AsyncGenerator<Row> {
      for (let at = last; at >= 0; at--) {
        const bound = (at === last ? key : undefined) ?? this.buckets[at + 1]?.first
        yield* this.#backward(this.#nodes(this.buckets[at]?.id ?? 0, '*'), 'order_key desc', bound, size, signal)
      }
    }
    return listed(backward.call(this), limit)
  }

  async *outline(signal: AbortSignal): AsyncIterable<readonly OutlineNode[]> {
    let page: OutlineNode[] = []
    for await (const row of this.#forward(slim, undefined, { first: slimRows, max: slimRows }, signal)) {
      page.push(outlineOf(row))
      if (page.length < slimRows) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  /** Returns the nodes at these keys, up to `maxListCharacters`. */
  async #listedAt(keys: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]> {
    const nodes: TreeNode[] = []
    const sorted = keys.toSorted(byBytes)
    for (let at = 0; at < sorted.length && charactersIn(nodes) <= maxListCharacters; at += textRows) {
      const step = (await this.atKeys(sorted.slice(at, at + textRows), '*', signal)).map(nodeOf)
      nodes.push(...step.sort((one, other) => byBytes(one.orderKey, other.orderKey)))
    }
    return withinCharacters(nodes)
  }

  /** Returns the rows at these keys, unordered. */
  async atKeys(keys: readonly string[], columns: string, signal: AbortSignal): Promise<Row[]> {
    const byBucket = Map.groupBy(keys, (key) => this.buckets[bucketAt(this.buckets, key)]?.id ?? 0)
    const queries: Promise<Row[]>[] = []
    for (const [bucket, some] of byBucket)
      for (let at = 0; at < some.length; at += keysAtOnce)
        queries.push(this.#rowsAt(bucket, some.slice(at, at + keysAtOnce), columns, signal))
    return (await Promise.all(queries)).flat()
  }

  async #rowsAt(bucket: number, keys: readonly string[], columns: string, signal: AbortSignal): Promise<Row[]> {
    const rows: Row[] = []
    for await (const row of this.#among(this.#nodes(bucket, columns), keys, signal)) if (!row.get('deleted')) rows.push(row)
    return rows
  }

  async *#forward(columns: string, after: string | undefined, size: PageSize, signal: AbortSignal): AsyncIterable<Row> {
    for (const { bucket, before } of rangesFrom(this.buckets, after ?? ''))
      yield* this.#between(this.#nodes(bucket, columns), after, before, size, signal)
  }

  async *#childRows(parentId: string, after: string | undefined, first: number, signal: AbortSignal): AsyncIterable<Row> {
    for (const { bucket, before } of rangesFrom(this.buckets, after ?? ''))
      yield* this.#between(this.#children(parentId, bucket), after, before, { first, max: pageRows }, signal)
  }

  /** Resolves names, of those that exist. */
  async #named(kind: 'i' | 'x', names: readonly string[], signal: AbortSignal) {
    const places = new Map<string, { readonly key: string; readonly parentId: string | null }>()
    const byPart = Map.groupBy(new Set(storableNames(names)), partOf)
    await Promise.all(
      [...byPart].flatMap(([part, all]) =>
        Array.from({ length: Math.ceil(all.length / keysAtOnce) }, async (_, at) => {
          const some = all.slice(at * keysAtOnce, (at + 1) * keysAtOnce)
          for await (const row of this.#among(this.#names(kind, part), some, signal))
            if (row.get('order_key') !== null) places.set(row.get('name'), { key: row.get('order_key'), parentId: row.get('parent_id') })
        }),
      ),
    )
    return places
  }

  #nodes(bucket: number, columns: string): Place {
    const from = 'from $.content_node where tenant = ? and bucket = ?'
    return { from, params: [this.version.tenant, bucket], columns, key: 'order_key' }
  }

  #children(parentId: string, bucket: number): Place {
    const from = 'from $.content_child where tenant = ? and part = ? and bucket = ? and parent_id = ?'
    return { from, params: [this.version.tenant, partOf(parentId), bucket, parentId], columns: '*', key: 'order_key' }
  }

  #names(kind: 'i' | 'x', part: number): Place {
    const from = 'from $.content_name where tenant = ? and kind = ? and part = ?'
    return { from, params: [this.version.tenant, kind, part], columns: '*', key: 'name' }
  }

  /** Yields rows ascending, greater than `after`, less than `before`. */
  #between(place: Place, after: string | undefined, before: string | undefined, size: PageSize, signal: AbortSignal): AsyncIterable<Row> {
    const part: Part = (behind = after ?? '') =>
      before === undefined
        ? { text: ' and order_key > ?', params: [behind] }
        : { text: ' and order_key > ? and order_key < ?', params: [behind, before] }
    return this.#existing(place, part, '', size, signal)
  }

  /** Yields rows descending, less than `before`. @param order - order of the columns up to the key */
  #backward(place: Place, order: string, before: string | undefined, size: PageSize, signal: AbortSignal): AsyncIterable<Row> {
    const part: Part = (behind = before) =>
      behind === undefined ? { text: '', params: [] } : { text: ' and order_key < ?', params: [behind] }
    return this.#existing(place, part, ` order by ${order}, version asc`, size, signal)
  }

  /** Yields rows of these keys, deletion markers included. */
  #among(place: Place, keys: readonly string[], signal: AbortSignal): AsyncIterable<Row> {
    const sorted = [...new Set(keys)].sort(byBytes)
    const part: Part = (behind) => {
      const remaining = behind === undefined ? sorted : sorted.slice(sorted.indexOf(behind) + 1)
      return remaining.length === 0
        ? undefined
        : { text: ` and ${place.key} in ? and version <= ?`, params: [remaining, this.version.number] }
    }
    return this.#newest(place, part, '', { first: sorted.length, max: sorted.length }, signal)
  }

  async *#existing(place: Place, part: Part, order: string, size: PageSize, signal: AbortSignal): AsyncIterable<Row> {
    for await (const row of this.#newest(place, part, order, size, signal)) if (!row.get('deleted')) yield row
  }

  #newest({ from, params, columns, key }: Place, part: Part, order: string, size: PageSize, signal: AbortSignal): AsyncIterable<Row> {
    const rows: VersionedRows = {
      key,
      isOldestFirst: order !== '',
      page: async (behind, limit) => {
        const clause = part(behind)
        if (clause === undefined) return []
        return this.#db.rows(`select ${columns} ${from}${clause.text}${order} limit ?`, [...params, ...clause.params, limit], signal)
      },
      versions: (own) => {
        const query = `select ${columns} ${from} and ${key} = ? and version <= ?`
        return this.#db.pages(query, [...params, own, this.version.number], versionsAtOnce, signal)
      },
    }
    return newestOfEach(rows, size, (row) => this.#isVisible(row))
  }

  #isVisible(row: Row): boolean {
    const version: number = row.get('version')
    return version <= this.version.number && !this.#aborted.has(version)
  }
}

/** Compares texts as Cassandra does. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Reads at most `limit` rows, up to `maxListCharacters`. */
async function listed(rows: AsyncIterable<Row>, limit: number): Promise<readonly TreeNode[]> {
  const nodes: TreeNode[] = []
  let characters = 0
  for await (const row of rows) {
    const node = nodeOf(row)
    nodes.push(node)
    characters += charactersIn([node])
    if (nodes.length >= limit || characters > maxListCharacters) break
  }
  return nodes
}

function outlineOf(row: Row): OutlineNode {
  return {
    id: row.get('id'),
    externalId: row.get('external_id'),
    parentId: row.get('parent_id'),
    slug: row.get('slug'),
    position: row.get('position'),
    depth: row.get('depth'),
    childrenCount: row.get('children_count'),
    orderKey: row.get('order_key'),
    contentHash: row.get('content_hash'),
  }
}

function nodeOf(row: Row): TreeNode {
  return {
    ...outlineOf(row),
    title: row.get('title'),
    summary: row.get('summary'),
    body: row.get('body'),
    locale: row.get('locale'),
    // written by the store
    media: JSON.parse(row.get('media')) as readonly MediaItem[],
    metadata: JSON.parse(row.get('metadata')) as Readonly<Record<string, unknown>>,
    createdAt: row.get('created_at'),
    updatedAt: row.get('updated_at'),
  }
}
