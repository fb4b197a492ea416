import { readFileSync } from 'node:fs'
import { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import type { Config } from '../../foundation/config/config.ts'
import { codeOf } from '../../foundation/fault.ts'
import type { ListenerLimits } from '../../foundation/http/listener.ts'
import type { Log } from '../../foundation/log.ts'
import { realtimeLimits } from '../../rest-adapters/exploration/realtime/limits.ts'
import type { Roles } from './roles.ts'

/** Assumed if the limit is unreadable: the value to which Node raises it on macOS. */
const defaultOpenFiles = 10_240
/** Reserved for engines, files and metrics; a quarter of a small limit. */
const reservedFiles = 1024
/** Share of all connections for sockets and streams; the rest is for requests. */
const socketShare = 0.8
/** Share of connections, and of sockets and streams, for one address. */
const addressShare = 0.25

/** Connection limits of a process. */
export interface ConnectionLimits {
  readonly connections: number
  /** limit per address, if clients connect directly */
  readonly connectionsPerAddress: number
  /** limit of sockets and streams, which count as connections, too */
  readonly sockets: number
  readonly socketsPerAddress: number
  /** warning for the log if settings exceed the limit of open files */
  readonly warning: string | undefined
}

/** Returns the limit of open files and sockets of this process (RLIMIT_NOFILE). */
export function openFileLimit(file = '/proc/self/limits'): number {
  try {
    const [, soft = ''] = /^Max open files +(\S+)/m.exec(readFileSync(file, 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) || defaultOpenFiles
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return defaultOpenFiles
    throw error
  }
}

type AdmissionSettings = Pick<Config, 'clientsPerAddress' | 'subscriptionClients' | 'stream' | 'trustedProxies'>

/** Derives connection limits from the limit of open files. */
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
  const required =
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
      required <= sockets
        ? undefined
        : `${required} sockets and streams are configured, but only ${openFiles} open files are allowed, so ${sockets} are accepted: raise the limit (ulimit -n, LimitNOFILE) or lower SUBSCRIPTION_CLIENTS and STREAM_CLIENTS`,
  }
}

/** Limits of accepted connections of the listeners of a process. */
export interface Admission {
  /** limits of listeners for clients and proxies */
  readonly clients: Partial<ListenerLimits>
  /** limits of subgraph listeners */
  readonly internal: Partial<ListenerLimits>
  /** sockets and streams of clients, of all protocols */
  readonly sockets: ClientSlots
}

/** Longer than proxies keep idle connections (60 s), so that a proxy never reuses a closed one. */
const keepAliveOfProxiesMs = 65_000

/**
 * Fits the limits to the limit of open files; logs a warning if settings exceed it.
 * @param closesConnections - whether each response ends its connection, as in a process that is about to stop
 */
export function admissionWithin(
  config: AdmissionSettings,
  roles: Pick<Roles, 'gateway' | 'rest'>,
  log: Pick<Log, 'warn'>,
  closesConnections: () => boolean,
): Admission {
  const {
    connections: total,
    connectionsPerAddress,
    sockets,
    socketsPerAddress,
    warning,
  } = connectionLimits(config, roles, openFileLimit())
  if (warning !== undefined) log.warn(warning)
  const longKeepAlive = { keepAliveTimeoutMs: keepAliveOfProxiesMs }
  return {
    clients: {
      ...(config.trustedProxies > 0 && longKeepAlive),
      connections: new ClientSlots({ total, perClient: connectionsPerAddress }),
      closesConnections,
    },
    internal: { ...longKeepAlive, connections: new ClientSlots({ total }), closesConnections },
    sockets: new ClientSlots({ total: sockets, perClient: socketsPerAddress }),
  }
}
