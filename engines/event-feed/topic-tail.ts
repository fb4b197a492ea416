import { Semaphore } from '../../foundation/concurrency/semaphore.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Database } from '../relational/database.ts'
import type { FeedEvent, Lagged } from './event-feed.ts'
import { readPage } from './event-table.ts'

const retryMs = 1000
const eventsAtOnce = 500
const maxRecent = 2000
/** followers that read the table at once: the others wait here, so that the connections remain free for other requests */
const readersAtOnce = 2

/** The next result for a follower, and its new position. */
interface Step {
  readonly lagged: boolean
  readonly events: readonly FeedEvent[]
  readonly seen: number
}

/**
 * The end of one topic, read once for all followers of this process: the latest events in memory, refreshed by announcements and polls. Followers
 * further behind read the table.
 */
export class TopicTail {
  readonly #database: Database
  readonly #topic: string
  readonly #pollEveryMs: number
  readonly #onError: (error: unknown) => void
  readonly #readers = new Semaphore(readersAtOnce)
  /** contiguous, up to #last */
  #recent: FeedEvent[] = []
  /** undefined until the first follower has reached the end */
  #last: number | undefined
  #followers = 0
  #poll: ReturnType<typeof setInterval> | undefined
  #refreshing = false
  #again = false
  readonly #waiting = new Set<() => void>()

  constructor(database: Database, topic: string, pollEveryMs: number, onError: (error: unknown) => void) {
    this.#database = database
    this.#topic = topic
    this.#pollEveryMs = pollEveryMs
    this.#onError = onError
  }

  announced(position: number): void {
    if (this.#last !== undefined && position > this.#last) this.#refresh()
  }

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<FeedEvent | Lagged> {
    this.#enter()
    try {
      // The first read uses the table, which alone knows whether the position is of this feed.
      let step = await this.#read(after, signal)
      while (!signal.aborted) {
        if (step.lagged) yield { type: 'lagged', position: (step.events[0]?.position ?? step.seen + 1) - 1 }
        for (const event of step.events) {
          if (signal.aborted) return
          yield event
        }
        if (step.seen === this.#last) await this.#change(signal)
        step = this.#remembered(step.seen) ?? (await this.#read(step.seen, signal))
      }
    } finally {
      this.#leave()
    }
  }

  /** Returns the events in memory after the position, or undefined if the table must be read. */
  #remembered(seen: number): Step | undefined {
    const first = this.#recent[0]?.position
    if (this.#last === undefined || seen > this.#last || (seen < this.#last && (first === undefined || first > seen + 1))) return undefined
    return { lagged: false, events: first === undefined ? [] : this.#recent.slice(seen + 1 - first), seen: this.#last }
  }

  async #read(seen: number, signal: AbortSignal): Promise<Step> {
    for (; !signal.aborted; await pause(retryMs, signal)) {
      try {
        const page = () => readPage(this.#database, this.#topic, seen, eventsAtOnce)
        const { last, events } = await this.#readers.hold(page, signal)
        if (events.length < eventsAtOnce) this.#last ??= last
        const [first] = events
        if (first === undefined) return { lagged: last !== seen, events, seen: last }
        return { lagged: first.position > seen + 1, events, seen: events.at(-1)?.position ?? seen }
      } catch (error) {
        if (!signal.aborted) this.#onError(error)
      }
    }
    return { lagged: false, events: [], seen }
  }

  #refresh(): void {
    this.#again = true
    if (this.#refreshing) return
    this.#refreshing = true
    this.#readOn()
      .catch(this.#onError)
      .finally(() => {
        this.#refreshing = false
      })
  }

  async #readOn(): Promise<void> {
    while (this.#again && this.#last !== undefined) {
      this.#again = false
      const from = this.#last
      const { events } = await readPage(this.#database, this.#topic, from, eventsAtOnce)
      const [first, last] = [events[0], events.at(-1)]
      if (first === undefined || last === undefined || this.#last !== from) continue
      this.#recent = (first.position === from + 1 ? [...this.#recent, ...events] : [...events]).slice(-maxRecent)
      this.#last = last.position
      this.#again ||= events.length === eventsAtOnce
      for (const wake of [...this.#waiting]) wake()
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      if (signal.aborted) return resolve()
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  #enter(): void {
    this.#followers++
    this.#poll ??= setInterval(() => this.#refresh(), this.#pollEveryMs)
  }

  #leave(): void {
    if (--this.#followers > 0) return
    clearInterval(this.#poll)
    this.#poll = undefined
    this.#recent = []
    this.#last = undefined
  }
}
