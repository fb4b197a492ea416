import type { IncomingMessage } from 'node:http'
import type { Server as SocketServer } from 'socket.io'
import { type ServerOptions, WebSocketServer } from 'ws'
import type { Log } from '../../../foundation/log.ts'
import { MessageRate } from '../../live/message-rate.ts'
import type { RealtimeLimits } from './limits.ts'

/** how long a client may take to complete the closing handshake */
const closeTimeoutMs = 2000

/** A packet for a namespace with a long name; the only namespace is `/`. */
const longNamespace = /^\d(?:\d{1,10}-)?\/[^,]{100}/

/**
 * The WebSocket server of Engine.IO would wait 30 s for a disconnected client and buffer a pong for every ping of a client that never
 * reads.
 */
export class WebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    const bounded: ServerOptions & { readonly closeTimeout: number } = { ...options, closeTimeout: closeTimeoutMs }
    super(bounded)
  }
}

/** The properties of an Engine.IO client that are used. */
export interface EngineClient {
  /** the handshake request */
  readonly request: IncomingMessage
  /** packets that wait until the client reads */
  readonly writeBuffer: readonly unknown[]
  on(event: 'packet', listener: (packet: { readonly data?: unknown }) => void): void
  on(event: 'close', listener: () => void): void
  close(discard: boolean): void
}

/** Disconnects clients that flood, once the server is attached. @returns a function to call periodically, which disconnects slow readers */
export function floodControl(
  { engine }: SocketServer,
  { packetBurst, packetsPerSecond, waiting }: Pick<RealtimeLimits, 'packetBurst' | 'packetsPerSecond' | 'waiting'>,
  log: Log,
): () => void {
  const clients = new Set<EngineClient>()
  engine.on('connection', (client: EngineClient) => {
    const rate = new MessageRate(packetBurst, packetsPerSecond)
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('packet', ({ data }) => {
      // Socket.IO would repeat the name in its refusal
      if (typeof data === 'string' && longNamespace.test(data)) return client.close(true)
      if (rate.allows()) return
      log.warn({}, 'a realtime client exceeded its message rate and was disconnected')
      client.close(true)
    })
  })
  return () => {
    for (const client of clients)
      if (client.writeBuffer.length > waiting) {
        log.info({}, 'a realtime client read too slowly and was disconnected')
        client.close(true)
      }
  }
}
