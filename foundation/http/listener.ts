import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { ClientSlots } from '../concurrency/client-slots.ts'
import type { ServerCertificate } from './server-certificate.ts'

/** Limits of one HTTP listener: times in ms. */
export interface ListenerLimits {
  /** for the headers of a request; also how long a new connection may be silent */
  readonly headersTimeoutMs: number
  /** for a whole request to arrive, however large its body */
  readonly arrivalTimeoutMs: number
  /** between a response and the next request of a connection */
  readonly keepAliveTimeoutMs: number
  /** between two checks of these limits */
  readonly checkMs: number
  readonly headerBytes: number
  /** connections of the whole process; further ones are closed immediately (default: unlimited) */
  readonly connections?: ClientSlots | undefined
  /** whether each response ends its connection, as in a process that is about to stop (default: never) */
  readonly closesConnections?: () => boolean
}

export const listenerLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  arrivalTimeoutMs: 120_000,
  keepAliveTimeoutMs: 5000,
  checkMs: 1000,
  headerBytes: 16 * 1024,
}

/** Returns the options of every HTTP server of the platform. */
export function serverOptions(limits: ListenerLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.arrivalTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
  } as const satisfies ServerOptions
}

/** Sets limits that an HTTP server accepts only after its creation. */
export function limitServer(server: Server, { connections }: ListenerLimits): void {
  // limited by the size of the head; with a count, Node would drop headers silently
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

/** Requests of one connection that may be in progress: a client that does not pipeline has one. */
const maxPipelined = 32

/** Closes a connection with more requests in progress. Node would begin every request that has arrived, hundreds in a turn of the event loop. */
function limitPipelining(server: FastifyInstance): void {
  const inProgress = new WeakMap<Socket, number>()
  server.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const count = (inProgress.get(socket) ?? 0) + 1
    inProgress.set(socket, count)
    reply.raw.once('close', () => inProgress.set(socket, (inProgress.get(socket) ?? 1) - 1))
    if (count <= maxPipelined) return
    reply.hijack()
    socket.destroy()
  })
}

/** Ends connections with their next response, so that clients that keep connections open use other processes. */
function endConnections(server: FastifyInstance, isDue: () => boolean): void {
  server.addHook('onRequest', async (_, { raw }) => {
    if (isDue()) raw.shouldKeepAlive = false
  })
}

/** Headers with preferences. */
const preferences = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'] as const
/** Characters of such a header that are read. */
const maxPreferencesLength = 1000

/**
 * Ignores what follows the first entries of a long header with preferences: each entry takes time, several thousands fit in one header. A media type
 * that no remaining entry names is still acceptable, since the ignored entries may name it.
 */
function limitPreferences(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw: { headers } }) => {
    for (const name of preferences) {
      const value = headers[name]
      if (typeof value !== 'string' || value.length <= maxPreferencesLength) continue
      const first = value.slice(0, Math.max(0, value.lastIndexOf(',', maxPreferencesLength)))
      headers[name] = name === 'accept' ? `${first},*/*;q=0.001` : first
    }
  })
}

/**
 * Creates a listener, HTTPS with a certificate, else HTTP. Other protocols offered by a client, such as h2c by curl and Java, are ignored and the
 * request is answered. @param takesWebSockets - whether upgrades to WebSocket are handled; otherwise they are ignored, too
 * @see RFC 9110, section 7.8
 */
export function listener(
  certificate: ServerCertificate | undefined,
  takesWebSockets: () => boolean,
  options: Omit<FastifyHttpOptions<Server>, 'requestTimeout' | 'keepAliveTimeout'>,
  limits: Partial<ListenerLimits> = {},
): FastifyInstance {
  const { http: own, ...rest } = options
  const all: ListenerLimits = { ...listenerLimits, ...limits }
  const shouldUpgradeCallback = ({ headers: { upgrade } }: IncomingMessage): boolean =>
    upgrade?.toLowerCase() === 'websocket' && takesWebSockets()
  const http = { ...own, ...serverOptions(all), shouldUpgradeCallback }
  // Fastify sets these after creating the server
  const times = { requestTimeout: all.arrivalTimeoutMs, keepAliveTimeout: all.keepAliveTimeoutMs }
  const server: unknown =
    certificate === undefined
      ? fastify({ ...rest, ...times, http })
      : // a server of node:https has all members of one of node:http
        fastify({ ...rest, ...times, https: { ...http, ...certificate.credentials } } as FastifyHttpOptions<Server>)
  const instance = server as FastifyInstance
  limitServer(instance.server, all)
  limitPipelining(instance)
  limitPreferences(instance)
  if (all.closesConnections !== undefined) endConnections(instance, all.closesConnections)
  certificate?.follow(instance.server)
  return instance
}
