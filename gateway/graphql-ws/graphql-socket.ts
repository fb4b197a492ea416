import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { CloseCode, handleProtocols, makeServer, type ServerOptions } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ClientSlot, ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { exceededRequestLimit, identifiedRequest, type RequestLimits } from '../admission/request-limits.ts'
import { described } from '../errors/without-values.ts'
import { Backlog, type ClientBacklog } from '../http/backlog.ts'
import { clientAddress } from '../http/client-address.ts'
import { closeSoon, refuseUpgrade } from '../http/close-socket.ts'
import { limitBytes, pacedSender } from './socket-pacing.ts'

/** Images and other large values go over HTTP; what is sent over WebSocket is operations. */
export const largestMessageBytes = 1024 * 1024

/** The name by which clients of subscriptions-transport-ws ask for it. */
const olderProtocol = 'graphql-ws'

/** What the hooks of graphql-ws get as `extra`. */
export interface SocketExtra {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  /** of the client */
  readonly address: string | undefined
  /** that the connection holds until it closes */
  readonly slot: ClientSlot
  /** Applies other limits to each message from now on: the client's init was accepted. */
  admit(limits: RequestLimits, requestId: string): void
  /** what it is behind with */
  readonly backlog: ClientBacklog
  /** size of the message that a hook is called for, while it has not yet waited for anything */
  messageBytes: number
}

export interface GraphqlSocketOptions {
  readonly server: Server
  readonly path: string
  /** what waits for all clients (default: for those of this socket) */
  readonly backlog?: Backlog
  readonly log: Log
  /** largest message that a client may send */
  readonly messageBytes: number
  /** of all messages together until the client is admitted   @default of each message, and any number of them */
  readonly limitsBeforeAdmission?: RequestLimits
  /**
   * connections at once (default: any number); beyond all of them the upgrade is refused with 503, beyond those of one address the connection
   * is closed with 1013
   */
  readonly slots?: ClientSlots
  /** trusted proxies before this process (default: 0) */
  readonly trustedProxies?: number
  /** whether a page of another origin may connect; to it the upgrade is refused with 403 (default: any may) */
  readonly allows?: (request: IncomingMessage) => boolean
  /** a client that does not answer a ping for so long is gone */
  readonly pingMs?: number
  readonly hooks: ServerOptions<Record<string, unknown>, SocketExtra>
}

/** The listener's WebSocket side. */
export interface GraphqlSocket {
  /** Tells every client to go (1001), and cuts those that do not. */
  stop(): Promise<void>
}

/**
 * Serves graphql-transport-ws on a path of an HTTP server. A binding of our own to graphql-ws, because the one it ships writes to the
 * console whatever a client does wrong, and closes with 4500 where the fault is the client's.
 */
