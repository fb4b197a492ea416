import type { AuditNote } from '../../engines/audit/audit-trail.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { Membership } from '../../engines/relational/processes/process-registry.ts'
import type { SearchIndex } from '../../engines/search-index/search-index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { openAwaitedDatabase } from './awaited-database.ts'
import { type Identity, openIdentity } from './identity.ts'
import { type Messaging, openMessaging } from './messaging.ts'
import { searchIndices } from './search-indices.ts'
import { openStores, type Stores } from './stores.ts'

/**
 * The engines that the components of a process share: each the embedded default or a configured one. An engine is opened only if a part names it as
 * required.
 */
export interface SharedEngines extends Messaging, Stores {
  readonly database: Database
  readonly identity: Identity
  /** @param generation - identifies comparable content of the index */
  searchIndex(generation: string): Promise<SearchIndex & Part>
}

/**
 * Creates the engines without opening them. @param vaultKey - 32 bytes
 * @param alone - whether this process is the whole platform
 * @param auditNote - called with logins at the embedded issuer
 * @param membership - enters the process in the list of running ones
 */
export async function openSharedEngines(
  config: Config,
  vaultKey: Uint8Array,
  alone: boolean,
  log: Log,
  auditNote?: AuditNote,
  membership?: Membership,
): Promise<SharedEngines> {
  const relational = openAwaitedDatabase(config, log, membership)
  const { database } = relational
  const messaging = openMessaging(config, relational, log)
  const stores = await openStores(config, database, vaultKey, alone, log)
  const { keyValue } = stores
  return {
    ...messaging,
    ...stores,
    database,
    identity: openIdentity(config, { database, keyValue }, vaultKey, log, auditNote),
    searchIndex: searchIndices(config, log),
  }
}
