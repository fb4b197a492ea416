import { messageOf } from '../../../subgraphs/foundation/fault.ts'
import { pause } from '../../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import { MissedEvents } from '../../live/missed-events.ts'
import { RecentEvents } from '../../live/recent-events.ts'
import type { StreamClient } from './client.ts'
import type { StreamMetrics } from './metrics.ts'
import type { ExpressionFrame, ExpressionSource } from './source.ts'

const retryMs = 1000
const replayedAtOnce = 100

/** The clients of /ws in this process, and what they are told: one reading of the source for all of them. */
export class Audience {
  readonly clients = new Set<StreamClient>()
  readonly #source: ExpressionSource
  readonly #recent: RecentEvents<ExpressionFrame>
  readonly #missed: MissedEvents<ExpressionFrame>
  readonly #metrics: StreamMetrics
  readonly #log: Log
  readonly #signal: AbortSignal

  /** @param kept - events in memory for clients that come back   @param signal - aborted when the channel stops */
  constructor(options: {
    readonly source: ExpressionSource
    readonly kept: number
    readonly metrics: StreamMetrics
    readonly log: Log
    readonly signal: AbortSignal
  }) {
    this.#source = options.source
    this.#recent = new RecentEvents(options.kept)
    this.#missed = new MissedEvents(options.source, this.#recent, options.signal)
    this.#metrics = options.metrics
    this.#log = options.log
    this.#signal = options.signal
  }

  /** seq of the last event that this process knows */
  get last(): number {
    return this.#recent.last
  }

  /** From now on it hears what it wants. */
  add(client: StreamClient): void {
    this.clients.add(client)
    this.#metrics.clients(this.clients.size)
  }

  remove(client: StreamClient): void {
    this.clients.delete(client)
    this.#metrics.clients(this.clients.size)
  }

  /** Tells everybody what comes. What happens while nobody listens is in the source for those that come back. */
  async follow(over: AbortSignal, ready: () => void): Promise<void> {
    for (; !over.aborted; await pause(retryMs, over)) {
      try {
        const { seq } = await this.#source.state(over)
        this.#recent.restart(seq)
        break
      } catch (error) {
        this.#log.debug({ reason: messageOf(error) }, 'the stream of expressions is not there yet')
      }
    }
    ready()
    for await (const event of over.aborted ? [] : this.#source.expressions(this.#recent.last, over)) {
      if (event.kind === 'lagged') {
        this.#recent.restart(event.seq)
        for (const client of this.clients) if (!client.isResuming) client.say('lagged', event.seq, { dropped: null })
      } else if (this.#recent.add(event)) this.#tell(event)
    }
  }

  #tell(event: ExpressionFrame): void {
    let told = 0
    for (const client of this.clients) if (client.tell(event)) told += 1
    this.#metrics.told(told)
  }

  /** Tells a client everything after a place that it wants, as fast as it reads, until there is no more: from then on it hears the rest live. */
  async resume(client: StreamClient, from: number): Promise<void> {
    client.isResuming = true
    try {
      let events: readonly ExpressionFrame[] | undefined
      let seen = from
      await this.#missed.after(from, (found) => {
        events = found
      })
      // another replica may be ahead of this one; a place that nobody has reached is of another feed
      if (from > this.#recent.last && from > (await this.#source.state(this.#signal)).seq) events = undefined
      for (;;) {
        if (events === undefined) {
          client.say('lagged', this.#recent.last, { dropped: null })
          return
        }
        if (events.length === 0) return
        for (let start = 0; start < events.length; start += replayedAtOnce) {
          for (const event of events.slice(start, start + replayedAtOnce)) if (client.wants(event)) client.write(event.frame)
          if (!(await client.room())) return
        }
        seen = events.at(-1)?.seq ?? seen
        events = this.#recent.since(seen)
      }
    } finally {
      client.isResuming = false
    }
  }
}
