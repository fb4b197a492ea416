import type { Database } from '../../subgraphs/engines/relational/database.ts'
import type { SearchIndex } from '../../subgraphs/engines/search-index/search-index.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import type { Part } from '../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import { type Identity, openIdentity } from './identity.ts'
import { type Messaging, openMessaging } from './messaging.ts'
import { openRelational } from './relational.ts'
import { searchIndices } from './search-indices.ts'
import { openStores, type Stores } from './stores.ts'

/** The engines that every component of a process shares: each the embedded default, or the real one that a setting names. */
export interface SharedEngines extends Messaging, Stores {
  readonly database: Database
  readonly identity: Identity
  /** @param generation - what the index holds can be compared only within it */
  searchIndex(generation: string): Promise<SearchIndex & Part>
  /** in the order in which they start */
  readonly parts: readonly Part[]
}

/**
 * Puts the engines together; none is touched before its part starts.
 * @param vaultKey - 32 bytes   @param alone - whether this process is the whole platform
 */
export async function openSharedEngines(config: Config, vaultKey: Uint8Array, alone: boolean, log: Log): Promise<SharedEngines> {
  const relational = openRelational(config, log)
  const { database } = relational
  const messaging = openMessaging(config, relational, log)
  const stores = await openStores(config, database, vaultKey, alone, log)
  const { keyValue, trees } = stores
  return {
    ...messaging,
    ...stores,
    database,
    identity: openIdentity(config, { database, keyValue }, vaultKey, log),
    searchIndex: searchIndices(config, log),
    parts: [...relational.parts, ...messaging.queueSchema, messaging.queue, messaging.feed, keyValue, trees],
  }
}
