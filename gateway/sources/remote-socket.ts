import { WebSocket } from 'ws'

const handshakeMs = 5000
const normalClosure = 1000
const goingAway = 1001

/**
 * The WebSocket of a subgraph, as graphql-ws is to see it. graphql-ws believes that only it closes with 1000: it then connects again and
 * sends its subscriptions as they once began. A 1000 of the other side is therefore shown as a loss of the connection, like any other.
 */
export class RemoteSocket extends WebSocket {
  #isClosedHere = false

  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols, { handshakeTimeout: handshakeMs })
    // graphql-ws takes its own listener away from a connection that it gives up before it is open
    this.on('error', () => undefined)
  }

  /** ws answers the other side's close through here, too, with the reason as the bytes that came (or none). */
  override close(code?: number, reason?: string | Buffer): void {
    if (typeof reason === 'string') this.#isClosedHere = true
    super.close(code, reason)
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'close' || args[0] !== normalClosure || this.#isClosedHere) return super.emit(event, ...args)
    return super.emit(event, goingAway, ...args.slice(1))
  }
}
