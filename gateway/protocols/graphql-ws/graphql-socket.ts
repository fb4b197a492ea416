import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { GraphQLError } from 'graphql'
import { CloseCode, handleProtocols, makeServer, type Server as ProtocolServer, type ServerOptions } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ClientSlot, ClientSlots } from '../../../foundation/concurrency/client-slots.ts'
import { messageOf } from '../../../foundation/fault.ts'
import { Backlog, type ClientBacklog } from '../../../foundation/http/backlog.ts'
import { clientAddress } from '../../../foundation/http/client-address.ts'
import { closeSoon, refuseUpgrade } from '../../../foundation/http/close-socket.ts'
import type { Log } from '../../../foundation/log.ts'
import { exceededRequestLimit, identifiedRequest, type RequestLimits } from '../../admission/request-limits.ts'
import { described } from '../../errors/without-values.ts'
import { limitBytes, type PacedSender, pacedSender } from './socket-pacing.ts'

/** Images and other large values use HTTP; WebSocket messages are operations. */
export const maxMessageBytes = 1024 * 1024

/** The subprotocol of subscriptions-transport-ws. */
const olderProtocol = 'graphql-ws'

/** The `extra` value of graphql-ws hooks. */
export interface SocketExtra {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  /** client address */
  readonly address: string | undefined
  /** slot of the connection until it closes */
  readonly slot: ClientSlot
  /** Sets the limits of further messages after the init was accepted. */
  admit(limits: RequestLimits, requestId: string): void
  /** unread data of the client */
  readonly backlog: ClientBacklog
  /** size of the message that a hook handles, until it first awaits something */
  messageBytes: number
}

export interface GraphqlSocketOptions {
  readonly server: Server
  readonly path: string
  /** unread data of all clients (default: only those of this socket) */
  readonly backlog?: Backlog
  readonly log: Log
  /** maximum size of a client message */
  readonly messageBytes: number
  /** limits of all messages together until the client is admitted @default of each message, any number of them */
  readonly limitsBeforeAdmission?: RequestLimits
  /**
   * maximum number of connections (default: unlimited); beyond the total the upgrade is refused with 503, beyond that of an address the connection is
   * closed with 1013
   */
  readonly slots?: ClientSlots
  /** number of trusted proxies in front of this process (default: 0) */
  readonly trustedProxies?: number
  /** whether pages of an origin may connect; otherwise the upgrade is refused with 403 (default: any origin) */
  readonly allows?: (request: IncomingMessage) => boolean
  /** interval of pings; a client that misses one is disconnected, ms */
  readonly pingMs?: number
  readonly hooks: ServerOptions<Record<string, unknown>, SocketExtra>
}

/** The WebSocket side of a listener. */
export interface GraphqlSocket {
  /** Closes every client with 1001 and cuts those that do not respond. */
  stop(): Promise<void>
}

/**
 * Serves graphql-transport-ws on a path of an HTTP server. Replaces the binding of graphql-ws, which writes to the console on client errors and
 * closes with 4500 for them.
 */
