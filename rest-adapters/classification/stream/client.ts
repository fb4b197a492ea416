import type { WebSocket } from 'ws'
import { matchesExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import { closeSoon } from '../../../foundation/http/close-socket.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { StreamFilter } from './filter.ts'
import type { StreamLimits } from './limits.ts'
import { type FrameData, type FrameType, frameOf } from './server-frames.ts'
import type { StreamEvent } from './source.ts'

type ClientLimits = Pick<StreamLimits, 'waitingBytes' | 'slowReaderTimeoutMs'>

const recheckMs = 20

/** A client of /ws, with its filter and its queue. */
export class StreamClient {
  readonly #socket: WebSocket
  readonly #limits: ClientLimits
  readonly #onDropped: () => void
  filter: StreamFilter
  /** whether it answered the last ping */
  isAlive = true
  #dropped = 0
  #droppedSeq = 0
  #slowSince: number | undefined
  /** set while it receives missed events; aborted when that ends */
  #replayAbort: AbortController | undefined

  constructor(socket: WebSocket, filter: StreamFilter, limits: ClientLimits, onDropped: () => void) {
    this.#socket = socket
    this.filter = filter
    this.#limits = limits
    this.#onDropped = onDropped
    socket.on('pong', () => {
      this.isAlive = true
    })
    socket.once('close', () => this.#replayAbort?.abort())
  }

  /** whether it receives missed events instead of live ones */
  get isReplaying(): boolean {
    return this.#replayAbort !== undefined
  }

  /** whether missed events must wait until it reads */
  get isBehind(): boolean {
    return this.#socket.bufferedAmount > this.#limits.waitingBytes
  }

  /** Closes it as a slow reader; it can resume. */
  cut(): void {
    this.#replayAbort?.abort()
    closeSoon(this.#socket, 1013, 'Slow reader')
  }

  /** Starts the replay, from another position if one is running. @returns a signal that is aborted when this replay is replaced */
  startReplay(): AbortSignal {
    this.#replayAbort?.abort()
    this.#replayAbort = new AbortController()
    if (this.#socket.readyState !== this.#socket.OPEN) this.#replayAbort.abort()
    return this.#replayAbort.signal
  }

  /** Switches to live events. */
  endReplay(): void {
    this.#replayAbort?.abort()
    this.#replayAbort = undefined
    this.#slowSince = undefined
  }

  /** Whether an event is for this client. Nothing is known of a withdrawn expression but its id, so that the filter does not restrict withdrawals. */
  wants(event: StreamEvent): boolean {
    if (event.kind === 'expression_withdrawn') return this.filter.updates
    return (event.kind === 'expression' || this.filter.updates) && matchesExpressionFilter(this.filter, event.traits)
  }

  /** Sends a matching event, or counts it while the queue is full. @returns whether it matches */
  send(event: StreamEvent): boolean {
    if (this.isReplaying || !this.wants(event)) return false
    if (this.#slowSince !== undefined || this.#socket.bufferedAmount > this.#limits.waitingBytes) {
      this.#slowSince ??= performance.now()
      this.#dropped += 1
      this.#droppedSeq = event.seq
      this.#onDropped()
    } else this.write(event.frame)
    return true
  }

  /** Sends the matching ones of a few missed events; the caller waits while the client is behind. */
  replay(events: readonly StreamEvent[]): void {
    for (const event of events) if (this.wants(event)) this.write(event.frame)
  }

  /** Reports that events before this position are no longer available. */
  lag(seq: number): void {
    this.sendFrame('lagged', seq, { dropped: null })
  }

  sendFrame<Type extends FrameType>(type: Type, seq: number, data: FrameData<Type>): void {
    this.write(frameOf(type, seq, data))
  }

  write(frame: Buffer | string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame, { binary: false })
  }

  /** Called periodically: reports omitted events to a client that reads again, and closes one that does not. */
  checkReader(now: number): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    // no event is omitted while missed ones are sent
    if (this.isReplaying) this.#slowSince = this.isBehind ? (this.#slowSince ?? now) : undefined
    if (this.#slowSince === undefined) return
    if (!this.isReplaying && this.#socket.bufferedAmount <= this.#limits.waitingBytes / 2) {
      this.#slowSince = undefined
      this.sendFrame('lagged', this.#droppedSeq, { dropped: this.#dropped })
      this.#dropped = 0
    } else if (now - this.#slowSince > this.#limits.slowReaderTimeoutMs) closeSoon(this.#socket, 1013, 'Slow reader')
  }

  /** Waits until the client has read. @returns false when it is disconnected, or closed as a slow reader */
  async room(): Promise<boolean> {
    const until = performance.now() + this.#limits.slowReaderTimeoutMs
    while (this.#socket.readyState === this.#socket.OPEN && this.#socket.bufferedAmount > this.#limits.waitingBytes) {
      if (performance.now() > until) closeSoon(this.#socket, 1013, 'Slow reader')
      await pause(recheckMs)
    }
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** Sends a ping; disconnects a client that did not answer the previous one. */
  ping(): void {
    if (!this.isAlive) this.#socket.terminate()
    this.isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }
}
