import { type DatabaseServer, databaseServer } from '../../engines/relational/connections/database-server.ts'
import { embeddedPostgres } from '../../engines/relational/embedded-postgres.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

/** The servers of a platform's database. */
export interface DatabaseServers {
  /** for statements and transactions: the server, or a pooler in front of it */
  readonly pooled: DatabaseServer
  /** for work that needs a session: migrations, commands, and the queue without Redis */
  readonly direct: DatabaseServer
  /** parts that find or start the servers, in start order */
  readonly parts: readonly Part[]
}

/** Returns the servers of DATABASE_URL and DATABASE_DIRECT_URL, else an embedded one in DATA_DIR, whose address is known once it has started. */
export function databaseServers({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>, log: Log): DatabaseServers {
  const { urls, directUrls } = database
  if (urls === undefined) {
    const embedded = embeddedPostgres({ dataDir, log })
    return { pooled: embedded, direct: embedded, parts: [embedded] }
  }
  const pooled = databaseServer(urls, log)
  if (directUrls === undefined) return { pooled, direct: pooled, parts: [pooled] }
  const direct = databaseServer(directUrls, log)
  return { pooled, direct, parts: [pooled, direct] }
}
