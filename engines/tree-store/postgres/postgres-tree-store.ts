import type pg from 'pg'
import { type CommitWindow, combinedWindow } from '../../../foundation/concurrency/deadline.ts'
import { KeyedMutex } from '../../../foundation/concurrency/keyed-mutex.ts'
import { Semaphore } from '../../../foundation/concurrency/semaphore.ts'
import { EngineUnavailable, OutcomeUnknown } from '../../../foundation/fault.ts'
import { beginTimed, commitTimed } from '../../relational/commit.ts'
import type { Database } from '../../relational/database.ts'
import { indicatesUnavailable, translatedError } from '../../relational/query-errors.ts'
import { queryableOn } from '../../relational/session.ts'
import { type TreeDraft, type TreeStore, type TreeVersion, withinCharacters } from '../tree-store.ts'
import { postgresImportStage } from './postgres-import-stage.ts'
import { rowsOf } from './postgres-rows.ts'
import { postgresTrash, storeChunks } from './postgres-trash.ts'
import { postgresTreeView, recordOf } from './postgres-tree-view.ts'

interface VersionRow {
  readonly tenant: string
  readonly version: number
  readonly published_at: Date
}

type Work<Result> = (client: pg.PoolClient, base: VersionRow) => Promise<Result>

/** how long a writer waits for its turn */
const lockLimitMs = 8000
const statementLimitMs = 15_000
/** window of callers without a deadline */
const unhurried = combinedWindow([])
/** rows per statement */
const maxRows = 1000
/** versions that a purge deletes before it lets writers proceed */
const versionsPerPurge = 100

const versionOf = ({ tenant, version, published_at }: VersionRow): TreeVersion => ({ tenant, number: version, at: published_at })

