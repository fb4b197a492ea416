import { join } from 'node:path'
import { bullmqSchema } from '../../subgraphs/engines/job-queue/bullmq-schema.ts'
import { clientName } from '../../subgraphs/engines/relational/client-name.ts'
import { type Database, openDatabase } from '../../subgraphs/engines/relational/database.ts'
import { embeddedPostgres } from '../../subgraphs/engines/relational/embedded-postgres.ts'
import { relationalSchema } from '../../subgraphs/engines/relational/migrations/relational-schema.ts'
import { comesOfAbsence } from '../../subgraphs/engines/relational/query-errors.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import { opening } from '../../subgraphs/foundation/engine-start/engine-opening.ts'
import { schemaAtStart } from '../../subgraphs/foundation/engine-start/schema-at-start.ts'
import { compose } from '../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import { projectFolder, readBuildInfo } from '../../subgraphs/foundation/process/build-info.ts'
import { queueNames } from './queue-names.ts'

export interface AwaitedDatabase {
  /** its start is that of an embedded PostgreSQL, too; who uses it before its schema is there gets EngineUnavailable */
  readonly database: Database
  /** known once an embedded one has started; '' before */
  readonly url: () => string
}

type Settings = Pick<Config, 'database' | 'dataDir' | 'migrate' | 'redis'>

/** PostgreSQL for a process that starts without it while it is away: the one that DATABASE_URL names, else an embedded one in DATA_DIR. */
export function openAwaitedDatabase(config: Settings, log: Log): AwaitedDatabase {
  const { url: given, poolSize } = config.database
  const embedded = given === undefined ? embeddedPostgres({ dataDir: config.dataDir, log }) : undefined
  const url = (): string => given ?? embedded?.url() ?? ''
  const opened = opening({ engine: 'database', open: (signal) => openOnce(url, config, log, signal), isAway: comesOfAbsence, log })
  const pool = openDatabase({ name: clientName(), url, poolSize, log, refusal: opened.refusal })
  const { start, stop } = compose('database', [
    ...(embedded === undefined ? [] : [embedded]),
    { name: 'connections', start: async () => undefined, stop: pool.stop },
    opened,
  ])
  const database: Database = {
    ...pool,
    start,
    stop,
    get absence() {
      return opened.absence
    },
  }
  return { database, url }
}

/** On connections of its own, since nobody may use the others before it is done. @throws {Error} a sentence that says what is wrong */
async function openOnce(url: () => string, { migrate, redis }: Settings, log: Log, signal: AbortSignal): Promise<void> {
  const first = openDatabase({ name: clientName('start'), url, poolSize: 2, log })
  const own = relationalSchema({ database: first, folder: join(projectFolder, 'schema/sql'), release: readBuildInfo().version })
  const schemas = [own, ...(redis === undefined ? [bullmqSchema(first, queueNames)] : [])]
  const steps = compose('opening of the database', [first, ...schemas.map((schema) => schemaAtStart(schema, migrate, log))])
  await steps.start(signal)
  await steps.stop()
}
