import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed, FeedEvent, Lagged } from '../../../engines/event-feed/event-feed.ts'
import { FairQueue } from '../../../foundation/concurrency/fair-queue.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { type ExpressionFilter, matchesExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { type ExpressionSources, latestExpressions } from '../search/find-expressions.ts'
import type { RecentIndexTimes } from '../search/recently-indexed.ts'
import { type StreamedExpression, StreamListener } from './stream-listener.ts'

export interface StreamRequest {
  readonly filter: ExpressionFilter
  /** whether changed expressions are emitted as well */
  readonly updates: boolean
  /** whether withdrawals are emitted; the filter does not apply, because the content is erased */
  readonly withdrawals: boolean
  /** the last position received; undefined yields only new events */
  readonly after: number | undefined
  /** address of the client: listeners that resume take turns by it */
  readonly address?: string | undefined
}

/** Reads of earlier events: one at a time in a process, so that many listeners that resume at different positions delay no other request. */
const resumptions = new FairQueue({ maxAtOnce: 1, maxPerOwner: Infinity, maxWaiting: Infinity, maxWaitMs: Infinity })
/** earlier events that are looked up in one turn */
const eventsInTurn = 100

/** The shared subscription to the feed. */
interface Hub {
  readonly stop: AbortController
  /** the position after which all events are emitted */
  readonly begun: Promise<number>
}

const kinds: Readonly<Record<string, 'added' | 'updated' | 'withdrawn'>> = {
  expression_added: 'added',
  expression_updated: 'updated',
  expression_withdrawn: 'withdrawn',
}
const eventsAtOnce = 500
/** batching interval for lookups of single events */
const gatherMs = 10
const retryMs = 500

interface StreamEngines extends ExpressionSources {
  readonly feed: EventFeed
  readonly topics: Pick<TopicTrainer, 'tree'>
  /** what ingestion in this process has put into the index */
  readonly recent: RecentIndexTimes
  readonly log: Log
}

/**
 * Streams expressions as they are written, in the order of the change log, at least once each. One subscription to the feed serves all
 * listeners of this process; each listener has a filter, evaluated in memory.
 */
export class ExpressionStream {
  readonly #engines: StreamEngines
  readonly #listeners = new Set<StreamListener>()
  #hub: Hub | undefined
  /** position up to which everything was emitted */
  #emitted = 0

  constructor(engines: StreamEngines) {
    this.#engines = engines
  }

  /**
   * Starts with `lagged` when events after `after` are no longer available or the position belongs to another feed.
   * @throws {EngineUnavailable} at the start
   */
  async *follow(request: StreamRequest, signal: AbortSignal): AsyncGenerator<StreamedExpression> {
    const { after, address } = request
    const listener = new StreamListener((event) => isWanted(request, event), after)
    try {
      const until = await this.#join(listener)
      if (after !== undefined) yield* this.#past(listener, { after, until, address }, signal)
      yield* listener.events(signal)
    } finally {
      this.#leave(listener)
    }
  }

