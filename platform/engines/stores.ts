import { join } from 'node:path'
import { ServiceKeys } from '../../engines/identity/service-keys/service-keys.ts'
import type { ImageVault } from '../../engines/image-vault/image-vault.ts'
import { postgresImageVault } from '../../engines/image-vault/postgres-image-vault.ts'
import { SealedFiles } from '../../engines/image-vault/sealed-files.ts'
import type { PartitionedKeyValue } from '../../engines/key-value/key-value.ts'
import { memoryKeyValue } from '../../engines/key-value/memory-key-value.ts'
import { postgresKeyValue } from '../../engines/key-value/postgres-key-value.ts'
import { redisKeyValue } from '../../engines/key-value/redis-key-value.ts'
import type { Database } from '../../engines/relational/database.ts'
import { postgresTreeStore } from '../../engines/tree-store/postgres/postgres-tree-store.ts'
import type { TreeStore } from '../../engines/tree-store/tree-store.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { projectFolder } from '../../foundation/process/build-info.ts'

/** Stores other than the tables of components. */
export interface Stores {
  readonly keyValue: PartitionedKeyValue & Part
  readonly vault: ImageVault
  readonly serviceKeys: ServiceKeys
  readonly trees: TreeStore & Part
}

/**
 * Creates each store as the embedded default or the configured engine. @param alone - whether this process is the whole platform: ephemeral values
 * are then kept in memory
 */
export async function openStores(config: Config, database: Database, vaultKey: Uint8Array, alone: boolean, log: Log): Promise<Stores> {
  const files = config.vaultFolder === undefined ? undefined : new SealedFiles(config.vaultFolder)
  return {
    keyValue: openKeyValue(config, database, alone, log),
    vault: postgresImageVault({ database, key: vaultKey, previousKeys: config.previousVaultKeys, files }),
    serviceKeys: new ServiceKeys(database, vaultKey, config.previousVaultKeys),
    trees: await openTrees(config, database, log),
  }
}

function openKeyValue({ redis }: Config, database: Database, alone: boolean, log: Log): PartitionedKeyValue & Part {
  if (redis !== undefined) return redisKeyValue({ ...redis, log })
  return alone ? memoryKeyValue() : postgresKeyValue({ database, log })
}

async function openTrees(config: Config, database: Database, log: Log): Promise<TreeStore & Part> {
  return (await openExternalTrees(config, log)) ?? postgresTreeStore(database)
}

/** Returns the tree store outside the database; undefined if trees are in the database. Loads the Cassandra driver only if needed. */
export async function openExternalTrees(
  { cassandra, migrate }: Pick<Config, 'cassandra' | 'migrate'>,
  log: Log,
): Promise<(TreeStore & Part) | undefined> {
  if (cassandra === undefined) return undefined
  const { cassandraTreeStore } = await import('../../engines/tree-store/cassandra/cassandra-tree-store.ts')
  return cassandraTreeStore({ ...cassandra, schemaFolder: join(projectFolder, 'schema/cql'), migrate, log })
}
