import { join } from 'node:path'
import { type Database, openDatabase } from '../../subgraphs/engines/relational/database.ts'
import { embeddedPostgres } from '../../subgraphs/engines/relational/embedded-postgres.ts'
import { migrations } from '../../subgraphs/engines/relational/migrations.ts'
import { projectFolder } from '../../subgraphs/foundation/build-info.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import type { Part } from '../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'

export interface Relational {
  readonly database: Database
  /** known once an embedded one has started; '' before */
  readonly url: () => string
  /** in the order in which they start: an embedded PostgreSQL, the pool, and the migrations */
  readonly parts: readonly Part[]
}

/** PostgreSQL: the one that DATABASE_URL names, else an embedded one in DATA_DIR. @param name - what the server knows our connections by */
export function openRelational(
  { database: given, dataDir }: Pick<Config, 'database' | 'dataDir'>,
  log: Log,
  name = 'civigraph',
): Relational {
  const embedded = given.url === undefined ? embeddedPostgres({ dataDir, log }) : undefined
  const url = (): string => given.url ?? embedded?.url() ?? ''
  const database = openDatabase({ name, url, poolSize: given.poolSize, log })
  const migrated = migrations(database, join(projectFolder, 'schema/sql'), log)
  return { database, url, parts: [...(embedded === undefined ? [] : [embedded]), database, migrated] }
}
