import { readFileSync } from 'node:fs'
import { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import type { Config } from '../../foundation/config/config.ts'
import { codeOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import type { ListenerLimits } from '../../gateway/http/listener.ts'
import { realtimeLimits } from '../../rest-adapters/exploration/realtime/limits.ts'
import type { Roles } from './roles.ts'

/** Where the limit cannot be read: what Node raises it to on macOS. */
const usualOpenFiles = 10_240
/** Kept for engines, files and the metrics; of a small limit a quarter. */
const reservedFiles = 1024
/** Of all connections, the share that sockets and streams may have: the rest is for requests. */
const socketShare = 0.8
/** Of all connections, and of all sockets and streams, the share that one address may have. */
const addressShare = 0.25

/** How many connections a process accepts. */
export interface ConnectionLimits {
  readonly connections: number
  /** of one address, where clients connect directly */
  readonly connectionsPerAddress: number
  /** sockets and streams, which are connections, too */
  readonly sockets: number
  readonly socketsPerAddress: number
  /** a sentence for the log when settings allow more than the process can open */
  readonly warning: string | undefined
}

/** Returns the number of files and sockets that this process may have open (RLIMIT_NOFILE). */
export function openFileLimit(file = '/proc/self/limits'): number {
  try {
    const [, soft = ''] = /^Max open files +(\S+)/m.exec(readFileSync(file, 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) || usualOpenFiles
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return usualOpenFiles
    throw error
  }
}

type AdmissionSettings = Pick<Config, 'clientsPerAddress' | 'subscriptionClients' | 'stream' | 'trustedProxies'>

/** Fits the connections of a process to the files that it may open. */
export function connectionLimits(
  {
    clientsPerAddress,
    subscriptionClients,
    stream,
    trustedProxies,
  }: Pick<Config, 'clientsPerAddress' | 'subscriptionClients' | 'stream' | 'trustedProxies'>,
  { gateway, rest }: Pick<Roles, 'gateway' | 'rest'>,
  openFiles: number,
): ConnectionLimits {
  const connections = openFiles - Math.min(reservedFiles, Math.floor(openFiles / 4))
  const sockets = Math.floor(connections * socketShare)
  const wanted =
    (gateway ? 2 * subscriptionClients : 0) +
    (rest.includes('exploration') ? realtimeLimits.clients : 0) +
    (rest.includes('classification') ? stream.clients : 0)
  const shareOf = (all: number): number => (Number.isFinite(clientsPerAddress) ? Math.ceil(all * addressShare) : all)
  return {
    connections,
    connectionsPerAddress: trustedProxies === 0 ? shareOf(connections) : connections,
    sockets,
    socketsPerAddress: shareOf(sockets),
    warning:
      wanted <= sockets
        ? undefined
        : `${wanted} sockets and streams are allowed, and ${openFiles} open files: ${sockets} are accepted; raise the limit (ulimit -n, LimitNOFILE) or lower SUBSCRIPTION_CLIENTS and STREAM_CLIENTS`,
  }
}

/** Within what the listeners of one process accept connections. */
export interface Admission {
  /** listeners that clients and proxies reach */
  readonly clients: Partial<ListenerLimits>
  /** listeners of subgraphs, which gateways reach */
  readonly internal: Partial<ListenerLimits>
  /** sockets and streams of clients, whatever their protocol */
  readonly sockets: ClientSlots
}

/** A proxy that uses a connection again must not meet its end: longer than proxies keep idle ones (60 s). */
const keepAliveOfProxiesMs = 65_000

/** Fits what a process accepts to the files that it may open; the log gets a sentence when settings allow more. */
export function admissionWithin(config: AdmissionSettings, roles: Pick<Roles, 'gateway' | 'rest'>, log: Pick<Log, 'warn'>): Admission {
  const {
    connections: total,
    connectionsPerAddress,
    sockets,
    socketsPerAddress,
    warning,
  } = connectionLimits(config, roles, openFileLimit())
  if (warning !== undefined) log.warn(warning)
  const keptLong = { keepAliveTimeoutMs: keepAliveOfProxiesMs }
  return {
    clients: {
      ...(config.trustedProxies > 0 && keptLong),
      connections: new ClientSlots({ total, perClient: connectionsPerAddress }),
    },
    internal: { ...keptLong, connections: new ClientSlots({ total }) },
    sockets: new ClientSlots({ total: sockets, perClient: socketsPerAddress }),
  }
}
