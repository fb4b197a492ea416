import { join } from 'node:path'
import { type Database, openDatabase } from '../subgraphs/engines/relational/database.ts'
import { embeddedPostgres } from '../subgraphs/engines/relational/embedded-postgres.ts'
import { migrations } from '../subgraphs/engines/relational/migrations.ts'
import type { Config } from '../subgraphs/foundation/config.ts'
import { compose } from '../subgraphs/foundation/lifecycle.ts'
import { createLog } from '../subgraphs/foundation/log.ts'
import { projectFolder } from './build-info.ts'

const startLimitMs = 60_000

/** A sentence for whoever typed the command. */
export class CommandProblem extends Error {}

/** Joins the platform's database, embedded or not, for as long as `work` takes. */
export async function withDatabase<Result>(config: Config, work: (database: Database) => Promise<Result>): Promise<Result> {
  const log = createLog('warn')
  const embedded = config.database.url === undefined ? embeddedPostgres({ dataDir: config.dataDir, log }) : undefined
  const database = openDatabase({ name: 'civigraph command', url: () => config.database.url ?? embedded?.url() ?? '', poolSize: 2, log })
  const parts = compose('command', [
    ...(embedded === undefined ? [] : [embedded]),
    database,
    migrations(database, join(projectFolder, 'schema/sql'), log),
  ])
  await parts.start(AbortSignal.timeout(startLimitMs))
  try {
    return await work(database)
  } finally {
    await parts.stop()
  }
}
