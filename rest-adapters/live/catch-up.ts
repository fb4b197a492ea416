import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { ExpressionEvent, LaggedEvent } from './feed-event.ts'
import type { RecentEvents } from './recent-events.ts'

const questionMs = 5000
const retryMs = 500
/** resuming clients with an earlier position than a running read wait for its end, or for this silence */
const silenceMs = 500

/** A feed that can be read from a position. */
export interface ReplayableFeed<Event> {
  /** Yields events after a position, then live ones; ends with its signal. */
  expressions(after: number, signal: AbortSignal): AsyncIterable<Event | LaggedEvent>
  /** Returns the seq of the last event */
  position(signal: AbortSignal): Promise<number>
}

/** A resuming client that is not live yet. */
export interface ResumingClient<Event> {
  readonly isDisconnected: () => boolean
  send(event: Event): void
  /** Delivers the last missed events; live events follow. */
  join(rest: readonly Event[]): void
  /** Reports that missed events are no longer available; live events follow. */
  lag(): void
}

interface Late<Event> {
  readonly who: ResumingClient<Event>
  seen: number
}

interface Reading {
  at: number
  readonly over: AbortController
}

/**
 * Brings resuming clients up to date: from memory, and for older positions by one read of the feed for all of them, which continues with live events
 * until memory covers its position. The end of the past need not be known, so a new process, a quiet feed and an unavailable one need no special
 * handling.
 */
export class CatchUp<Event extends ExpressionEvent> {
  readonly #source: ReplayableFeed<Event>
  readonly #recent: RecentEvents<Event>
  readonly #log: Log
  readonly #signal: AbortSignal
  readonly #late = new Set<Late<Event>>()
  #reading: Reading | undefined
  #isWorking = false
  #silence: NodeJS.Timeout | undefined

  /**
   * @param recent - live events in memory, added by the caller
   * @param signal - aborted when the channel stops
   */
  constructor(source: ReplayableFeed<Event>, recent: RecentEvents<Event>, log: Log, signal: AbortSignal) {
    this.#source = source
    this.#recent = recent
    this.#log = log
    this.#signal = signal
  }

  /** @param after - last seq that the client has received */
  lead(who: ResumingClient<Event>, after: number): void {
    const late = { who, seen: after }
    if (this.#isLed(late)) return
    this.#late.add(late)
    if (this.#reading !== undefined && after < this.#reading.at) this.#awaitSilence(this.#reading)
    if (!this.#isWorking) void this.#work()
  }

  /** Must be called in the tick in which live clients are sent an event. */
  settleDue(): void {
    for (const late of this.#late) this.#settle(late)
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    while (this.#late.size > 0 && !this.#signal.aborted) {
      try {
        await this.#refuseForeign()
        await this.#read(Math.min(...[...this.#late].map(({ seen }) => seen)))
      } catch (error) {
        this.#log.debug({ reason: messageOf(error) }, 'resuming clients wait for the feed')
        await pause(retryMs, this.#signal)
      }
    }
    this.#isWorking = false
  }

  /** Another replica may be ahead of this one; a position beyond the feed's end belongs to another feed. */
  async #refuseForeign(): Promise<void> {
    const waiting = [...this.#late]
    const position = await this.#source.position(AbortSignal.any([this.#signal, AbortSignal.timeout(questionMs)]))
    for (const late of waiting) if (late.seen > position && late.seen > this.#recent.last && this.#late.delete(late)) late.who.lag()
  }

  async #read(from: number): Promise<void> {
    if (this.#late.size === 0) return
    const reading = { at: from, over: new AbortController() }
    const signal = AbortSignal.any([this.#signal, reading.over.signal])
    this.#reading = reading
    try {
      for await (const event of this.#source.expressions(from, signal)) {
        if (isLagged(event)) {
          for (const late of this.#late) if (late.seen === from && this.#late.delete(late)) late.who.lag()
          return
        }
        const before = reading.at
        reading.at = event.seq
        for (const late of this.#late) this.#deliver(late, event, before)
        if (this.#late.size === 0) return
        if (this.#silence !== undefined) this.#awaitSilence(reading)
      }
    } finally {
      clearTimeout(this.#silence)
      this.#silence = undefined
      this.#reading = undefined
      reading.over.abort()
    }
  }

  /** @param before - previous position of the read: a client further back has missed an event sent before it came */
  #deliver(late: Late<Event>, event: Event, before: number): void {
    if (late.seen >= before && late.seen < event.seq) {
      if (!late.who.isDisconnected()) late.who.send(event)
      late.seen = event.seq
    }
    this.#settle(late)
  }

  #settle(late: Late<Event>): void {
    if (!this.#isLed(late)) return
    this.#late.delete(late)
    if (this.#late.size === 0) this.#reading?.over.abort()
  }

  #isLed({ who, seen }: Late<Event>): boolean {
    if (who.isDisconnected()) return true
    const rest = seen <= this.#recent.last ? this.#recent.since(seen) : undefined
    if (rest !== undefined) who.join(rest)
    return rest !== undefined
  }

  #awaitSilence(reading: Reading): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => reading.over.abort(), silenceMs)
  }
}

const isLagged = (event: { readonly kind: string }): event is LaggedEvent => event.kind === 'lagged'
