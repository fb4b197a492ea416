import { type DraftView, mayContinue, type TrashChunk, type TreeDraft, type TreeNode } from '../tree-store.ts'
import type { Cassandra, Statement } from './cassandra-connection.ts'
import { deleteChunk, storeChunks } from './cassandra-trash.ts'
import { type CassandraTreeView, partOf } from './cassandra-tree-view.ts'
import { changeLog, type VersionedKey } from './change-log.ts'
import { type Bucket, type BucketSize, type Buckets, bucketAt, isCrowded, splitFor } from './tree-buckets.ts'

interface Former {
  readonly id: string
  readonly externalId: string | null
  readonly parentId: string | null
  readonly position: number
}

const columns = [
  ...['id', 'external_id', 'parent_id', 'position', 'depth', 'children_count', 'content_hash', 'title', 'slug', 'summary', 'body'],
  ...['locale', 'media', 'metadata', 'created_at', 'updated_at'],
]
const insertNode = `insert into $.content_node (tenant, bucket, order_key, version, deleted, ${columns.join(', ')})
  values (?, ?, ?, ?, false, ${columns.map(() => '?').join(', ')})`
const deleteNode = 'insert into $.content_node (tenant, bucket, order_key, version, deleted) values (?, ?, ?, ?, true)'
const insertChild =
  'insert into $.content_child (tenant, part, bucket, parent_id, order_key, version, deleted, id, position) values (?, ?, ?, ?, ?, ?, ?, ?, ?)'
const insertName = 'insert into $.content_name (tenant, kind, part, name, version, order_key, parent_id) values (?, ?, ?, ?, ?, ?, ?)'

/** A draft on Cassandra: its rows are written immediately under a number that readers ignore until it is published. */
export class CassandraDraft implements TreeDraft {
  readonly base: DraftView | undefined
  readonly #view: CassandraTreeView
  readonly #db: Cassandra
  readonly #tenant: string
  readonly #version: number
  readonly #size: BucketSize
  readonly #note: (keys: readonly VersionedKey[]) => readonly Statement[]
  readonly #renew: () => Promise<void>
  #buckets: Buckets
  #changed = false
  readonly #ids = new Set<string>()
  readonly #externalIds = new Set<string>()
  readonly #former: Former[] = []
  readonly #touched = new Set<string>()

  /**
   * @param view - previous version; empty for a new tenant
   * @param renew - called before each write to extend the turn of this writer
   */
  constructor(db: Cassandra, view: CassandraTreeView, version: number, size: BucketSize, renew: () => Promise<void>) {
    this.#db = db
    this.#view = view
    this.#tenant = view.version.tenant
    this.#version = version
    this.#size = size
    this.#note = changeLog(this.#tenant, version)
    this.#renew = renew
    this.#buckets = view.buckets
    this.base = view.version.number === 0 ? undefined : view
  }

  get changed(): boolean {
    return this.#changed
  }

  get buckets(): Buckets {
    return this.#buckets
  }

  async plan(orderKeys: readonly string[], signal: AbortSignal): Promise<void> {
    const { buckets, moved } = splitFor(this.#buckets, orderKeys, this.#size)
    this.#buckets = buckets
    for (const bucket of moved) await this.#copy(bucket, signal)
  }

  async put(nodes: readonly TreeNode[], signal: AbortSignal): Promise<void> {
    if (nodes.length === 0) return
    const former = await this.#before(
      nodes.map(({ orderKey }) => orderKey),
      signal,
    )
    const statements = nodes.flatMap((node) => {
      const was = former.get(node.orderKey)
      former.delete(node.orderKey)
      return this.#changesOf(node, was)
    })
    await this.#write(statements, signal)
  }

