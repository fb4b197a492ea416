import { setImmediate } from 'node:timers/promises'
import { pauses } from '../../foundation/concurrency/steps.ts'
import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { ExpressionEvent, LaggedEvent } from './feed-event.ts'
import type { RecentEvents } from './recent-events.ts'

const questionMs = 5000
const retryMs = 500
/** resuming clients with an earlier position than a running read wait for its end, or for this silence */
const silenceMs = 500
/** events from memory that a client receives in one turn */
const atOnce = 20
/** interval of checks whether clients have read */
const recheckMs = 20
/** how long a read of the feed waits for a client that does not read */
const patienceMs = 2000

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
  /** whether it has much to read before it can receive more */
  isBehind(): boolean
  /** Disconnects it, because it does not read. */
  cut(): void
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
 * Brings resuming clients up to date, as fast as each reads: from memory, where clients take turns in steps of about 10 ms, and for older positions by
 * one read of the feed for all of them, which continues with live events until memory covers its position. The end of the past need not be known, so a
 * new process, a quiet feed and an unavailable one need no special handling.
 */
export class CatchUp<Event extends ExpressionEvent> {
  readonly #source: ReplayableFeed<Event>
  readonly #recent: RecentEvents<Event>
  readonly #log: Log
  readonly #signal: AbortSignal
  /** clients that wait for a read of the feed */
  readonly #late = new Set<Late<Event>>()
  /** clients that receive events from memory */
  readonly #inMemory = new Set<Late<Event>>()
  #reading: Reading | undefined
  #isWorking = false
  #isSending = false
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
    this.#lead({ who, seen: after })
  }

  /** Must be called in the tick in which live clients are sent an event. */
  settleDue(): void {
    for (const late of this.#late) this.#settle(late)
  }

  #lead(late: Late<Event>): void {
    if (this.#isLed(late)) return
    this.#late.add(late)
    if (this.#reading !== undefined && late.seen < this.#reading.at) this.#awaitSilence(this.#reading)
    if (!this.#isWorking) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    while (this.#late.size > 0 && !this.#signal.aborted) {
      try {
        await this.#refuseForeign()
        await this.#read()
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

  async #read(): Promise<void> {
    let from = Number.POSITIVE_INFINITY
    for (const late of this.#late) {
      if (late.who.isDisconnected()) this.#late.delete(late)
      else from = Math.min(from, late.seen)
    }
    if (this.#late.size === 0) return
    const turn = pauses()
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
        await turn()
        await this.#awaitReaders(event.seq, signal)
        if (this.#silence !== undefined) this.#awaitSilence(reading)
      }
    } finally {
      clearTimeout(this.#silence)
      this.#silence = undefined
      this.#reading = undefined
      reading.over.abort()
    }
  }

  /** Waits until the clients that the read has brought to a position have read it; disconnects those that do not. */
  async #awaitReaders(position: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + patienceMs
    const areBehind = (): readonly Late<Event>[] =>
      [...this.#late].filter(({ who, seen }) => seen === position && !who.isDisconnected() && who.isBehind())
    for (let behind = areBehind(); behind.length > 0 && !signal.aborted; behind = areBehind()) {
      if (performance.now() > until) for (const { who } of behind) who.cut()
      await pause(recheckMs, signal)
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

  /** Whether it needs no read of the feed: it is disconnected, or memory has all that it has missed. */
  #isLed(late: Late<Event>): boolean {
    if (late.who.isDisconnected()) return true
    const rest = this.#missedBy(late)
    if (rest === undefined) return false
    if (this.#send(late, rest)) return true
    this.#inMemory.add(late)
    if (!this.#isSending) void this.#sendFromMemory()
    return true
  }

  async #sendFromMemory(): Promise<void> {
    this.#isSending = true
    while (this.#inMemory.size > 0 && !this.#signal.aborted) {
      const turn = pauses()
      let areAllBehind = true
      for (const late of this.#inMemory) {
        if (!late.who.isDisconnected() && late.who.isBehind()) continue
        areAllBehind = false
        if (this.#step(late)) this.#inMemory.delete(late)
        await turn()
      }
      if (areAllBehind) await pause(recheckMs, this.#signal)
      else await setImmediate()
    }
    this.#isSending = false
  }

  /** @returns undefined if memory does not have all of them */
  #missedBy({ seen }: Late<Event>): readonly Event[] | undefined {
    return seen > this.#recent.last ? undefined : this.#recent.since(seen)
  }

  /** Sends the next missed events from memory. @returns whether nothing is left to send from memory */
  #step(late: Late<Event>): boolean {
    if (late.who.isDisconnected()) return true
    const rest = this.#missedBy(late)
    if (rest !== undefined) return this.#send(late, rest)
    // it has read so slowly that memory does not have its next event any more
    this.#lead(late)
    return true
  }

  /** Sends the first of the missed events, unless the client is behind. @returns whether it has joined the live clients */
  #send(late: Late<Event>, rest: readonly Event[]): boolean {
    const { who } = late
    if (who.isBehind()) return false
    if (rest.length <= atOnce) {
      who.join(rest)
      return true
    }
    for (const event of rest.slice(0, atOnce)) {
      who.send(event)
      late.seen = event.seq
    }
    return false
  }

  #awaitSilence(reading: Reading): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => reading.over.abort(), silenceMs)
  }
}

const isLagged = (event: { readonly kind: string }): event is LaggedEvent => event.kind === 'lagged'