export function graphqlSocket(options: GraphqlSocketOptions): GraphqlSocket {
  const { server, path, messageBytes, slots = new ClientSlots(), allows = () => true } = options
  const service: SocketService = {
    ...options,
    protocol: makeServer(withShortIds(options.hooks)),
    backlog: options.backlog ?? new Backlog(),
  }
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    // accepts the older protocol to report that it is unsupported
    handleProtocols: (offered) => handleProtocols(offered) || (offered.has(olderProtocol) && olderProtocol),
    autoPong: false,
    // a client may reuse an operation id once it has completed it, so the end is processed before the next message
    allowSynchronousEvents: false,
  })

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    connection.on('error', () => connection.destroy())
    if (connection.destroyed) return
    const status = upgradeRefusal(request)
    if (status === undefined) sockets.handleUpgrade(request, connection, head, (socket) => accept(socket, request, connection))
    else refuseUpgrade(connection, status)
  }

  /** Returns the status with which an upgrade is refused. */
  const upgradeRefusal = (request: IncomingMessage): 403 | 404 | 503 | undefined => {
    if (request.url?.split('?', 1)[0] !== path) return 404
    if (!allows(request)) return 403
    return slots.isFull ? 503 : undefined
  }

  const accept = (socket: WebSocket, request: IncomingMessage, connection: Duplex): void => {
    const address = clientAddress(request, options.trustedProxies ?? 0)
    try {
      const slot = slots.take(address)
      connection.once('close', slot.release)
      serveClient(service, socket, connection, { request, address, slot })
    } catch (error) {
      // browsers can read a close code but no status
      closeSoon(
        socket.on('error', () => undefined),
        1013,
        messageOf(error),
      )
    }
  }

  server.on('upgrade', upgrade)
  return {
    async stop() {
      server.off('upgrade', upgrade)
      const open = [...sockets.clients]
      const closed = Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      for (const socket of open) closeSoon(socket, 1001, 'Going away')
      await closed
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

/** What the clients of a socket share. */
interface SocketService extends GraphqlSocketOptions {
  readonly protocol: ProtocolServer<SocketExtra>
  readonly backlog: Backlog
}

/** Serves an accepted client until its socket closes. */
function serveClient(
  service: SocketService,
  socket: WebSocket,
  connection: Duplex,
  client: Pick<SocketExtra, 'request' | 'address' | 'slot'>,
): void {
  const { log, messageBytes, limitsBeforeAdmission, pingMs = 15_000 } = service
  // ws itself closes with 1009 or 1007 for frames that are too large or malformed.
  socket.on('error', (error) => log.debug({ err: described(error) }, 'a WebSocket failed'))
  if (socket.protocol === olderProtocol) {
    closeSoon(
      socket,
      CloseCode.SubprotocolNotAcceptable,
      'subscriptions-transport-ws is not supported: use graphql-transport-ws (npm graphql-ws)',
    )
    return
  }
  const admission: Admission = { limits: limitsBeforeAdmission ?? { ...identifiedRequest, bytes: messageBytes }, requestId: undefined }
  const received = limitsBeforeAdmission && limitBytes(socket, connection, limitsBeforeAdmission.bytes)
  const backlog = service.backlog.client(
    () => socket.bufferedAmount,
    () => closeSoon(socket, 1013, 'Slow reader'),
    client.request.socket.localPort,
  )
  const extra: SocketExtra = {
    ...client,
    socket,
    admit(limits, requestId) {
      admission.limits = limits
      admission.requestId = requestId
      received?.admit(limits.bytes < messageBytes ? limits.bytes : undefined)
    },
    backlog,
    messageBytes: 0,
  }
  const sender = pacedSender(socket, backlog)
  socket.on('ping', (data) => void sender.send((written) => socket.pong(data, false, written)))
  const closed = service.protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => sender.send((written) => socket.send(text, written)),
      // this reason of graphql-ws repeats the id, and a reason has at most 123 bytes
      close: (code, reason) => closeSoon(socket, code, code === CloseCode.SubscriberAlreadyExists ? 'Subscriber already exists' : reason),
      onPing: (payload) => sender.send((written) => socket.send(pong(payload), written)),
      onMessage: (receive) => {
        socket.on('message', (data) => {
          received?.completed()
          receiveMessage(String(data), { extra, admission, sender, receive, log })
        })
      },
    },
    extra,
  )
  const heartbeat = startHeartbeat(socket, sender, pingMs)
  socket.once('close', (code, reason) => {
    clearInterval(heartbeat)
    backlog.end()
    closed(code, String(reason)).catch((error: unknown) => log.error({ err: described(error) }, 'a WebSocket did not close cleanly'))
  })
}

/** The limits of a client's messages. */
interface Admission {
  limits: RequestLimits
  /** undefined until its init is accepted */
  requestId: string | undefined
}