/** Content trees on PostgreSQL: a version is written in one transaction that locks the row of its tenant. */
export function postgresTreeStore(database: Database): TreeStore {
  const { pool } = database
  const rows = rowsOf(pool)
  // writers of this process wait here: waiting for the lock would occupy a connection
  const turns = new KeyedMutex()
  // the other connections serve readers, including an import that reads its stage while it writes
  const places = new Semaphore(Math.ceil(pool.options.max / 2))

  const inTurn = async <Result>(tenant: string, signal: AbortSignal, work: Work<Result>, window = unhurried): Promise<Result> => {
    const giveOn = await turns.acquire(
      tenant,
      lockLimitMs,
      signal,
      () => new EngineUnavailable('content store', new Error(`another writer held the lock of the tree for ${lockLimitMs} ms`)),
    )
    try {
      return await places.hold(() => locked(tenant, signal, work, window), signal)
    } finally {
      giveOn()
    }
  }
  const locked = async <Result>(tenant: string, signal: AbortSignal, work: Work<Result>, window: CommitWindow): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw translatedError(error)
    })
    let broken = false
    try {
      const begun = await beginTimed(client, window, statementLimitMs)
      const run = rowsOf(client)
      await run(`set local lock_timeout = '${lockLimitMs}ms'`, [], signal)
      await run('insert into content_tree (tenant, version) values ($1, 0) on conflict do nothing', [tenant], signal)
      const [base] = await run<VersionRow>('select * from content_tree where tenant = $1 for update', [tenant], signal)
      if (base === undefined) throw new EngineUnavailable('content store')
      const result = await work(client, base)
      signal.throwIfAborted()
      await commitTimed(pool, client, window, begun)
      return result
    } catch (error) {
      broken = indicatesUnavailable(error) || error instanceof EngineUnavailable || error instanceof OutcomeUnknown
      if (!broken) await client.query('rollback').catch(() => undefined)
      throw translatedError(error)
    } finally {
      client.release(broken)
    }
  }

  return {
    name: 'content store',
    engine: 'postgresql',
    stage: postgresImportStage(database),
    trash: postgresTrash(database),
    async latest(tenant, signal) {
      const [row] = await rows<VersionRow>('select * from content_tree where tenant = $1 and version > 0', [tenant], signal)
      return row && postgresTreeView(versionOf(row), rows)
    },
    async view(tenant, version, signal) {
      const [row] = await rows<VersionRow>('select * from content_version where tenant = $1 and version = $2', [tenant, version], signal)
      return row && postgresTreeView(versionOf(row), rows)
    },
    async versions(signal) {
      return (await rows<VersionRow>('select * from content_tree where version > 0', [], signal)).map(versionOf)
    },
    write: (tenant, work, signal, window) =>
      inTurn(
        tenant,
        signal,
        async (client, base) => {
          const run = rowsOf(client)
          const next = base.version + 1
          let changed = false
          const draft: TreeDraft = {
            base: base.version === 0 ? undefined : postgresTreeView(versionOf(base), run),
            plan: async () => undefined,
            async put(nodes) {
              for (let at = 0; at < nodes.length; ) {
                changed = true
                const step = withinCharacters(nodes.slice(at, at + maxRows))
                await run(putRows, [tenant, next, JSON.stringify(step.map(recordOf))], signal)
                at += step.length
              }
            },
            async clear(orderKeys) {
              for (let at = 0; at < orderKeys.length; at += maxRows) {
                changed = true
                await run(clearRows, [tenant, next, orderKeys.slice(at, at + maxRows)], signal)
              }
            },
            transaction: queryableOn(client),
            discard: (chunks) => storeChunks(run, tenant, chunks, signal),
            async forget(trashId) {
              await run('delete from content_trash where tenant = $1 and id = $2', [tenant, trashId], signal)
            },
          }
          const result = await work(draft)
          if (changed) {
            await run('insert into content_version (tenant, version) values ($1, $2)', [tenant, next], signal)
            await run('update content_tree set version = $2, published_at = now() where tenant = $1', [tenant, next], signal)
          }
          return result
        },
        window,
      ),
    async purge(before, signal) {
      await rows('delete from content_import where begun_at < $1', [before], signal)
      const due = await rows<{ tenant: string; oldest: number; newest: number }>(dueVersions, [before], signal)
      for (const { tenant, oldest, newest } of due) {
        for (let from = oldest; from < newest; from += versionsPerPurge) {
          const to = Math.min(from + versionsPerPurge, newest)
          await inTurn(tenant, signal, async (client) => {
            const run = rowsOf(client)
            await run(purgeSuperseded, [tenant, from, to], signal)
            await run(purgeDeleted, [tenant, from, to], signal)
            await run('delete from content_version where tenant = $1 and version < $2', [tenant, to], signal)
          })
        }
      }
    },
    health: (signal) => database.health(signal),
    start: async () => undefined,
    stop: async () => undefined,
  }
}

const columns = [
  ...['order_key text', 'id text', 'external_id text', 'parent_id text', 'position integer', 'depth integer', 'children_count integer'],
  ...['content_hash text', 'title text', 'slug text', 'summary text', 'body text', 'locale text', 'media text', 'metadata text'],
  ...['created_at timestamptz', 'updated_at timestamptz'],
]
const names = columns.map((column) => column.split(' ')[0])
const putRows = `insert into content_node (tenant, version, ${names.join(', ')})
  select $1, $2, ${names.join(', ')} from json_to_recordset($3) as given(${columns.join(', ')})
  on conflict (tenant, order_key, version) do update set deleted = false, ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`
const clearRows = `insert into content_node (tenant, version, order_key, deleted) select $1, $2, unnest($3::text[]), true
  on conflict (tenant, order_key, version) do update set deleted = true, id = null, external_id = null, parent_id = null, depth = null, body = null`

/** the version visible at that time is the oldest that is retained */
const dueVersions = `select tenant, min(version) as oldest, max(version) as newest from content_version where published_at < $1
  group by tenant having max(version) > min(version)`
const purgeSuperseded = `delete from content_node as old using content_node as newer
  where newer.tenant = $1 and newer.version > $2 and newer.version <= $3
    and old.tenant = $1 and old.order_key = newer.order_key and old.version < newer.version`
/** those of the version before the first of these were deleted with it */
const purgeDeleted = `delete from content_node as gone where gone.tenant = $1 and gone.version > $2 and gone.version <= $3 and gone.deleted and not exists
  (select 1 from content_node as old where old.tenant = $1 and old.order_key = gone.order_key and old.version < gone.version)`
