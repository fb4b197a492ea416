import { join } from 'node:path'
import type { EventFeed } from '../../subgraphs/engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../subgraphs/engines/event-feed/relay-event-feed.ts'
import type { ImageVault } from '../../subgraphs/engines/image-vault/image-vault.ts'
import { postgresImageVault } from '../../subgraphs/engines/image-vault/postgres-image-vault.ts'
import { SealedFiles } from '../../subgraphs/engines/image-vault/sealed-files.ts'
import { bullmqJobQueue, bullmqJobWorker, type QueueConnection } from '../../subgraphs/engines/job-queue/bullmq-job-queue.ts'
import { bullmqMessageQueue } from '../../subgraphs/engines/job-queue/bullmq-message-queue.ts'
import { bullmqMessageWorker, type Gathering, type MessageHandler } from '../../subgraphs/engines/job-queue/bullmq-message-worker.ts'
import type { JobHandler, JobQueue } from '../../subgraphs/engines/job-queue/job-queue.ts'
import type { MessageQueue } from '../../subgraphs/engines/job-queue/message-queue.ts'
import type { KeyValue } from '../../subgraphs/engines/key-value/key-value.ts'
import { memoryKeyValue } from '../../subgraphs/engines/key-value/memory-key-value.ts'
import { postgresKeyValue } from '../../subgraphs/engines/key-value/postgres-key-value.ts'
import { redisKeyValue } from '../../subgraphs/engines/key-value/redis-key-value.ts'
import { type Database, openDatabase } from '../../subgraphs/engines/relational/database.ts'
import { embeddedPostgres } from '../../subgraphs/engines/relational/embedded-postgres.ts'
import { migrations } from '../../subgraphs/engines/relational/migrations.ts'
import type { SearchIndex } from '../../subgraphs/engines/search-index/search-index.ts'
import { ServiceKeys } from '../../subgraphs/engines/service-keys/service-keys.ts'
import { postgresTreeStore } from '../../subgraphs/engines/tree-store/postgres/postgres-tree-store.ts'
import type { TreeStore } from '../../subgraphs/engines/tree-store/tree-store.ts'
import { projectFolder } from '../../subgraphs/foundation/build-info.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import type { Part } from '../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import { type Identity, openIdentity } from './identity.ts'
import { searchIndices } from './search-indices.ts'

/** The engines that every component of a process shares: each the embedded default, or the real one that a setting names. */
export interface SharedEngines {
  readonly database: Database
  readonly queue: JobQueue
  readonly feed: EventFeed
  readonly keyValue: KeyValue
  readonly vault: ImageVault
  readonly serviceKeys: ServiceKeys
  readonly trees: TreeStore
  readonly identity: Identity
  /** @param generation - what the index holds can be compared only within it */
  searchIndex(generation: string): Promise<SearchIndex & Part>
  /** expressions on their way into the analytics store */
  readonly expressions: MessageQueue & Part
  expressionMessages(gathering: Gathering, handler: MessageHandler): Part
  /** brings delegations from outside; its messages are not ids but the delegations themselves */
  delegationMessages(handler: MessageHandler): Part
  /** Makes the part that takes ids off the queue. */
  queueWorker(concurrency: number, handler: JobHandler): Part
  /** in the order in which they start */
  readonly parts: readonly Part[]
}

/** What another engine would bring along is loaded only where a setting chooses it. */
export async function openSharedEngines(config: Config, vaultKey: Uint8Array, alone: boolean, log: Log): Promise<SharedEngines> {
  const embedded = config.database.url === undefined ? embeddedPostgres({ dataDir: config.dataDir, log }) : undefined
  const databaseUrl = (): string => config.database.url ?? embedded?.url() ?? ''
  const database = openDatabase({ name: 'civigraph', url: databaseUrl, poolSize: config.database.poolSize, log })
  const connection: QueueConnection =
    config.redis === undefined
      ? { kind: 'postgres', url: databaseUrl }
      : { kind: 'redis', url: config.redis.url, prefix: config.redis.prefix }
  const queue = bullmqJobQueue({ name: 'verification', connection, log })
  const feed = relayEventFeed({ database, connection, log })
  const keyValue =
    config.redis === undefined ? (alone ? memoryKeyValue() : postgresKeyValue({ database, log })) : redisKeyValue({ ...config.redis, log })
  const trees =
    config.cassandra === undefined
      ? postgresTreeStore(database)
      : (await import('../../subgraphs/engines/tree-store/cassandra/cassandra-tree-store.ts')).cassandraTreeStore({
          ...config.cassandra,
          schemaFolder: join(projectFolder, 'schema/cql'),
          log,
        })
  return {
    database,
    queue,
    feed,
    keyValue,
    vault: postgresImageVault({
      database,
      key: vaultKey,
      previousKeys: config.previousVaultKeys,
      files: config.vaultFolder === undefined ? undefined : new SealedFiles(config.vaultFolder),
    }),
    serviceKeys: new ServiceKeys(database, vaultKey, config.previousVaultKeys),
    trees,
    identity: openIdentity(config, { database, keyValue }, vaultKey, log),
    searchIndex: searchIndices(config, log),
    expressions: bullmqMessageQueue({ name: 'expressions', connection, log }),
    expressionMessages: (gathering, handler) => bullmqMessageWorker({ name: 'expressions', connection, log, handler, gathering }),
    delegationMessages: (handler) => bullmqMessageWorker({ name: 'delegations', connection, log, handler }),
    queueWorker: (concurrency, handler) => bullmqJobWorker({ name: 'verification', connection, log, concurrency, handler }),
    parts: [
      ...(embedded === undefined ? [] : [embedded]),
      database,
      migrations(database, join(projectFolder, 'schema/sql'), log),
      queue,
      feed,
      keyValue,
      trees,
    ],
  }
}
