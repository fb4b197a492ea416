import { type CommitWindow, combinedWindow } from '../../../foundation/concurrency/deadline.ts'
import { KeyedMutex } from '../../../foundation/concurrency/keyed-mutex.ts'
import { EngineUnavailable, OutcomeUnknown } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import type { TreeDraft, TreeStore, TreeVersion } from '../tree-store.ts'
import type { CassandraAddress } from './cassandra-client.ts'
import { type Cassandra, connectCassandra, type Row } from './cassandra-connection.ts'
import { CassandraDraft } from './cassandra-draft.ts'
import { cassandraImportStage } from './cassandra-import-stage.ts'
import { purgeTenant } from './cassandra-purge.ts'
import { cassandraTrash } from './cassandra-trash.ts'
import { acquireTreeLock } from './cassandra-tree-lock.ts'
import { CassandraTreeView } from './cassandra-tree-view.ts'
import { type BucketSize, type Buckets, bucketSize, oneBucket } from './tree-buckets.ts'

/** how long a writer waits for its turn */
const lockLimitMs = 8000
const defaultLeaseMs = 30_000
/** time limit for cleaning up the trash after a version */
const trashLimitMs = 5000

interface CassandraTreeStoreOptions extends CassandraAddress {
  readonly keyspace: string
  readonly schemaFolder: string
  /** whether the start creates missing tables; otherwise it refuses to start. Default: true */
  readonly migrate?: boolean
  readonly log: Log
  /** how long an unresponsive writer keeps its turn */
  readonly leaseMs?: number
  readonly size?: BucketSize
}

/**
 * Content trees on Cassandra. A writer takes its turn by a compare-and-set with a number of its own, writes rows under that number, and publishes
 * them by another compare-and-set. The number of a dead writer is marked as abandoned when the next one takes its turn.
 */
export function cassandraTreeStore(options: CassandraTreeStoreOptions): TreeStore {
  const { leaseMs = defaultLeaseMs, size = bucketSize } = options
  const db = connectCassandra(options)
  const treeRow = async (tenant: string, signal: AbortSignal): Promise<Row | undefined> =>
    (await db.rows('select * from $.content_tree where tenant = ?', [tenant], signal))[0]
  const stage = cassandraImportStage(db)
  const versions = async (signal: AbortSignal): Promise<readonly TreeVersion[]> => {
    const all: TreeVersion[] = []
    for await (const rows of db.pages('select tenant, version, published_at from $.content_tree', [], 1000, signal))
      all.push(...rows.filter((row) => row.get('version') > 0).map(versionOf))
    return all
  }
  // writers of this process wait here; otherwise their compare-and-sets would fail each other
  const turns = new KeyedMutex()
  const writeLocked = async <Result>(
    tenant: string,
    work: (draft: TreeDraft) => Promise<Result>,
    signal: AbortSignal,
    window: CommitWindow,
  ): Promise<Result> => {
    const turn = await acquireTreeLock(db, tenant, { waitMs: lockLimitMs, leaseMs, timeoutError: notInTime }, signal)
    const draft = new CassandraDraft(db, viewOf(db, turn.row, turn.row), turn.version, size, turn.renew)
    try {
      const result = await work(draft)
      if (draft.changed) {
        await draft.close(signal)
        await window.commit(() => turn.publish(draft.buckets, signal))
        // the tree contains it again: a copy left in the trash cannot be restored and expires
        await draft.emptyTrash(AbortSignal.timeout(trashLimitMs)).catch(() => undefined)
      } else {
        await window.commit(() => draft.emptyTrash(signal))
        await turn.release(false)
      }
      return result
    } catch (error) {
      // if the version may be visible, the trash may hold the only copy of what it removed
      if (!(error instanceof OutcomeUnknown)) {
        await turn.release(draft.changed).catch(() => undefined)
        await draft.takeBack(AbortSignal.timeout(trashLimitMs)).catch(() => undefined)
      }
      throw error
    }
  }
  return {
    name: 'content store',
    engine: 'cassandra',
    stage,
    trash: cassandraTrash(db, versions),
    async latest(tenant, signal) {
      const row = await treeRow(tenant, signal)
      return row === undefined || row.get('version') === 0 ? undefined : viewOf(db, row, row)
    },
    async view(tenant, version, signal) {
      const query = 'select * from $.content_version where tenant = ? and version = ?'
      const [[old], row] = await Promise.all([db.rows(query, [tenant, version], signal), treeRow(tenant, signal)])
      return old === undefined || row === undefined ? undefined : viewOf(db, old, row)
    },
    versions,
    async write(tenant, work, signal, window = combinedWindow([])) {
      const giveOn = await turns.acquire(tenant, lockLimitMs, signal, notInTime)
      try {
        return await writeLocked(tenant, work, signal, window)
      } finally {
        giveOn()
      }
    },
    async purge(before, signal) {
      for (const { tenant } of await versions(signal)) await purgeTenant(db, tenant, before, signal)
    },
    health: (signal) => db.health(signal),
    get absence() {
      return db.absence
    },
    start: (signal) => db.start(signal),
    stop: () => db.stop(),
  }
}

const notInTime = (): EngineUnavailable =>
  new EngineUnavailable('content store', new Error(`another writer held the lock of the tree for ${lockLimitMs} ms`))

const versionOf = (row: Row): TreeVersion => ({ tenant: row.get('tenant'), number: row.get('version'), at: row.get('published_at') })

/**
 * @param row - the version
 * @param tree - lists the abandoned numbers
 */
function viewOf(db: Cassandra, row: Row, tree: Row): CassandraTreeView {
  const buckets = row.get('buckets') === null ? oneBucket : (JSON.parse(row.get('buckets')) as Buckets)
  // the driver returns a set as an array
  return new CassandraTreeView(db, versionOf(row), buckets, new Set<number>(tree.get('aborted') ?? []))
}
