import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { CloseCode, handleProtocols, makeServer, type ServerOptions } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ClientSlot, ClientSlots } from '../../subgraphs/foundation/concurrency/client-slots.ts'
import { messageOf } from '../../subgraphs/foundation/fault.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
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
  /** Lets the client send more than a few messages' worth of bytes: it has said who it is. */
  admit(): void
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
  /** most bytes that a client may send before it is admitted (default: any) */
  readonly bytesBeforeAdmission?: number
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
    const admit = limitBytes(socket, connection, options.bytesBeforeAdmission)
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
            const text = String(data)
            extra.messageBytes = text.length
            receive(text).catch((error: unknown) => {
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
