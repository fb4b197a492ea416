import { join } from 'node:path'
import { bullmqSchema } from '../../engines/job-queue/bullmq-schema.ts'
import type { DatabaseServer } from '../../engines/relational/connections/database-server.ts'
import { type Database, openDatabase } from '../../engines/relational/database.ts'
import { relationalSchema } from '../../engines/relational/migrations/relational-schema.ts'
import { type Membership, type ProcessRegistry, processRegistry } from '../../engines/relational/processes/process-registry.ts'
import { causedByUnavailability } from '../../engines/relational/query-errors.ts'
import type { Config } from '../../foundation/config/config.ts'
import { opening } from '../../foundation/engine-start/engine-opening.ts'
import { schemaAtStart } from '../../foundation/engine-start/schema-at-start.ts'
import { compose } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { clientName, projectFolder, readBuildInfo } from '../../foundation/process/build-info.ts'
import { databaseServers } from './database-servers.ts'

/** verification jobs, by id */
export const jobsQueue = 'verification'
/** expressions on their way into the analytics store */
export const expressionsQueue = 'expressions'
/** delegations of external senders */
export const delegationsQueue = 'delegations'

export const queueNames: readonly string[] = [jobsQueue, expressionsQueue, delegationsQueue]

export interface AwaitedDatabase {
  /** starts the embedded PostgreSQL, too; throws EngineUnavailable until its schema is ready */
  readonly database: Database
  /** for work that needs sessions */
  readonly direct: DatabaseServer
}

type Settings = Pick<Config, 'database' | 'dataDir' | 'migrate' | 'redis'>

/**
 * Opens PostgreSQL (DATABASE_URL, else embedded in DATA_DIR) for a process that starts without it while it is unavailable.
 * @param membership - enters the process in the list of running ones
 */
export function openAwaitedDatabase(config: Settings, log: Log, membership?: Membership): AwaitedDatabase {
  const registry = membership && processRegistry(membership)
  const { pooled, direct, parts } = databaseServers(config, log)
  const opened = opening({
    engine: 'database',
    async open(signal) {
      const poolSize = await applyMigrations(direct, config, registry, log, signal)
      if (poolSize !== undefined && poolSize < config.database.poolSize) {
        log.warn(
          { poolSize, configured: config.database.poolSize },
          'the pool is smaller than DATABASE_POOL: PostgreSQL has no more connections (max_connections)',
        )
        pool.pool.options.max = poolSize
      }
      if (pooled !== direct) await reach(pooled, log, signal)
    },
    isUnavailable: causedByUnavailability,
    log,
  })
  const pool = openDatabase({
    ...pooled,
    name: clientName(membership?.label),
    poolSize: config.database.poolSize,
    log,
    refusal: opened.refusal,
  })
  const { start, stop } = compose('database', [
    ...parts,
    { name: 'connections', start: async () => undefined, stop: pool.stop },
    opened,
    ...(registry === undefined ? [] : [registry.membership(pool)]),
  ])
  const database: Database = {
    ...pool,
    start,
    stop,
    get absence() {
      return opened.absence
    },
  }
  return { database, direct }
}

/** Migrates on separate connections, since the others must not be used before. @throws {Error} one sentence with the problem */
async function applyMigrations(
  server: DatabaseServer,
  { migrate, redis }: Settings,
  registry: ProcessRegistry | undefined,
  log: Log,
  signal: AbortSignal,
): Promise<number | undefined> {
  const first = openDatabase({ ...server, name: clientName('start'), poolSize: 2, log })
  const own = relationalSchema({ database: first, folder: join(projectFolder, 'schema/sql'), release: readBuildInfo().version })
  const schemas = [own, ...(redis === undefined ? [bullmqSchema(first, queueNames)] : [])]
  const steps = compose('opening of the database', [first, ...schemas.map((schema) => schemaAtStart(schema, migrate, log))])
  await steps.start(signal)
  try {
    return await registry?.join(first)
  } finally {
    await steps.stop()
  }
}

/** Checks a pooler; its refusal fails the start as that of the server does. */
async function reach(pooler: DatabaseServer, log: Log, signal: AbortSignal): Promise<void> {
  const through = openDatabase({ ...pooler, name: clientName('start'), poolSize: 1, log })
  try {
    await through.start(signal)
  } finally {
    await through.stop()
  }
}
