import { withTimeout } from '../../subgraphs/foundation/concurrency/timeout.ts'
import type { LaggedEvent, Numbered } from './feed-event.ts'
import type { RecentEvents } from './recent-events.ts'

/** how long the feed may be silent before what it has told is taken for all there is */
const silenceMs = 2000
const maxReplayed = 10_000
/** clients that want events from before this process knew any are served so many at a time */
const maxAtOnce = 2

/** A feed that can be read from a place on. */
interface Past<Event> {
  expressions(after: number, signal: AbortSignal): AsyncIterable<Event | LaggedEvent>
}

/** Finds what a client has missed: from memory, and from the feed what is older than that. Equal questions share one reading. */
export class MissedEvents<Event extends Numbered & { readonly kind: string }> {
  readonly #source: Past<Event>
  readonly #recent: RecentEvents<Event>
  readonly #readings = new Map<string, Promise<readonly Event[] | undefined>>()
  readonly #signal: AbortSignal

  constructor(source: Past<Event>, recent: RecentEvents<Event>, signal: AbortSignal) {
    this.#source = source
    this.#recent = recent
    this.#signal = signal
  }

  /**
   * Everything after `seq`, up to the moment in which `use` is called: what comes later is the caller's to follow from there on, in the same
   * turn, so that nothing is missing or double.
   * @param use - gets undefined when some of it can no longer be told
   */
  async after(seq: number, use: (events: readonly Event[] | undefined) => void): Promise<void> {
    const near = this.#recent.since(seq)
    if (near !== undefined) return use(near)
    const known = this.#recent.from ?? 0
    const older = await this.#older(seq, known)
    const newer = this.#recent.since(known)
    use(older === undefined || newer === undefined ? undefined : [...older, ...newer])
  }

  #older(seq: number, until: number): Promise<readonly Event[] | undefined> {
    const question = `${seq} to ${until}`
    const running = this.#readings.get(question)
    if (running !== undefined) return running
    if (this.#readings.size >= maxAtOnce) return Promise.resolve(undefined)
    const reading = this.#read(seq, until).finally(() => this.#readings.delete(question))
    this.#readings.set(question, reading)
    return reading
  }

  async #read(seq: number, until: number): Promise<readonly Event[] | undefined> {
    const enough = new AbortController()
    const signal = AbortSignal.any([this.#signal, enough.signal])
    const events: Event[] = []
    const stream = this.#source.expressions(seq, signal)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await withTimeout(stream.next(), silenceMs, signal, () => new Silence())
        if (next.done) return undefined
        if (isLagged(next.value) || events.length >= maxReplayed) return undefined
        if (next.value.seq > until) return events
        events.push(next.value)
        if (next.value.seq === until) return events
      }
    } catch (error) {
      // a feed that tells nothing at all may be away
      return error instanceof Silence && events.length > 0 ? events : undefined
    } finally {
      enough.abort()
      // one that waits for more ends by its signal, one that has just told something only by being told
      stream.return?.().catch(() => undefined)
    }
  }
}

const isLagged = (event: { readonly kind: string }): event is LaggedEvent => event.kind === 'lagged'

class Silence extends Error {}
