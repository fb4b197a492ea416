import { join } from 'node:path'
import { type Database, openDatabase } from '../../engines/relational/database.ts'
import { relationalSchema } from '../../engines/relational/migrations/relational-schema.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { EngineSchema } from '../../foundation/engine-start/engine-schema.ts'
import { schemaAtStart } from '../../foundation/engine-start/schema-at-start.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { clientName, projectFolder, readBuildInfo } from '../../foundation/process/build-info.ts'
import { databaseServers } from './database-servers.ts'

export interface Relational {
  readonly database: Database
  /** known once an embedded one has started; '' before */
  readonly url: () => string
  readonly schema: EngineSchema
  /** parts in start order, the pool last, without schema checks */
  readonly connection: readonly Part[]
  /** the same with schema checks */
  readonly parts: readonly Part[]
}

/** Opens PostgreSQL for a command, which may need sessions. @param name - application_name of its connections */
export function openRelational(
  { database: settings, dataDir, migrate }: Pick<Config, 'database' | 'dataDir' | 'migrate'>,
  log: Log,
  name = clientName(),
): Relational {
  const { direct, parts } = databaseServers({ database: settings, dataDir }, log)
  const database = openDatabase({ ...direct, name, poolSize: settings.poolSize, log })
  const schema = relationalSchema({ database, folder: join(projectFolder, 'schema/sql'), release: readBuildInfo().version })
  const connection = [...parts, database]
  return { database, url: direct.url, schema, connection, parts: [...connection, schemaAtStart(schema, migrate, log)] }
}
