import type { WebSocket } from 'ws'
import { closeSoon } from '../../../gateway/http/close-socket.ts'
import { matchesExpressionFilter } from '../../../subgraphs/foundation/filter/expression-filter.ts'
import { pause } from '../../../subgraphs/foundation/lifecycle.ts'
import type { StreamFilter } from './filter.ts'
import type { StreamLimits } from './limits.ts'
import type { ExpressionFrame } from './source.ts'

type ClientLimits = Pick<StreamLimits, 'waitingBytes' | 'slowReaderTimeoutMs'>

export type FrameType = 'welcome' | 'heartbeat' | 'lagged' | 'error'

const lookAgainMs = 20

/** One client of /ws: what it wants, and what it is told. */
export class StreamClient {
  readonly #socket: WebSocket
  readonly #limits: ClientLimits
  readonly #onDropped: () => void
  filter: StreamFilter
  /** while it is told what it has missed, nothing else is */
  isResuming = false
  /** it has answered since it was last asked */
  isAlive = true
  #dropped = 0
  #droppedSeq = 0
  #slowSince: number | undefined

  constructor(socket: WebSocket, filter: StreamFilter, limits: ClientLimits, onDropped: () => void) {
    this.#socket = socket
    this.filter = filter
    this.#limits = limits
    this.#onDropped = onDropped
    socket.on('pong', () => {
      this.isAlive = true
    })
  }

  wants({ kind, traits }: ExpressionFrame): boolean {
    return (kind === 'expression' || this.filter.updates) && matchesExpressionFilter(this.filter, traits)
  }

  /** Tells it what it wants, or counts it while too much waits already. @returns whether it was wanted */
  tell(event: ExpressionFrame): boolean {
    if (this.isResuming || !this.wants(event)) return false
    if (this.#slowSince !== undefined || this.#socket.bufferedAmount > this.#limits.waitingBytes) {
      this.#slowSince ??= performance.now()
      this.#dropped += 1
      this.#droppedSeq = event.seq
      this.#onDropped()
    } else this.write(event.frame)
    return true
  }

  say(type: FrameType, seq: number, data: object): void {
    this.write(JSON.stringify({ type, seq, data }))
  }

  write(frame: Buffer | string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame, { binary: false })
  }

  /** Called now and then: one that reads again hears how much it has missed, one that does not is closed. */
  look(now: number): void {
    if (this.#slowSince === undefined) return
    if (this.#socket.bufferedAmount <= this.#limits.waitingBytes / 2) {
      this.#slowSince = undefined
      this.say('lagged', this.#droppedSeq, { dropped: this.#dropped })
      this.#dropped = 0
    } else if (now - this.#slowSince > this.#limits.slowReaderTimeoutMs) closeSoon(this.#socket, 1013, 'Slow reader')
  }

  /** Waits until it has read. @returns false when it is gone, or closed for its slowness */
  async room(): Promise<boolean> {
    const until = performance.now() + this.#limits.slowReaderTimeoutMs
    while (this.#socket.readyState === this.#socket.OPEN && this.#socket.bufferedAmount > this.#limits.waitingBytes) {
      if (performance.now() > until) closeSoon(this.#socket, 1013, 'Slow reader')
      await pause(lookAgainMs)
    }
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** Asks whether it is still there; one that did not answer the last time is cut. */
  ping(): void {
    if (!this.isAlive) this.#socket.terminate()
    this.isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }
}
