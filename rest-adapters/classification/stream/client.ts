import type { WebSocket } from 'ws'
import { matchesExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import { closeSoon } from '../../../foundation/http/close-socket.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { StreamFilter } from './filter.ts'
import type { StreamLimits } from './limits.ts'
import { Replay } from './replay.ts'
import { type FrameData, type FrameType, frameOf } from './server-frames.ts'
import type { StreamEvent } from './source.ts'

type ClientLimits = Pick<StreamLimits, 'waitingBytes' | 'waitingFrames' | 'slowReaderTimeoutMs'>

const recheckMs = 20

/** A client of /ws, with its filter and its queue. */
export class StreamClient {
  readonly #socket: WebSocket
  readonly #limits: ClientLimits
  readonly #onDropped: () => void
  readonly #replay = new Replay(
    (frame) => this.write(frame),
    () => this.room(),
  )
  filter: StreamFilter
  /** whether it answered the last ping */
  isAlive = true
  #dropped = 0
  #droppedSeq = 0
  #slowSince: number | undefined
  /** set while it receives missed events; aborted when that ends */
  #coming: AbortController | undefined

  constructor(socket: WebSocket, filter: StreamFilter, limits: ClientLimits, onDropped: () => void) {
    this.#socket = socket
    this.filter = filter
    this.#limits = limits
    this.#onDropped = onDropped
    socket.on('pong', () => {
      this.isAlive = true
    })
    socket.once('close', () => this.#coming?.abort())
  }

  /** whether it receives missed events instead of live ones */
  get isComing(): boolean {
    return this.#coming !== undefined
  }

  /** whether missed events wait until it reads */
  get isBehind(): boolean {
    return this.#replay.waiting > 0 || this.#socket.bufferedAmount > this.#limits.waitingBytes
  }

  /** Closes it as a slow reader; it can resume. */
  cut(): void {
    this.#replay.clear()
    this.#coming?.abort()
    closeSoon(this.#socket, 1013, 'Slow reader')
  }

  /** Starts the replay, from another position if one is running. @returns a signal that is aborted when this replay is replaced */
  comeFrom(): AbortSignal {
    this.#coming?.abort()
    this.#replay.clear()
    this.#coming = new AbortController()
    if (this.#socket.readyState !== this.#socket.OPEN) this.#coming.abort()
    return this.#coming.signal
  }

  /** Switches to live events. */
  arrive(): void {
    this.#coming?.abort()
    this.#coming = undefined
  }

  /** Whether an event is for this client. Nothing is known of a withdrawn expression but its id, so that the filter does not restrict withdrawals. */
  wants(event: StreamEvent): boolean {
    if (event.kind === 'expression_withdrawn') return this.filter.updates
    return (event.kind === 'expression' || this.filter.updates) && matchesExpressionFilter(this.filter, event.traits)
  }

  /** Sends a matching event, or counts it while the queue is full. @returns whether it matches */
  send(event: StreamEvent): boolean {
    if (this.isComing || !this.wants(event)) return false
    if (this.#replay.isRunning) this.#replayFrames([event.frame])
    else if (this.#slowSince !== undefined || this.#socket.bufferedAmount > this.#limits.waitingBytes) {
      this.#slowSince ??= performance.now()
      this.#dropped += 1
      this.#droppedSeq = event.seq
      this.#onDropped()
    } else this.write(event.frame)
    return true
  }

  /** Sends the matching events as fast as the client reads; live events follow. */
  replay(events: readonly StreamEvent[]): void {
    this.#replayFrames(events.filter((event) => this.wants(event)).map(({ frame }) => frame))
  }

  /** Reports that events before this position are no longer available. */
  lag(seq: number): void {
    this.#replayFrames([frameOf('lagged', seq, { dropped: null })])
  }

  sendFrame<Type extends FrameType>(type: Type, seq: number, data: FrameData<Type>): void {
    this.write(frameOf(type, seq, data))
  }

  write(frame: Buffer | string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame, { binary: false })
  }

  /** Called periodically: reports omitted events to a client that reads again, and closes one that does not. */
  checkReader(now: number): void {
    if (this.#slowSince === undefined || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount <= this.#limits.waitingBytes / 2) {
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

  #replayFrames(frames: readonly (Buffer | string)[]): void {
    this.#replay.add(frames)
    if (this.#replay.waiting > this.#limits.waitingFrames) this.cut()
  }

  /** Sends a ping; disconnects a client that did not answer the previous one. */
  ping(): void {
    if (!this.isAlive) this.#socket.terminate()
    this.isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }
}
