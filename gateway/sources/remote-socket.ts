import { WebSocket } from 'ws'

const handshakeMs = 5000
const normalClosure = 1000
const goingAwayCode = 1001

/**
 * Hides a close with 1000 by the subgraph from graphql-ws, which would take it for its own, reconnect and repeat its subscriptions from the start. It
 * appears as a lost connection.
 */
export class RemoteSocket extends WebSocket {
  #isClosedHere = false

  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols, { handshakeTimeout: handshakeMs })
    // graphql-ws removes its listener when it abandons a connection before it is open
    this.on('error', () => undefined)
  }

  /** ws also calls this to complete the other side's close, with the reason as bytes (or none). */
  override close(code?: number, reason?: string | Buffer): void {
    if (typeof reason === 'string') this.#isClosedHere = true
    super.close(code, reason)
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'close' || args[0] !== normalClosure || this.#isClosedHere) return super.emit(event, ...args)
    return super.emit(event, goingAwayCode, ...args.slice(1))
  }
}
