import type { WebSocket } from 'ws'
import { matchesExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { closeSoon } from '../../../gateway/http/close-socket.ts'
import type { StreamFilter } from './filter.ts'
import type { StreamLimits } from './limits.ts'
import { Replay } from './replay.ts'
import type { FrameData, serverFrames } from './server-frames.ts'
import type { ExpressionFrame, StreamEvent } from './source.ts'

type ClientLimits = Pick<StreamLimits, 'waitingBytes' | 'waitingFrames' | 'slowReaderTimeoutMs'>

const lookAgainMs = 20

/** One client of /ws: what it wants, and what it is told. */
export class StreamClient {
  readonly #socket: WebSocket
  readonly #limits: ClientLimits
  readonly #onDropped: () => void
  readonly #replay = new Replay(
    (frame) => this.write(frame),
    () => this.room(),
  )
  filter: StreamFilter
  /** it has answered since it was last asked */
  isAlive = true
  #dropped = 0
  #droppedSeq = 0
  #slowSince: number | undefined
  /** while it is told what it has missed; aborted when that ends */
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

  /** whether it is told what it has missed, and not what the others are told */
  get isComing(): boolean {
    return this.#coming !== undefined
  }

  /** It is to be told what it has missed, from another place than before if it was. @returns aborted when it is not to be told that way any more */
  comeFrom(): AbortSignal {
    this.#coming?.abort()
    this.#replay.clear()
    this.#coming = new AbortController()
    if (this.#socket.readyState !== this.#socket.OPEN) this.#coming.abort()
    return this.#coming.signal
  }

  /** It is with the others. */
  arrive(): void {
    this.#coming?.abort()
    this.#coming = undefined
  }

  wants(event: StreamEvent): event is ExpressionFrame {
    if (event.kind === 'expression_withdrawn') return false
    return (event.kind === 'expression' || this.filter.updates) && matchesExpressionFilter(this.filter, event.traits)
  }

  /** Tells it what it wants, or counts it while too much waits already. @returns whether it was wanted */
  tell(event: StreamEvent): boolean {
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

  /** Tells it what it wants of these, as fast as it reads; what others are told meanwhile comes behind. */
  replay(events: readonly StreamEvent[]): void {
    this.#replayFrames(events.filter((event) => this.wants(event)).map(({ frame }) => frame))
  }

  /** Some of what was before that place can no longer be told. */
  lag(seq: number): void {
    this.#replayFrames([frameOf('lagged', seq, { dropped: null })])
  }

  say<Type extends FrameType>(type: Type, seq: number, data: FrameData<Type>): void {
    this.write(frameOf(type, seq, data))
  }

  write(frame: Buffer | string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame, { binary: false })
  }

  /** Called now and then: one that reads again hears how much it has missed, one that does not is closed. */
  look(now: number): void {
    if (this.#slowSince === undefined || this.#socket.readyState !== this.#socket.OPEN) return
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

  #replayFrames(frames: readonly (Buffer | string)[]): void {
    this.#replay.add(frames)
    if (this.#replay.waiting <= this.#limits.waitingFrames) return
    this.#replay.clear()
    this.#coming?.abort()
    closeSoon(this.#socket, 1013, 'Slow reader')
  }

  /** Asks whether it is still there; one that did not answer the last time is cut. */
  ping(): void {
    if (!this.isAlive) this.#socket.terminate()
    this.isAlive = false
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }
}

type FrameType = keyof typeof serverFrames

/** A frame as it is sent. */
export const frameOf = <Type extends FrameType>(type: Type, seq: number, data: FrameData<Type>): string =>
  JSON.stringify({ type, seq, data })
