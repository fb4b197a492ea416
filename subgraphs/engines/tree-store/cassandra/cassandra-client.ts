import cassandra from 'cassandra-driver'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { messageOf } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'

const answerLimitMs = 12_000
const { types, policies } = cassandra

export interface CassandraAddress {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
}

/** The driver, with our limits; nothing is connected yet. */
export function cassandraClient({ contactPoints, localDataCenter }: CassandraAddress, log: Log): cassandra.Client {
  const client = new cassandra.Client({
    contactPoints: [...contactPoints],
    localDataCenter,
    policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(500) },
    queryOptions: {
      consistency: types.consistencies.localQuorum,
      serialConsistency: types.consistencies.localSerial,
      prepare: true,
      isIdempotent: true,
    },
    socketOptions: { readTimeout: answerLimitMs, connectTimeout: 5000 },
    pooling: { heartBeatInterval: 2000 },
  })
  // without a listener an unreachable host would end the process
  client.on('log', (level, _name, message) => void (level === 'error' && log.debug({ reason: String(message) }, 'cassandra driver')))
  return client
}

/** @throws {Error} a sentence */
export async function connected(client: cassandra.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`Cassandra cannot be used: ${messageOf(error)}`, { cause: error })
  }
}

/** After a node was killed, the driver's shutdown may never come back: its sockets and timers stay. */
export const shutDown = (client: cassandra.Client): Promise<void> =>
  withTimeout(client.shutdown(), 3000, undefined, () => new Error('the driver did not shut down')).catch(() => undefined)
