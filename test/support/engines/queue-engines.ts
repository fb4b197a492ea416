import { randomBytes } from 'node:crypto'
import type { QueueConnection } from '../../../engines/job-queue/bullmq-connection.ts'
import { type Gate, openGate } from '../processes/gate.ts'
import { clearRedis, embeddedEngine, type RelationalEngine, realRedis, relationalEngines, skippedWithout } from './engines.ts'

/** An engine that runs BullMQ, beside a database. */
export interface QueueEngine {
  readonly name: string
  readonly relational: RelationalEngine
  /** With its own namespace. */
  connection(databaseUrl: string): QueueConnection
  /** The same engine behind a gate that a test can close. */
  gated(connection: QueueConnection): Promise<GatedEngine>
  /** Removes the content of a connection's namespace. */
  clear(connection: QueueConnection): Promise<void>
}

export interface GatedEngine extends AsyncDisposable {
  readonly connection: QueueConnection
  readonly gate: Pick<Gate, 'freeze' | 'cut' | 'open' | 'forget'>
}

export const newPrefix = (): string => `test-${randomBytes(6).toString('hex')}`

/** PostgreSQL only, and PostgreSQL with Redis, as available. For a cluster see redis/on-cluster.ts. */
export function queueEngines(): readonly QueueEngine[] {
  const onPostgres = relationalEngines().map(
    (relational): QueueEngine => ({
      name: relational.name,
      relational,
      connection: (url) => ({ kind: 'postgres', url: () => url }),
      gated: gatedEngine,
      clear: async () => undefined,
    }),
  )
  const redis = realRedis()
  if (redis === undefined) skippedWithout('REDIS_URL', 'on Redis')
  const onRedis: QueueEngine = {
    name: 'Redis',
    relational: embeddedEngine,
    connection: () => ({ kind: 'redis', url: redis ?? '', prefix: newPrefix() }),
    gated: gatedEngine,
    clear: async (connection) => void (connection.kind === 'redis' && (await clearRedis(connection.prefix))),
  }
  return redis === undefined ? onPostgres : [...onPostgres, onRedis]
}

/** An engine by name; undefined when it is unavailable. */
export const queueEngine = (name: string): QueueEngine | undefined => queueEngines().find((engine) => engine.name === name)

async function gatedEngine(connection: QueueConnection): Promise<GatedEngine> {
  const gate = await openGate(connection.kind === 'redis' ? connection.url : connection.url())
  const through: QueueConnection =
    connection.kind === 'redis' ? { ...connection, url: gate.url } : { kind: 'postgres', url: () => gate.url }
  return { connection: through, gate, [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose]() }
}