interface Receiver {
  readonly extra: SocketExtra
  readonly admission: Admission
  readonly sender: PacedSender
  /** passes a message to graphql-ws */
  readonly receive: (text: string) => Promise<void>
  readonly log: Log
}

/** Checks a message before graphql-ws parses it; an operation beyond a limit is refused, any other such message closes the socket. */
function receiveMessage(text: string, { extra, admission: { limits, requestId }, sender, receive, log }: Receiver): void {
  const { socket } = extra
  if (text.length > limits.bytes) return void closeSoon(socket, 1009, 'Message too large')
  const exceeded = exceededRequestLimit(text, limits)
  if (exceeded !== undefined) {
    const refusal = requestId === undefined ? undefined : refusedOperation(text, exceeded, requestId)
    if (refusal === undefined) return void closeSoon(socket, CloseCode.BadRequest, exceeded)
    return void sender.send((written) => socket.send(refusal, written))
  }
  extra.messageBytes = text.length
  receive(protocolMembers(text)).catch((error: unknown) => {
    // thrown by graphql-ws for a server-only message type and for a payload nested too deep
    if (error instanceof RangeError || (error instanceof Error && error.message.startsWith('Unexpected message')))
      return closeSoon(socket, CloseCode.BadRequest, 'Invalid message received')
    log.error({ err: described(error) }, 'a WebSocket message failed')
    closeSoon(socket, CloseCode.InternalServerError, 'Internal server error')
  })
}

/** Maximum length of an id, which each message of its operation repeats. */
const maxIdLength = 100

/** Closes the socket of a client that sends a longer id: an error would have to repeat it. */
const withShortIds = (hooks: GraphqlSocketOptions['hooks']): GraphqlSocketOptions['hooks'] => ({
  ...hooks,
  onSubscribe(context, id, payload) {
    if (id.length <= maxIdLength) return hooks.onSubscribe?.(context, id, payload)
    const reason = `The id of an operation has more than ${maxIdLength} characters`
    closeSoon(context.extra.socket, CloseCode.BadRequest, reason)
    return [new GraphQLError(reason)]
  },
})

/** Longest payload that a pong repeats, in characters of JSON. */
const maxPayloadLength = 100

/** Answers a ping. A pong may lack the payload, which is not repeated when it is long. */
function pong(payload: Readonly<Record<string, unknown>> | undefined): string {
  const text = JSON.stringify(payload ?? undefined)
  return text === undefined || text.length > maxPayloadLength ? '{"type":"pong"}' : `{"type":"pong","payload":${text}}`
}

/** Pings a client; disconnects one that misses a ping. */
function startHeartbeat(socket: WebSocket, sender: PacedSender, pingMs: number): NodeJS.Timeout {
  let alive = true
  socket.on('pong', () => {
    alive = true
  })
  return setInterval(() => {
    // a paused client is not read from, so a pong could not arrive
    if (sender.isHeld) alive = true
    else if (!alive) return socket.terminate()
    else alive = false
    if (socket.readyState === socket.OPEN) socket.ping()
  }, pingMs)
}

/** Returns the error message for an operation whose message starts with its id, as clients send it; the message is not parsed. */
function refusedOperation(text: string, message: string, requestId: string): string | undefined {
  const [, id] = /^\s{0,16}\{\s{0,16}"id"\s{0,16}:\s{0,16}("[\w:-]{1,100}")/.exec(text) ?? []
  const error = { message, extensions: { code: 'LIMIT_EXCEEDED', requestId } }
  return id && `{"id":${id},"type":"error","payload":${JSON.stringify([error])}}`
}

/** Reduces a long message to the members of the protocol, since graphql-ws holds it while its operation runs. */
function protocolMembers(text: string): string {
  if (text.length <= 4096) return text
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message !== 'object' || message === null || Object.keys(message).every((name) => members.has(name))) return text
    return JSON.stringify(Object.fromEntries(Object.entries(message).filter(([name]) => members.has(name))))
  } catch {
    return text
  }
}
const members = new Set(['id', 'type', 'payload'])