  /** @returns the position after which the listener receives everything */
  async #join(listener: StreamListener): Promise<number> {
    const hub = this.#hub ?? this.#begin()
    this.#hub = hub
    this.#listeners.add(listener)
    const emitted = this.#emitted
    return Math.max(emitted, await hub.begun)
  }

  #leave(listener: StreamListener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#hub?.stop.abort()
    this.#hub = undefined
  }

  #begin(): Hub {
    const stop = new AbortController()
    this.#emitted = 0
    const hub: Hub = { stop, begun: this.#engines.feed.position(analyticsTopic, stop.signal) }
    hub.begun
      .then((from) => this.#deliver(from, stop.signal))
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        this.#engines.log.warn({ reason: messageOf(error) }, 'the expression stream was interrupted')
        if (this.#hub === hub) this.#hub = undefined
        for (const listener of this.#listeners) listener.end()
      })
    return hub
  }

  async #deliver(from: number, signal: AbortSignal): Promise<void> {
    for await (const batch of gathered(this.#engines.feed.follow(analyticsTopic, from, signal), signal)) {
      if (batch.lagged) for (const listener of this.#listeners) listener.lag(Math.max(this.#emitted, (batch.events[0]?.position ?? 1) - 1))
      const events = await this.#lookUp(batch.events, signal)
      if (signal.aborted) return
      for (const event of events) for (const listener of this.#listeners) listener.add(event)
      this.#emitted = Math.max(this.#emitted, batch.upTo)
    }
  }

  /** Yields the events before the listener joined that match its filter. */
  async *#past(
    listener: StreamListener,
    { after, until, address }: { readonly after: number; readonly until: number; readonly address: string | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<StreamedExpression> {
    const lagged: StreamedExpression = { position: until, kind: 'lagged', dropped: null, document: null }
    if (after >= until) {
      // another replica may be ahead of this one; a position beyond all of them belongs to another feed
      if (after > (await this.#engines.feed.position(analyticsTopic, signal))) {
        listener.forget()
        yield lagged
      }
      return
    }
    const enoughController = new AbortController()
    const either = AbortSignal.any([signal, enoughController.signal])
    try {
      for await (const batch of gathered(this.#engines.feed.follow(analyticsTopic, after, either), either)) {
        if (batch.lagged) return yield lagged
        for (let start = 0; start < batch.events.length; start += eventsInTurn) {
          const events = batch.events.slice(start, start + eventsInTurn)
          const lookUp = () => this.#lookUp(events, either)
          for (const event of await resumptions.runAt(address, lookUp, either))
            if (event.position <= until && listener.wants(event)) yield event
        }
        if (batch.upTo >= until) return
      }
    } finally {
      enoughController.abort()
    }
  }

  /** Adds the current expressions to the events; withdrawn ones are omitted. Waits while the store is unavailable. */
  async #lookUp(events: readonly FeedEvent[], signal: AbortSignal): Promise<readonly StreamedExpression[]> {
    const streamed = events.flatMap(({ position, kind, id }) => (kinds[kind] === undefined ? [] : [{ position, kind: kinds[kind], id }]))
    const ids = new Set(streamed.flatMap(({ kind, id }) => (kind === 'withdrawn' ? [] : [id])))
    while (!signal.aborted) {
      try {
        const tree = await this.#engines.topics.tree()
        const latest = ids.size === 0 ? undefined : await latestExpressions(this.#engines, this.#engines.recent, [...ids])
        return streamed.flatMap(({ position, kind, id }): readonly StreamedExpression[] => {
          if (kind === 'withdrawn') return [{ position, kind, dropped: null, document: null, withdrawnId: id }]
          const document = latest?.get(id)
          if (document === undefined) return []
          const { domain, subDomain } = document.classification ?? {}
          const formerDomains = [domain, subDomain].flatMap((each) => (each == null ? [] : tree.formerOf(each.id)))
          return [{ position, kind, dropped: null, document, formerDomains }]
        })
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error
        await pause(retryMs, signal)
      }
    }
    return []
  }
}

function isWanted({ filter, updates, withdrawals }: StreamRequest, event: StreamedExpression): boolean {
  const { kind, document } = event
  if (document === null) return kind === 'withdrawn' && withdrawals
  const { classification, sentiment, lang, location, text } = document
  return (
    (updates || kind === 'added') &&
    matchesExpressionFilter(filter, {
      domain: classification?.domain?.id ?? null,
      subDomain: classification?.subDomain?.id ?? null,
      formerDomains: event.formerDomains,
      sentiment: sentiment?.label ?? null,
      lang: lang?.code ?? null,
      position: location,
      text,
    })
  )
}

interface Batch {
  /** events before these are missing */
  readonly lagged: boolean
  readonly events: readonly FeedEvent[]
  readonly upTo: number
}

/** Yields the events of a feed in batches: those that arrived while the previous batch was looked up. */
async function* gathered(feed: AsyncIterable<FeedEvent | Lagged>, signal: AbortSignal): AsyncGenerator<Batch> {
  let events: FeedEvent[] = []
  let lagged = false
  let wake: (() => void) | undefined
  let room: (() => void) | undefined
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  const pump = async (): Promise<void> => {
    for await (const event of feed) {
      if (event.type === 'lagged') lagged = true
      else events.push(event)
      wake?.()
      if (events.length >= eventsAtOnce)
        await new Promise<void>((resolve) => {
          room = resolve
        })
    }
  }
  pump()
    .catch((error: unknown) => {
      failure = { error }
    })
    .finally(() => {
      isOver = true
      wake?.()
    })
  const released = (): void => {
    room?.()
    wake?.()
  }
  signal.addEventListener('abort', released, { once: true })
  try {
    while (!signal.aborted) {
      if (events.length === 0 && !lagged) {
        if (failure !== undefined) throw failure.error
        if (isOver) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        await pause(gatherMs, signal)
        continue
      }
      const batch = { lagged, events, upTo: events.at(-1)?.position ?? 0 }
      events = []
      lagged = false
      room?.()
      yield batch
    }
  } finally {
    signal.removeEventListener('abort', released)
    room?.()
  }
}