export function graphqlSocket(options: GraphqlSocketOptions): GraphqlSocket {
  const { server, path, log, messageBytes, pingMs = 15_000, slots = new ClientSlots(), allows = () => true } = options
  const waiting = options.backlog ?? new Backlog()
  const protocol = makeServer<Record<string, unknown>, SocketExtra>(options.hooks)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    // the older one is taken, so that its client can be told
    handleProtocols: (offered) => handleProtocols(offered) || (offered.has(olderProtocol) && olderProtocol),
    autoPong: false,
    // a client may use the id of an operation again as soon as it has completed it: what ends is over before the next message is read
    allowSynchronousEvents: false,
  })

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    connection.on('error', () => connection.destroy())
    if (connection.destroyed) return
    const status = upgradeRefusal(request)
    if (status === undefined) sockets.handleUpgrade(request, connection, head, (socket) => accept(socket, request, connection))
    else refuseUpgrade(connection, status)
  }

  /** The status that an upgrade is refused with. */
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
      serve(socket, connection, { request, address, slot })
    } catch (error) {
      // a browser reads the code of a close, and no status
      closeSoon(
        socket.on('error', () => undefined),
        1013,
        messageOf(error),
      )
    }
  }

  const serve = (socket: WebSocket, connection: Duplex, client: Pick<SocketExtra, 'request' | 'address' | 'slot'>): void => {
    // A frame that is too large or malformed: ws closes with 1009 or 1007 by itself.
    socket.on('error', (error) => log.debug({ err: described(error) }, 'a WebSocket failed'))
    if (socket.protocol === olderProtocol) {
      closeSoon(
        socket,
        CloseCode.SubprotocolNotAcceptable,
        'subscriptions-transport-ws is not spoken: use graphql-transport-ws (npm graphql-ws)',
      )
      return
    }
    let limits: RequestLimits = options.limitsBeforeAdmission ?? { ...identifiedRequest, bytes: messageBytes }
    const received = options.limitsBeforeAdmission && limitBytes(socket, connection, options.limitsBeforeAdmission.bytes)
    let admittedAs: string | undefined
    const admit = (admitted: RequestLimits, requestId: string): void => {
      limits = admitted
      admittedAs = requestId
      received?.admit(admitted.bytes < messageBytes ? admitted.bytes : undefined)
    }
    const backlog = waiting.client(
      () => socket.bufferedAmount,
      () => closeSoon(socket, 1013, 'Slow reader'),
    )
    const extra: SocketExtra = { ...client, socket, admit, backlog, messageBytes: 0 }
    const answering = pacedSender(socket, backlog)
    socket.on('ping', (data) => void answering.send((written) => socket.pong(data, false, written)))
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => answering.send((written) => socket.send(text, written)),
        close: (code, reason) => closeSoon(socket, code, reason),
        onMessage: (receive) => {
          socket.on('message', (data) => {
            received?.completed()
            const text = String(data)
            if (text.length > limits.bytes) return closeSoon(socket, 1009, 'Message too large')
            const exceeded = exceededRequestLimit(text, limits)
            if (exceeded !== undefined) {
              const refusal = admittedAs === undefined ? undefined : refusedOperation(text, exceeded, admittedAs)
              if (refusal === undefined) return closeSoon(socket, CloseCode.BadRequest, exceeded)
              return void answering.send((written) => socket.send(refusal, written))
            }
            extra.messageBytes = text.length
            receive(knownMembers(text)).catch((error: unknown) => {
              // What graphql-ws throws for a type of message that only servers send, and for a payload too deep to be sent back.
              if (error instanceof RangeError || (error instanceof Error && error.message.startsWith('Unexpected message')))
                return closeSoon(socket, CloseCode.BadRequest, 'Invalid message received')
              log.error({ err: described(error) }, 'a WebSocket message failed')
              closeSoon(socket, CloseCode.InternalServerError, 'Internal server error')
            })
          })
        },
      },
      extra,
    )
    let alive = true
    const heartbeat = setInterval(() => {
      // Nothing is read from it: its answer could not be heard.
      if (answering.isHeld) alive = true
      else if (!alive) return socket.terminate()
      else alive = false
      if (socket.readyState === socket.OPEN) socket.ping()
    }, pingMs)
    socket.on('pong', () => {
      alive = true
    })
    socket.once('close', (code, reason) => {
      clearInterval(heartbeat)
      backlog.end()
      closed(code, String(reason)).catch((error: unknown) => log.error({ err: described(error) }, 'a WebSocket did not close cleanly'))
    })
  }

  server.on('upgrade', upgrade)
  return {
    async stop() {
      server.off('upgrade', upgrade)
      const open = [...sockets.clients]
      const gone = Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      for (const socket of open) closeSoon(socket, 1001, 'Going away')
      await gone
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

/** The error of an operation whose message begins with its id, as those of clients do; its message is not parsed. */
function refusedOperation(text: string, message: string, requestId: string): string | undefined {
  const [, id] = /^\s{0,16}\{\s{0,16}"id"\s{0,16}:\s{0,16}("[\w:-]{1,256}")/.exec(text) ?? []
  const error = { message, extensions: { code: 'LIMIT_EXCEEDED', requestId } }
  return id && `{"id":${id},"type":"error","payload":${JSON.stringify([error])}}`
}

/** graphql-ws holds a message for as long as its operation runs: a longer one is reduced to what the protocol defines. */
function knownMembers(text: string): string {
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
