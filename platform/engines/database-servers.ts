import { type DatabaseServer, databaseServer } from '../../engines/relational/connections/database-server.ts'
import { embeddedPostgres } from '../../engines/relational/embedded-postgres.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

/** Where the database of a platform is. */
export interface DatabaseServers {
  /** for statements and transactions: the server, or a pooler before it */
  readonly pooled: DatabaseServer
  /** for what needs a session of its own: migrations, commands, and the queue where there is no Redis */
  readonly direct: DatabaseServer
  /** what finds or starts it, in the order in which they start */
  readonly parts: readonly Part[]
}

/** Those that DATABASE_URL and DATABASE_DIRECT_URL name, else an embedded one in DATA_DIR, whose address is known once it has started. */
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
