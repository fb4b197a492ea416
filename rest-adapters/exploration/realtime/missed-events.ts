import { within } from '../../../subgraphs/foundation/within.ts'
import type { RecentEvents } from './recent-events.ts'
import type { ExpressionEvent, RealtimeSource } from './source.ts'

/** how long the feed may be silent before what it has told is taken for all there is */
const silenceMs = 2000
const mostReplayed = 10_000
/** clients that want events from before this process knew any are served so many at a time */
const mostAtOnce = 2

/** Finds what a client has missed: from memory, and from the feed what is older than that. Equal questions share one reading. */
export class MissedEvents {
  readonly #source: RealtimeSource
  readonly #recent: RecentEvents<ExpressionEvent>
  readonly #readings = new Map<number, Promise<readonly ExpressionEvent[] | undefined>>()
  readonly #signal: AbortSignal

  constructor(source: RealtimeSource, recent: RecentEvents<ExpressionEvent>, signal: AbortSignal) {
    this.#source = source
    this.#recent = recent
    this.#signal = signal
  }

  /**
   * Everything after `seq`, up to the moment in which `use` is called: what comes later is the caller's to follow from there on, in the same
   * turn, so that nothing is missing or double.
   * @param use - gets undefined when some of it can no longer be told
   */
  async after(seq: number, use: (events: readonly ExpressionEvent[] | undefined) => void): Promise<void> {
    const near = this.#recent.since(seq)
    if (near !== undefined) return use(near)
    const known = this.#recent.from ?? 0
    const older = await this.#older(seq, known)
    const newer = this.#recent.since(known)
    use(older === undefined || newer === undefined ? undefined : [...older, ...newer])
  }

  #older(seq: number, until: number): Promise<readonly ExpressionEvent[] | undefined> {
    const running = this.#readings.get(seq)
    if (running !== undefined) return running
    if (this.#readings.size >= mostAtOnce) return Promise.resolve(undefined)
    const reading = this.#read(seq, until).finally(() => this.#readings.delete(seq))
    this.#readings.set(seq, reading)
    return reading
  }

  async #read(seq: number, until: number): Promise<readonly ExpressionEvent[] | undefined> {
    const enough = new AbortController()
    const signal = AbortSignal.any([this.#signal, enough.signal])
    const events: ExpressionEvent[] = []
    const stream = this.#source.expressions(seq, signal)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await within(stream.next(), silenceMs, signal, () => new Silence())
        if (next.done) return undefined
        if (next.value.kind === 'lagged' || events.length >= mostReplayed) return undefined
        if (next.value.seq > until) return events
        events.push(next.value)
        if (next.value.seq === until) return events
      }
    } catch (error) {
      if (error instanceof Silence) return events
      return undefined
    } finally {
      enough.abort()
    }
  }
}

class Silence extends Error {}
