import { randomBytes } from 'node:crypto'
import type { QueueConnection } from '../../../engines/job-queue/bullmq-connection.ts'
import { type Gate, openGate } from '../processes/gate.ts'
import { clearRedis, embeddedEngine, type RelationalEngine, realRedis, relationalEngines, skippedWithout } from './engines.ts'

/** What runs what lies on BullMQ, beside a database. */
export interface QueueEngine {
  readonly name: string
  readonly relational: RelationalEngine
  /** with a namespace of its own */
  connection(databaseUrl: string): QueueConnection
  /** the same engine behind something that a test can close */
  gated(connection: QueueConnection): Promise<GatedEngine>
  /** Removes what is under the namespace of a connection. */
  clear(connection: QueueConnection): Promise<void>
}

export interface GatedEngine extends AsyncDisposable {
  readonly connection: QueueConnection
  readonly gate: Pick<Gate, 'freeze' | 'cut' | 'open' | 'forget'>
}

export const newPrefix = (): string => `test-${randomBytes(6).toString('hex')}`

/** PostgreSQL alone, and PostgreSQL with Redis, as far as there are any. A cluster is one of its own: see redis-cluster.ts. */
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

/** One of them, by name; undefined where it is not there. */
export const queueEngine = (name: string): QueueEngine | undefined => queueEngines().find((engine) => engine.name === name)

async function gatedEngine(connection: QueueConnection): Promise<GatedEngine> {
  const gate = await openGate(connection.kind === 'redis' ? connection.url : connection.url())
  const through: QueueConnection =
    connection.kind === 'redis' ? { ...connection, url: gate.url } : { kind: 'postgres', url: () => gate.url }
  return { connection: through, gate, [Symbol.asyncDispose]: () => gate[Symbol.asyncDispose]() }
}
