import cassandra from 'cassandra-driver'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { type Authorities, trusting } from '../../../foundation/engine-start/authorities.ts'
import { refuseOld } from '../../../foundation/engine-start/engine-opening.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'

const answerLimitMs = 12_000
/** oldest supported major version of Cassandra */
export const oldestVersion = 5
const { errors, types, policies } = cassandra

/**
 * Lets Cassandra assign write timestamps, since the clocks of writers may differ. The driver takes null for that (execution-options.js,
 * getOrGenerateTimestamp), which its types do not declare.
 */
export const cassandraTime: cassandra.QueryOptions = { timestamp: null as unknown as number }

export interface CassandraAddress {
  readonly contactPoints: readonly string[]
  readonly localDataCenter: string
  /** undefined if the cluster requires none */
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly tls?: boolean
  /** CA certificates; those of the system if absent */
  readonly ca?: Authorities | undefined
  /** consistency of reads and writes, and the serial consistency of the same scope; default: local_quorum */
  readonly consistency?: CassandraConsistency
}

/** Replicas that reads and writes wait for: a quorum of the local data centre, or of all data centres, for writers in several. */
export type CassandraConsistency = 'local_quorum' | 'quorum'

const levels = {
  local_quorum: { consistency: types.consistencies.localQuorum, serialConsistency: types.consistencies.localSerial },
  quorum: { consistency: types.consistencies.quorum, serialConsistency: types.consistencies.serial },
} as const satisfies Record<CassandraConsistency, object>

const defaultPort = 9042

/** Returns the port of discovered nodes: the driver reads only their addresses (system.peers), and a cluster uses one port. */
const portOf = ([first = '']: readonly string[]): number => Number(/^(?:[^:]+|\[.+\]):(\d+)$/.exec(first)?.[1] ?? defaultPort)

/** Creates the driver without connecting. */
export function cassandraClient(
  { contactPoints, localDataCenter, username, password, tls = false, ca, consistency = 'local_quorum' }: CassandraAddress,
  log: Log,
): cassandra.Client {
  const client = new cassandra.Client({
    contactPoints: [...contactPoints],
    localDataCenter,
    protocolOptions: { port: portOf(contactPoints) },
    // the cluster rejects one without the other
    ...(username === undefined && password === undefined ? {} : { credentials: { username: username ?? '', password: password ?? '' } }),
    // verifies certificates
    ...(tls && { sslOptions: ca === undefined ? { rejectUnauthorized: true } : trusting(ca) }),
    policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(500) },
    queryOptions: { ...levels[consistency], prepare: true, isIdempotent: true },
    socketOptions: { readTimeout: answerLimitMs, connectTimeout: 5000 },
    pooling: { heartBeatInterval: 2000 },
  })
  // without a listener an unreachable host would terminate the process
  client.on('log', (level, _name, message) => void (level === 'error' && log.debug({ reason: String(message) }, 'cassandra driver')))
  return client
}

/** Connects and checks the version. @throws {Error} one sentence; its cause is for `isUnavailable` */
export async function connected(client: cassandra.Client): Promise<void> {
  refuseOld('Cassandra', await reach(client), oldestVersion)
}

/**
 * Connects. @returns the version of Cassandra
 * @throws {Error} one sentence; its cause is for `isUnavailable`
 */
export async function reach(client: cassandra.Client): Promise<string> {
  try {
    await client.connect()
    const answer = await client.execute('select release_version from system.local', [], { prepare: false })
    return String(answer.first()?.get('release_version'))
  } catch (error) {
    const reason = refusesUs(error)
      ? 'it rejects CASSANDRA_USERNAME or CASSANDRA_PASSWORD'
      : `${reasonOf(error)}${isElsewhere(error) ? ' (CASSANDRA_LOCAL_DATACENTER)' : ''}`
    throw new Error(`Cassandra cannot be used: ${reason}`, { cause: error })
  }
}

/** Shortens the driver's message, which has several lines and ends in a reference. */
function reasonOf(error: unknown): string {
  const hosts = error instanceof errors.NoHostAvailableError ? Object.entries(error.innerErrors ?? {}) : []
  return hosts.length === 0 ? messageOf(error) : hosts.map(([host, inner]) => `${host}: ${messageOf(inner)}`).join('; ')
}

/** Error codes in this range mean that a cluster cannot serve at the moment (CQL binary protocol v4, section 9). */
const transientCodes = { from: 0x1000, to: 0x1fff }

const isBecauseOf = (error: unknown, kind: typeof errors.AuthenticationError | typeof errors.ArgumentError): boolean =>
  error instanceof errors.NoHostAvailableError && Object.values(error.innerErrors ?? {}).some((inner) => inner instanceof kind)

/** Whether a node rejects the credentials. */
const refusesUs = (error: unknown): boolean => isBecauseOf(error, errors.AuthenticationError)

/** Whether the cluster has no data centre with the configured name. */
const isElsewhere = (error: unknown): boolean => isBecauseOf(error, errors.ArgumentError)

/** Whether opening failed because the cluster is unavailable, rather than because it rejects the client. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof errors.NoHostAvailableError) return !refusesUs(error) && !isElsewhere(error)
  if (error instanceof errors.OperationTimedOutError || error instanceof EngineUnavailable) return true
  if (error instanceof errors.ResponseError) return error.code >= transientCodes.from && error.code <= transientCodes.to
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)
}

/** Shuts down with a limit: after a node was killed, the driver's shutdown may never end. */
export const shutDown = (client: cassandra.Client): Promise<void> =>
  withTimeout(client.shutdown(), 3000, undefined, () => new Error('the driver did not shut down')).catch(() => undefined)