  async clear(orderKeys: readonly string[], signal: AbortSignal): Promise<void> {
    if (orderKeys.length === 0) return
    const former = await this.#before(orderKeys, signal)
    const statements = orderKeys.flatMap((key) => {
      const bucket = this.#bucketOf(key)
      const deletion: KeyedStatement = { key: ['n', bucket, key], query: deleteNode, params: [this.#tenant, bucket, key, this.#version] }
      return [deletion, ...this.#leaving(former.get(key)?.parentId ?? null, key)]
    })
    await this.#write(statements, signal)
  }

  readonly transaction = undefined
  /** moved to the trash by this draft */
  readonly #chunkIds: string[] = []
  readonly #forgotten: string[] = []

  /** Called before they leave the tree: if the process dies in between, they are in both, and restoring them is refused. */
  discard(chunks: AsyncIterable<TrashChunk>, signal: AbortSignal): Promise<void> {
    return storeChunks(this.#db, this.#tenant, chunks, { permit: this.#renew, onStored: (id) => this.#chunkIds.push(id) }, signal)
  }

  async forget(trashId: string): Promise<void> {
    this.#forgotten.push(trashId)
  }

  /** Removes from the trash what the published version contains again. */
  async emptyTrash(signal: AbortSignal): Promise<void> {
    for (const id of this.#forgotten) await deleteChunk(this.#db, this.#tenant, id, signal)
  }

  /** Removes from the trash what stays in the tree after the draft was abandoned. */
  async takeBack(signal: AbortSignal): Promise<void> {
    for (const id of this.#chunkIds) await deleteChunk(this.#db, this.#tenant, id, signal)
  }

  /** Deletes the lookup rows of removed nodes, at the end. */
  async close(signal: AbortSignal): Promise<void> {
    const removed = this.#former.flatMap(({ id, externalId }) => [
      ...(this.#ids.has(id) ? [] : [this.#name('i', id, null, null)]),
      ...(externalId === null || this.#externalIds.has(externalId) ? [] : [this.#name('x', externalId, null, null)]),
    ])
    await this.#write(removed, signal)
  }

  /** Splits large buckets before the first change, since single changes also fill them. */
  async #relieve(signal: AbortSignal): Promise<void> {
    if (this.#changed || !isCrowded(this.#buckets, this.#size) || this.base === undefined) return
    const keys: string[] = []
    for await (const page of this.base.outline(signal)) keys.push(...page.map(({ orderKey }) => orderKey))
    await this.plan(keys, signal)
  }

  /** Remembers the previous rows of keys that change for the first time. @returns the previous rows by key */
  async #before(keys: readonly string[], signal: AbortSignal): Promise<Map<string, Former>> {
    await this.#relieve(signal)
    this.#changed = true
    const fresh = this.base === undefined ? [] : keys.filter((key) => !this.#touched.has(key))
    for (const key of fresh) this.#touched.add(key)
    const rows = await this.#view.atKeys(fresh, 'order_key, version, deleted, id, external_id, parent_id, position', signal)
    const former = rows.map((row): [string, Former] => [
      row.get('order_key'),
      { id: row.get('id'), externalId: row.get('external_id'), parentId: row.get('parent_id'), position: row.get('position') },
    ])
    this.#former.push(...former.map(([, was]) => was))
    return new Map(former)
  }

  async #copy(bucket: Bucket, signal: AbortSignal): Promise<void> {
    const end = this.#buckets[bucketAt(this.#buckets, bucket.first) + 1]?.first
    const [previous] = await this.#view.before(bucket.first, 1, signal)
    for (let after = previous?.orderKey; this.base !== undefined; ) {
      const page = await this.#view.slice(after, 1000, signal)
      const inside = page.filter(({ orderKey }) => end === undefined || orderKey < end)
      if (inside.length > 0) this.#changed = true
      await this.#write(
        inside.flatMap((node) => this.#statementsOf(node)),
        signal,
      )
      if (inside.length < page.length || !mayContinue(page, 1000)) return
      after = page.at(-1)?.orderKey
    }
  }

  #bucketOf(key: string): number {
    return this.#buckets[bucketAt(this.#buckets, key)]?.id ?? 0
  }

  /** Returns the writes for a node that replaces another or its former self; lookup rows are written only if they changed. */
  #changesOf(node: TreeNode, was: Former | undefined): KeyedStatement[] {
    const { id, externalId, parentId, orderKey, position } = node
    const isSame = was?.id === id && was.parentId === parentId
    const [isNamed, isNamedOutside] = [this.#ids.has(id), externalId !== null && this.#externalIds.has(externalId)]
    this.#ids.add(id)
    if (externalId !== null) this.#externalIds.add(externalId)
    return [
      this.#node(node),
      ...(was === undefined || was.parentId === parentId ? [] : this.#leaving(was.parentId, orderKey)),
      ...(parentId === null || (isSame && was.position === position) ? [] : [this.#child(parentId, orderKey, false, id, position)]),
      ...(isSame && !isNamed ? [] : [this.#name('i', id, orderKey, parentId)]),
      ...(externalId === null || (was?.externalId === externalId && !isNamedOutside) ? [] : [this.#name('x', externalId, orderKey, null)]),
    ]
  }

  #statementsOf(node: TreeNode): KeyedStatement[] {
    const { id, externalId, parentId, orderKey, position } = node
    return [
      this.#node(node),
      ...(parentId === null ? [] : [this.#child(parentId, orderKey, false, id, position)]),
      this.#name('i', id, orderKey, parentId),
      ...(externalId === null ? [] : [this.#name('x', externalId, orderKey, null)]),
    ]
  }

  #node(node: TreeNode): KeyedStatement {
    const bucket = this.#bucketOf(node.orderKey)
    const values = [
      ...[node.id, node.externalId, node.parentId, node.position, node.depth, node.childrenCount, node.contentHash, node.title, node.slug],
      ...[node.summary, node.body, node.locale, JSON.stringify(node.media), JSON.stringify(node.metadata), node.createdAt, node.updatedAt],
    ]
    return { key: ['n', bucket, node.orderKey], query: insertNode, params: [this.#tenant, bucket, node.orderKey, this.#version, ...values] }
  }

  #leaving(parentId: string | null, key: string): KeyedStatement[] {
    return parentId === null ? [] : [this.#child(parentId, key, true, null, null)]
  }

  #child(parentId: string, key: string, deleted: boolean, id: string | null, position: number | null): KeyedStatement {
    const part = partOf(parentId)
    const bucket = this.#bucketOf(key)
    const params = [this.#tenant, part, bucket, parentId, key, this.#version, deleted, id, position]
    return { key: ['c', part, bucket, parentId, key], query: insertChild, params }
  }

  #name(kind: 'i' | 'x', name: string, key: string | null, parentId: string | null): KeyedStatement {
    const part = partOf(name)
    return { key: [kind, part, name], query: insertName, params: [this.#tenant, kind, part, name, this.#version, key, parentId] }
  }

  async #write(statements: readonly KeyedStatement[], signal: AbortSignal): Promise<void> {
    if (statements.length === 0) return
    // the first version supersedes nothing
    const noted = this.base === undefined ? [] : this.#note(statements.map(({ key }) => key))
    await this.#db.write([noted], signal, this.#renew)
    const partitions = Map.groupBy(statements, ({ key }) => partitionOf(key))
    await this.#db.write(partitions.values(), signal, this.#renew)
    this.#buckets = this.#buckets.map((bucket) => ({
      ...bucket,
      rows: bucket.rows + (partitions.get(partitionOf(['n', bucket.id, '']))?.length ?? 0),
    }))
  }
}

interface KeyedStatement extends Statement {
  readonly key: VersionedKey
}

/** Returns a partition name: statements of one partition are written together. */
const partitionOf = ([table, part, bucket]: VersionedKey): string => (table === 'c' ? `c${part}/${bucket}` : `${table}${part}`)
