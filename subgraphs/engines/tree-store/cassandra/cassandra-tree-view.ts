import { createHash } from 'node:crypto'
import { storableNames } from '../storable-names.ts'
import type { DraftView, MediaItem, OutlineNode, TreeNode, TreeVersion } from '../tree-store.ts'
import type { Cassandra, Row } from './cassandra-connection.ts'
import { type Buckets, bucketAt, rangesFrom } from './tree-buckets.ts'

/** Names and children are spread over so many partitions of a tenant. */
const parts = 64
export const partOf = (name: string): number => createHash('md5').update(name).digest().readUInt16BE() % parts

const slim = 'order_key, version, deleted, id, external_id, parent_id, slug, position, depth, children_count, content_hash'
const pageRows = 1000
const slimRows = 5000
/** keys of one `in` */
const keysAtOnce = 100

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
    const nodes: TreeNode[] = []
    for await (const row of this.#forward('*', after, Math.min(limit + 1, pageRows), signal)) {
      nodes.push(nodeOf(row))
      if (nodes.length >= limit) break
    }
    return nodes
  }

  async nodes(ids: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]> {
    const found = await this.#named('i', ids, signal)
    const wanted = new Set(ids)
    return (
      await this.atKeys(
        [...found.values()].map(({ key }) => key),
        '*',
        signal,
      )
    )
      .map(nodeOf)
      .filter(({ id }) => wanted.has(id))
  }

  async nodesByExternalId(externalIds: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]> {
    const found = await this.#named('x', externalIds, signal)
    const wanted = new Set<string | null>(externalIds)
    const nodes = (
      await this.atKeys(
        [...found.values()].map(({ key }) => key),
        '*',
        signal,
      )
    ).map(nodeOf)
    return nodes.filter(({ externalId }) => wanted.has(externalId))
  }

  async children(parentId: string, after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]> {
    const keys: string[] = []
    for await (const row of this.#childRows(parentId, after, false, signal)) {
      keys.push(row.get('order_key'))
      if (keys.length >= limit) break
    }
    const nodes = (await this.atKeys(keys, '*', signal)).map(nodeOf)
    return nodes.sort((one, other) => (one.orderKey < other.orderKey ? -1 : 1))
  }

  async ancestors({ parentId }: Pick<TreeNode, 'parentId'>, max: number, signal: AbortSignal): Promise<readonly string[]> {
    const ids: string[] = []
    for (let id = parentId; id !== null && ids.length < max; ) {
      const found = (await this.#named('i', [id], signal)).get(id)
      if (found === undefined) break
      ids.push(id)
      id = found.parentId
    }
    return ids
  }

  async childAfter(parentId: string, position: number, id: string, signal: AbortSignal): Promise<TreeNode | undefined> {
    for await (const row of this.#childRows(parentId, undefined, false, signal)) {
      const at: number = row.get('position')
      if (at > position || (at === position && row.get('id') > id))
        return (await this.atKeys([row.get('order_key')], '*', signal)).map(nodeOf)[0]
    }
    return undefined
  }

  async lastPosition(parentId: string, signal: AbortSignal): Promise<number | undefined> {
    for await (const row of this.#childRows(parentId, undefined, true, signal)) return row.get('position')
    return undefined
  }

  async endOf({ orderKey, depth }: Pick<TreeNode, 'orderKey' | 'depth'>, signal: AbortSignal): Promise<string | undefined> {
    for await (const row of this.#forward(slim, orderKey, slimRows, signal)) if (row.get('depth') <= depth) return row.get('order_key')
    return undefined
  }

  async before(key: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]> {
    const nodes: TreeNode[] = []
    const last = key === undefined ? this.buckets.length - 1 : bucketAt(this.buckets, key)
    for (let at = last; at >= 0 && nodes.length < limit; at--) {
      const bound = (at === last ? key : undefined) ?? this.buckets[at + 1]?.first
      const until = bound === undefined ? '' : ' and order_key < ?'
      const query = `select * from $.content_node where tenant = ? and bucket = ?${until} order by order_key desc, version asc`
      const params = [this.version.tenant, this.buckets[at]?.id, ...(bound === undefined ? [] : [bound])]
      for await (const row of this.#newest(this.#db.pages(query, params, Math.min(limit * 2, pageRows), signal), true)) {
        nodes.push(nodeOf(row))
        if (nodes.length >= limit) break
      }
    }
    return nodes
  }

  async *outline(signal: AbortSignal): AsyncIterable<readonly OutlineNode[]> {
    let page: OutlineNode[] = []
    for await (const row of this.#forward(slim, undefined, slimRows, signal)) {
      page.push(outlineOf(row))
      if (page.length < slimRows) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  /** Rows at these keys, in no order. */
  async atKeys(keys: readonly string[], columns: string, signal: AbortSignal): Promise<Row[]> {
    const byBucket = Map.groupBy(keys, (key) => this.buckets[bucketAt(this.buckets, key)]?.id ?? 0)
    const asked: Promise<Row[]>[] = []
    for (const [bucket, some] of byBucket)
      for (let at = 0; at < some.length; at += keysAtOnce)
        asked.push(this.#rowsAt(bucket, some.slice(at, at + keysAtOnce), columns, signal))
    return (await Promise.all(asked)).flat()
  }

  async #rowsAt(bucket: number, keys: readonly string[], columns: string, signal: AbortSignal): Promise<Row[]> {
    const query = `select ${columns} from $.content_node where tenant = ? and bucket = ? and order_key in ?`
    const rows: Row[] = []
    for await (const row of this.#newest(this.#db.pages(query, [this.version.tenant, bucket, keys], pageRows, signal), false))
      rows.push(row)
    return rows
  }

  async *#forward(columns: string, after: string | undefined, fetchSize: number, signal: AbortSignal): AsyncIterable<Row> {
    for (const { bucket, before } of rangesFrom(this.buckets, after ?? '')) {
      const until = before === undefined ? '' : ' and order_key < ?'
      const query = `select ${columns} from $.content_node where tenant = ? and bucket = ? and order_key > ?${until}`
      const params = [this.version.tenant, bucket, after ?? '', ...(before === undefined ? [] : [before])]
      yield* this.#newest(this.#db.pages(query, params, fetchSize, signal), false)
    }
  }

  async *#childRows(parentId: string, after: string | undefined, backwards: boolean, signal: AbortSignal): AsyncIterable<Row> {
    const ranges = rangesFrom(this.buckets, after ?? '')
    const order = backwards ? ' order by parent_id desc, order_key desc, version asc' : ''
    for (const { bucket, before } of backwards ? [...ranges].reverse() : ranges) {
      const until = before === undefined ? '' : ' and order_key < ?'
      const query = `select * from $.content_child where tenant = ? and part = ? and bucket = ? and parent_id = ? and order_key > ?${until}${order}`
      const params = [this.version.tenant, partOf(parentId), bucket, parentId, after ?? '', ...(before === undefined ? [] : [before])]
      yield* this.#newest(this.#db.pages(query, params, pageRows, signal), backwards)
    }
  }

  /** Where names lead, of those that lead anywhere. */
  async #named(kind: 'i' | 'x', names: readonly string[], signal: AbortSignal) {
    const found = new Map<string, { readonly key: string; readonly parentId: string | null }>()
    const byPart = Map.groupBy(new Set(storableNames(names)), partOf)
    await Promise.all(
      [...byPart].flatMap(([part, all]) =>
        Array.from({ length: Math.ceil(all.length / keysAtOnce) }, async (_, at) => {
          const some = all.slice(at * keysAtOnce, (at + 1) * keysAtOnce)
          const query = 'select * from $.content_name where tenant = ? and kind = ? and part = ? and name in ?'
          const seen = new Set<string>()
          for await (const rows of this.#db.pages(query, [this.version.tenant, kind, part, some], pageRows, signal))
            for (const row of rows) {
              const name: string = row.get('name')
              if (seen.has(name) || !this.#isVisible(row)) continue
              seen.add(name)
              if (row.get('order_key') !== null) found.set(name, { key: row.get('order_key'), parentId: row.get('parent_id') })
            }
        }),
      ),
    )
    return found
  }

  #isVisible(row: Row): boolean {
    const version: number = row.get('version')
    return version <= this.version.number && !this.#aborted.has(version)
  }

  /** Of the rows of each key the newest visible one, unless it says that there is nothing. @param isRising - the versions of a key come oldest first */
  async *#newest(pages: AsyncIterable<readonly Row[]>, isRising: boolean): AsyncIterable<Row> {
    let key: string | undefined
    let best: Row | undefined
    for await (const rows of pages)
      for (const row of rows) {
        const own: string = row.get('order_key')
        if (own !== key) {
          if (best !== undefined && !best.get('deleted')) yield best
          key = own
          best = undefined
        }
        if ((best === undefined || isRising) && this.#isVisible(row)) best = row
      }
    if (best !== undefined && !best.get('deleted')) yield best
  }
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
