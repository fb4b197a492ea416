import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import type { ServerCertificate } from './server-certificate.ts'

/** Limits of one HTTP listener: times in ms. */
export interface ListenerLimits {
  /** for the head of a request to arrive; also how long a new connection may stay silent */
  readonly headersTimeoutMs: number
  /** for a whole request to arrive, however large its body */
  readonly arrivalTimeoutMs: number
  /** between an answer and the next request of a connection */
  readonly keepAliveTimeoutMs: number
  /** between two checks of the times above */
  readonly checkMs: number
  readonly headerBytes: number
  /** connections of the whole process; those beyond are closed at once (default: any number) */
  readonly connections?: ClientSlots | undefined
}

export const listenerLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  arrivalTimeoutMs: 120_000,
  keepAliveTimeoutMs: 5000,
  checkMs: 1000,
  headerBytes: 16 * 1024,
}

/** Returns what every HTTP server of the platform is created with. */
export function serverOptions(limits: ListenerLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.arrivalTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
  } as const satisfies ServerOptions
}

/** Applies the limits that an HTTP server takes once it exists. */
export function limitServer(server: Server, { connections }: ListenerLimits): void {
  // The size of the head bounds their number: beyond a count, Node would leave headers out without a word.
  server.maxHeadersCount = 0
  if (connections === undefined) return
  server.on('connection', (socket: Socket) => {
    try {
      const slot = connections.take(socket.remoteAddress)
      socket.once('close', slot.release)
    } catch {
      socket.destroy()
    }
  })
}

/**
 * Creates a listener: HTTPS where there is a certificate, else HTTP; the same in everything else. Another protocol that a client offers, as
 * curl and Java do with h2c, is passed over, and its request answered as any.
 * @param takesWebSockets - whether something answers upgrades to WebSocket now; while nothing does, those are passed over, too
 * @see RFC 9110, section 7.8
 */
export function listener(
  certificate: ServerCertificate | undefined,
  takesWebSockets: () => boolean,
  options: Omit<FastifyHttpOptions<Server>, 'requestTimeout' | 'keepAliveTimeout'>,
  limits: Partial<ListenerLimits> = {},
): FastifyInstance {
  const { http: own, ...rest } = options
  const all = { ...listenerLimits, ...limits }
  const shouldUpgradeCallback = ({ headers: { upgrade } }: IncomingMessage): boolean =>
    upgrade?.toLowerCase() === 'websocket' && takesWebSockets()
  const http = { ...own, ...serverOptions(all), shouldUpgradeCallback }
  // Fastify sets these two itself after it has made the server
  const times = { requestTimeout: all.arrivalTimeoutMs, keepAliveTimeout: all.keepAliveTimeoutMs }
  const server: unknown =
    certificate === undefined
      ? fastify({ ...rest, ...times, http })
      : // a server of node:https has all that one of node:http has
        fastify({ ...rest, ...times, https: { ...http, ...certificate.credentials } } as FastifyHttpOptions<Server>)
  const made = server as FastifyInstance
  limitServer(made.server, all)
  certificate?.follow(made.server)
  return made
}
