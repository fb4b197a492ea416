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

interface LaggingClient<Event> {
  readonly client: ResumingClient<Event>
  seen: number
}

interface FeedRead {
  at: number
  readonly endController: AbortController
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
  readonly #laggingClients = new Set<LaggingClient<Event>>()
  /** clients that receive events from memory */
  readonly #inMemory = new Set<LaggingClient<Event>>()
  #reading: FeedRead | undefined
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
  resume(client: ResumingClient<Event>, after: number): void {
    this.#resume({ client, seen: after })
  }

  /** Must be called in the tick in which live clients are sent an event. */
  settleDue(): void {
    for (const lagging of this.#laggingClients) this.#settle(lagging)
  }

  #resume(lagging: LaggingClient<Event>): void {
    if (this.#isResumed(lagging)) return
    this.#laggingClients.add(lagging)
    if (this.#reading !== undefined && lagging.seen < this.#reading.at) this.#awaitSilence(this.#reading)
    if (!this.#isWorking) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    while (this.#laggingClients.size > 0 && !this.#signal.aborted) {
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
    const waiting = [...this.#laggingClients]
    const position = await this.#source.position(AbortSignal.any([this.#signal, AbortSignal.timeout(questionMs)]))
    for (const lagging of waiting)
      if (lagging.seen > position && lagging.seen > this.#recent.last && this.#laggingClients.delete(lagging)) lagging.client.lag()
  }

  async #read(): Promise<void> {
    let from = Number.POSITIVE_INFINITY
    for (const lagging of this.#laggingClients) {
      if (lagging.client.isDisconnected()) this.#laggingClients.delete(lagging)
      else from = Math.min(from, lagging.seen)
    }
    if (this.#laggingClients.size === 0) return
    const turn = pauses()
    const reading = { at: from, endController: new AbortController() }
    const signal = AbortSignal.any([this.#signal, reading.endController.signal])
    this.#reading = reading
    try {
      for await (const event of this.#source.expressions(from, signal)) {
        if (isLagged(event)) {
          for (const lagging of this.#laggingClients)
            if (lagging.seen === from && this.#laggingClients.delete(lagging)) lagging.client.lag()
          return
        }
        const before = reading.at
        reading.at = event.seq
        for (const lagging of this.#laggingClients) this.#deliver(lagging, event, before)
        if (this.#laggingClients.size === 0) return
        await turn()
        await this.#awaitReaders(event.seq, signal)
        if (this.#silence !== undefined) this.#awaitSilence(reading)
      }
    } finally {
      clearTimeout(this.#silence)
      this.#silence = undefined
      this.#reading = undefined
      reading.endController.abort()
    }
  }

  /** Waits until the clients that the read has brought to a position have read it; disconnects those that do not. */
  async #awaitReaders(position: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + patienceMs
    const areBehind = (): readonly LaggingClient<Event>[] =>
      [...this.#laggingClients].filter(({ client, seen }) => seen === position && !client.isDisconnected() && client.isBehind())
    for (let behind = areBehind(); behind.length > 0 && !signal.aborted; behind = areBehind()) {
      if (performance.now() > until) for (const { client } of behind) client.cut()
      await pause(recheckMs, signal)
    }
  }

  /** @param before - previous position of the read: a client further back has missed an event sent before it came */
  #deliver(lagging: LaggingClient<Event>, event: Event, before: number): void {
    if (lagging.seen >= before && lagging.seen < event.seq) {
      if (!lagging.client.isDisconnected()) lagging.client.send(event)
      lagging.seen = event.seq
    }
    this.#settle(lagging)
  }

  #settle(lagging: LaggingClient<Event>): void {
    if (!this.#isResumed(lagging)) return
    this.#laggingClients.delete(lagging)
    if (this.#laggingClients.size === 0) this.#reading?.endController.abort()
  }

  /** Whether it needs no read of the feed: it is disconnected, or memory has all that it has missed. */
  #isResumed(lagging: LaggingClient<Event>): boolean {
    if (lagging.client.isDisconnected()) return true
    const rest = this.#missedBy(lagging)
    if (rest === undefined) return false
    if (this.#send(lagging, rest)) return true
    this.#inMemory.add(lagging)
    if (!this.#isSending) void this.#sendFromMemory()
    return true
  }

  async #sendFromMemory(): Promise<void> {
    this.#isSending = true
    while (this.#inMemory.size > 0 && !this.#signal.aborted) {
      const turn = pauses()
      let areAllBehind = true
      for (const lagging of this.#inMemory) {
        if (!lagging.client.isDisconnected() && lagging.client.isBehind()) continue
        areAllBehind = false
        if (this.#step(lagging)) this.#inMemory.delete(lagging)
        await turn()
      }
      if (areAllBehind) await pause(recheckMs, this.#signal)
      else await setImmediate()
    }
    this.#isSending = false
  }

  /** @returns undefined if memory does not have all of them */
  #missedBy({ seen }: LaggingClient<Event>): readonly Event[] | undefined {
    return seen > this.#recent.last ? undefined : this.#recent.since(seen)
  }

  /** Sends the next missed events from memory. @returns whether nothing is left to send from memory */
  #step(lagging: LaggingClient<Event>): boolean {
    if (lagging.client.isDisconnected()) return true
    const rest = this.#missedBy(lagging)
    if (rest !== undefined) return this.#send(lagging, rest)
    // it has read so slowly that memory does not have its next event any more
    this.#resume(lagging)
    return true
  }

  /** Sends the first of the missed events, unless the client is behind. @returns whether it has joined the live clients */
  #send(lagging: LaggingClient<Event>, rest: readonly Event[]): boolean {
    const { client } = lagging
    if (client.isBehind()) return false
    if (rest.length <= atOnce) {
      client.join(rest)
      return true
    }
    for (const event of rest.slice(0, atOnce)) {
      client.send(event)
      lagging.seen = event.seq
    }
    return false
  }

  #awaitSilence(reading: FeedRead): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => reading.endController.abort(), silenceMs)
  }
}

const isLagged = (event: { readonly kind: string }): event is LaggedEvent => event.kind === 'lagged'
