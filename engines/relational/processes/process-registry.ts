import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineRefusal } from '../../../foundation/engine-start/engine-opening.ts'
import { type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { BuildInfo } from '../../../foundation/process/build-info.ts'
import { advisoryLocks, takeLock } from '../advisory-locks.ts'
import type { Database, Queryable } from '../database.ts'
import { sql } from '../drizzle.ts'
import type { HeldKey } from './held-key.ts'
import { agreeOnKeys } from './key-agreement.ts'
import { type LiveProcess, liveProcesses, placeOf } from './live-processes.ts'

/** How a process appears to the others. */
export interface Membership {
  /** names of its roles */
  readonly roles: readonly string[]
  /** short name of its roles, for its connections */
  readonly label: string
  readonly build: BuildInfo
  readonly poolSize: number
  /** whether its connections count on the server itself, not on a pooler */
  readonly sharesServer: boolean
  readonly keys: readonly HeldKey[]
  /** identity of the search index that its roles use; undefined without one */
  readonly searchIndex?: string | undefined
}

/** lifetime of a lease that is not renewed, as of leaders */
const leaseSeconds = 15
const renewEveryMs = 5000
const removalLimitMs = 1000
/** connections of a process besides its pool: start, queue, search for the primary */
export const besidePool = 2
const minPool = 2

/** Returns the number of connections that running processes may open. */
export const neededBy = (processes: readonly Pick<LiveProcess, 'poolSize'>[]): number =>
  processes.reduce((sum, { poolSize }) => sum + poolSize + besidePool, 0)

async function maxConnections(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ maxConnections: number }>(
    sql`select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections"`,
  )
  return rows[0]?.maxConnections ?? Number.POSITIVE_INFINITY
}

/** The entry of this process in the list of running processes. */
export interface ProcessRegistry {
  /**
   * Compares keys and search index of this process with the data and the other processes, and enters it, in one transaction.
   * @throws {EngineRefusal} with one sentence per difference
   * @returns the number of connections for its pool: fewer than configured if the server has no more for it
   */
  join(database: Database): Promise<number>
  /** Renews the entry while it runs and removes it at its stop. */
  membership(database: Database): Part
}

export function processRegistry({ roles, build, poolSize: configured, keys, searchIndex, sharesServer }: Membership): ProcessRegistry {
  const id = randomUUID()
  let poolSize = configured
  const held = JSON.stringify(Object.fromEntries(keys.map(({ name, currentId, previousIds }) => [name, { currentId, previousIds }])))
  /** Inserts again what a crash of the server removed. */
  const renew = (db: Queryable): Promise<unknown> =>
    db.execute(sql`
      insert into platform_process (id, roles, host, release, build_commit, schema_level, pool_size, search_index, keys, expires_at)
      values (${id}, ${sql.param([...roles])}::text[], ${hostname()}, ${build.version}, ${build.commit}, ${build.schemaLevel}, ${poolSize},
        ${searchIndex ?? null}, ${held}::jsonb, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
      on conflict (id) do update set expires_at = excluded.expires_at`)
  return {
    join: (database) =>
      database.transaction(async (tx) => {
        // processes that start at one time see each other
        await tx.execute(takeLock(advisoryLocks.processRegistry))
        await tx.execute(sql`delete from platform_process where expires_at < clock_timestamp() - interval '1 day'`)
        const others = (await liveProcesses(tx)).filter((other) => other.id !== id)
        refuseOtherIndex(searchIndex, others)
        await agreeOnKeys(tx, keys, others)
        if (sharesServer) poolSize = Math.min(configured, Math.max(minPool, (await maxConnections(tx)) - neededBy(others) - besidePool))
        await renew(tx)
        return poolSize
      }),
    membership(database) {
      // an unavailable database is reported by its own part
      const renewal = periodic(
        'process registry',
        renewEveryMs,
        async () => void (await renew(database.orm)),
        () => undefined,
      )
      return {
        ...renewal,
        async stop() {
          await renewal.stop()
          const removal = database.orm.execute(sql`delete from platform_process where id = ${id}`)
          await withTimeout(removal, removalLimitMs, undefined, () => new Error('the entry expires by itself')).catch(() => undefined)
        },
      }
    },
  }
}

/** @throws {EngineRefusal} if a running process uses another index: searches would not find what the other one writes */
function refuseOtherIndex(own: string | undefined, others: readonly LiveProcess[]): void {
  const other = others.find(({ searchIndex }) => own !== undefined && searchIndex !== null && searchIndex !== own)
  if (other !== undefined)
    throw new EngineRefusal(
      `The search index of this process (${own}) is not that of ${placeOf(other)} (${other.searchIndex}), so searches would miss what the other writes: set the same ELASTICSEARCH_URL on every process, or run all roles of classification with one DATA_DIR`,
    )
}
