import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { ExpressionEvent, LaggedEvent } from './feed-event.ts'
import type { RecentEvents } from './recent-events.ts'

const questionMs = 5000
const retryMs = 500
/** those that come from an earlier place than the reading that runs wait for its end, or until it has told nothing for so long */
const silenceMs = 500

/** A feed that can be read from a place on. */
export interface Past<Event> {
  /** Everything after a place, then what comes; ends with its signal. */
  expressions(after: number, signal: AbortSignal): AsyncIterable<Event | LaggedEvent>
  /** seq of the last event */
  position(signal: AbortSignal): Promise<number>
}

/** One who comes back and is not with the others yet. */
export interface Latecomer<Event> {
  readonly isGone: () => boolean
  tell(event: Event): void
  /** It is with the others, who hear what comes, after these last ones. */
  join(rest: readonly Event[]): void
  /** Some of what it has missed can no longer be told: it is with the others from now on. */
  lag(): void
}

interface Late<Event> {
  readonly who: Latecomer<Event>
  seen: number
}

interface Reading {
  at: number
  readonly over: AbortController
}

/**
 * Leads those who come back to where the others are: from the memory of this process, and what is older by one reading of the feed for all of
 * them, which tells each what it has not seen, and what comes meanwhile too, until memory goes on where it is. Nobody has to know where the past
 * ends, so a process that has just started, a quiet feed and a feed that is away for a while are no special cases.
 */
export class CatchUp<Event extends ExpressionEvent> {
  readonly #source: Past<Event>
  readonly #recent: RecentEvents<Event>
  readonly #log: Log
  readonly #signal: AbortSignal
  readonly #late = new Set<Late<Event>>()
  #reading: Reading | undefined
  #isWorking = false
  #silence: NodeJS.Timeout | undefined

  /** @param recent - what the others hear, kept by who tells them   @param signal - aborted when the channel stops */
  constructor(source: Past<Event>, recent: RecentEvents<Event>, log: Log, signal: AbortSignal) {
    this.#source = source
    this.#recent = recent
    this.#log = log
    this.#signal = signal
  }

  /** @param after - the last seq that it has seen */
  lead(who: Latecomer<Event>, after: number): void {
    const late = { who, seen: after }
    if (this.#isLed(late)) return
    this.#late.add(late)
    if (this.#reading !== undefined && after < this.#reading.at) this.#awaitSilence(this.#reading)
    if (!this.#isWorking) void this.#work()
  }

  /** To be called in the turn in which the others were told something. */
  heard(): void {
    for (const late of this.#late) this.#settle(late)
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    while (this.#late.size > 0 && !this.#signal.aborted) {
      try {
        await this.#refuseForeign()
        await this.#read(Math.min(...[...this.#late].map(({ seen }) => seen)))
      } catch (error) {
        this.#log.debug({ reason: messageOf(error) }, 'those who came back wait for the feed')
        await pause(retryMs, this.#signal)
      }
    }
    this.#isWorking = false
  }

  /** Another replica may be ahead of this one; a place that nobody has reached is of another feed. */
  async #refuseForeign(): Promise<void> {
    const asked = [...this.#late]
    const position = await this.#source.position(AbortSignal.any([this.#signal, AbortSignal.timeout(questionMs)]))
    for (const late of asked) if (late.seen > position && late.seen > this.#recent.last && this.#late.delete(late)) late.who.lag()
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
        for (const late of this.#late) this.#tell(late, event, before)
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

  /** @param before - where the reading was: who is further back has missed something that was told before it came */
  #tell(late: Late<Event>, event: Event, before: number): void {
    if (late.seen >= before && late.seen < event.seq) {
      if (!late.who.isGone()) late.who.tell(event)
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
    if (who.isGone()) return true
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
