import cassandra from 'cassandra-driver'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { type Authorities, trusting } from '../../../foundation/engine-start/authorities.ts'
import { refuseOld } from '../../../foundation/engine-start/engine-refusal.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'

const answerLimitMs = 12_000
/** of Cassandra, that we work with */
export const oldestVersion = 5
const { errors, types, policies } = cassandra

/**
 * The later of two writes is what Cassandra says and not the machine that writes: the clocks of writers may differ. The driver takes null for
 * that (execution-options.js, getOrGenerateTimestamp), which its types do not know.
 */
export const cassandraTime: cassandra.QueryOptions = { timestamp: null as unknown as number }

export interface CassandraAddress {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
  /** undefined where the cluster asks for none */
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly tls?: boolean
  /** that its nodes are trusted by; those of the system when absent */
  readonly ca?: Authorities | undefined
  /** of reads and writes, and in the same scope of claims; default: local_quorum */
  readonly consistency?: CassandraConsistency
}

/** Whom reads and writes ask: a quorum of the near data centre, or one of all of them, which is for writers in several. */
export type CassandraConsistency = 'local_quorum' | 'quorum'

const levels = {
  local_quorum: { consistency: types.consistencies.localQuorum, serialConsistency: types.consistencies.localSerial },
  quorum: { consistency: types.consistencies.quorum, serialConsistency: types.consistencies.serial },
} as const satisfies Record<CassandraConsistency, object>

const usualPort = 9042

/** Of the nodes that the driver finds by itself: the table that it reads (system.peers) tells their addresses alone, and a cluster has one port. */
const portOf = ([first = '']: readonly string[]): number => Number(/^(?:[^:]+|\[.+\]):(\d+)$/.exec(first)?.[1] ?? usualPort)

/** The driver, with our limits; nothing is connected yet. */
export function cassandraClient(
  { contactPoints, localDataCenter, username, password, tls = false, ca, consistency = 'local_quorum' }: CassandraAddress,
  log: Log,
): cassandra.Client {
  const client = new cassandra.Client({
    contactPoints: [...contactPoints],
    localDataCenter,
    protocolOptions: { port: portOf(contactPoints) },
    // one without the other the cluster refuses
    ...(username === undefined && password === undefined ? {} : { credentials: { username: username ?? '', password: password ?? '' } }),
    // certificates are checked as everywhere else
    ...(tls && { sslOptions: ca === undefined ? { rejectUnauthorized: true } : trusting(ca) }),
    policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(500) },
    queryOptions: { ...levels[consistency], prepare: true, isIdempotent: true },
    socketOptions: { readTimeout: answerLimitMs, connectTimeout: 5000 },
    pooling: { heartBeatInterval: 2000 },
  })
  // without a listener an unreachable host would end the process
  client.on('log', (level, _name, message) => void (level === 'error' && log.debug({ reason: String(message) }, 'cassandra driver')))
  return client
}

/** @throws {Error} a sentence, also when it is too old; what its cause is tells `isAway` */
export async function connected(client: cassandra.Client): Promise<void> {
  refuseOld('Cassandra', await reach(client), oldestVersion)
}

/** Connects to whatever is there. @returns its version   @throws {Error} a sentence; what its cause is tells `isAway` */
export async function reach(client: cassandra.Client): Promise<string> {
  try {
    await client.connect()
    const answer = await client.execute('select release_version from system.local', [], { prepare: false })
    return String(answer.first()?.get('release_version'))
  } catch (error) {
    const reason = refusesUs(error)
      ? 'it refuses the user or the password of CASSANDRA_USERNAME and CASSANDRA_PASSWORD'
      : `${reasonOf(error)}${isElsewhere(error) ? ' (CASSANDRA_LOCAL_DATACENTER)' : ''}`
    throw new Error(`Cassandra cannot be used: ${reason}`, { cause: error })
  }
}

/** The driver's own sentence is several lines long and ends in a reference. */
function reasonOf(error: unknown): string {
  const hosts = error instanceof errors.NoHostAvailableError ? Object.entries(error.innerErrors ?? {}) : []
  return hosts.length === 0 ? messageOf(error) : hosts.map(([host, inner]) => `${host}: ${messageOf(inner)}`).join('; ')
}

/** Of the protocol's error codes those between are of a cluster that cannot serve now (CQL binary protocol v4, section 9). */
const transientCodes = { from: 0x1000, to: 0x1fff }

const isBecauseOf = (error: unknown, kind: typeof errors.AuthenticationError | typeof errors.ArgumentError): boolean =>
  error instanceof errors.NoHostAvailableError && Object.values(error.innerErrors ?? {}).some((inner) => inner instanceof kind)

/** Whether a node is there and does not let us in. */
const refusesUs = (error: unknown): boolean => isBecauseOf(error, errors.AuthenticationError)

/** Whether the cluster is there and has no data centre of the name that is said to be near. */
const isElsewhere = (error: unknown): boolean => isBecauseOf(error, errors.ArgumentError)

/** Whether a cluster could not be opened because it is away, rather than because it refuses us. */
export function isAway(error: unknown): boolean {
  if (error instanceof errors.NoHostAvailableError) return !refusesUs(error) && !isElsewhere(error)
  if (error instanceof errors.OperationTimedOutError || error instanceof EngineUnavailable) return true
  if (error instanceof errors.ResponseError) return error.code >= transientCodes.from && error.code <= transientCodes.to
  return error instanceof Error && error.cause !== undefined && isAway(error.cause)
}

/** After a node was killed, the driver's shutdown may never come back: its sockets and timers stay. */
export const shutDown = (client: cassandra.Client): Promise<void> =>
  withTimeout(client.shutdown(), 3000, undefined, () => new Error('the driver did not shut down')).catch(() => undefined)
