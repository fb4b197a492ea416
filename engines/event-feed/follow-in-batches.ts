import { NewerFormat } from '../../foundation/health/newer-format.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { type EventFeed, eventFormat, type FeedEvent } from './event-feed.ts'

/** The events since the last batch, in order; empty after `idleMs` without events. */
export interface EventBatch {
  readonly events: readonly FeedEvent[]
  /** whether preceding events were pruned or the position was invalid: a follower that needs them reads the current state */
  readonly lagged: boolean
}

/** Processes one topic in batches, one at a time; the next batch gathers meanwhile. */
export interface BatchFollower<Outcome> {
  readonly topic: string
  /** how long the first event of a batch waits for others, unless `maxEvents` is reached */
  readonly gatherMs: number
  readonly maxEvents: number
  /** delay before an empty batch */
  readonly idleMs: number
  /** delay after a failure */
  readonly retryMs: number
  /** Returns the last saved position; called at the start and after each failure. @returns anything but a number to stop following */
  readonly begin: () => Promise<number | Outcome>
  /**
   * Processes a batch and saves its last position, ideally in one transaction, for exactly-once processing. A failed batch is repeated, possibly with
   * more events.
   * @returns anything but undefined to stop following
   */
  readonly take: (batch: EventBatch) => Promise<Outcome | undefined>
  readonly onError: (error: unknown) => void
  /** newest event format that `take` can read; default: that of this release */
  readonly format?: number
}

/**
 * @returns the value that stopped it, undefined if the signal was aborted
 * @throws {NewerFormat} before an event that only a newer release can read
 */
export async function followInBatches<Outcome>(
  feed: Pick<EventFeed, 'follow'>,
  follower: BatchFollower<Outcome>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  while (!signal.aborted) {
    try {
      const from = await follower.begin()
      if (typeof from !== 'number') return from
      for await (const batch of batchesAfter(from, feed, follower, signal)) {
        const outcome = await follower.take(batch)
        if (outcome !== undefined) return outcome
      }
    } catch (error) {
      if (signal.aborted) return undefined
      if (error instanceof NewerFormat) throw error
      follower.onError(error)
      await pause(follower.retryMs, signal)
    }
  }
  return undefined
}

async function* batchesAfter(
  position: number,
  feed: Pick<EventFeed, 'follow'>,
  { topic, gatherMs, maxEvents, idleMs, format = eventFormat }: Omit<BatchFollower<unknown>, 'begin' | 'take'>,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  const endController = new AbortController()
  const until = AbortSignal.any([signal, endController.signal])
  let batch = gathering()
  let failure: { readonly error: unknown } | undefined
  const reading = (async () => {
    for await (const event of feed.follow(topic, position, until)) {
      if (event.type === 'lagged') batch.lagged = true
      else if (event.format > format) throw new NewerFormat(`events of ${topic}`)
      else batch.events.push(event)
      batch.begun.abort()
      if (!batch.lagged && batch.events.length < maxEvents) continue
      batch.full.abort()
      // unread events stay in the feed
      await batch.accepted.promise
    }
  })().catch((error: unknown) => {
    failure = { error }
    batch.begun.abort()
  })
  const end = (): void => {
    batch.begun.abort()
    batch.full.abort()
    batch.accepted.resolve()
  }
  until.addEventListener('abort', end, { once: true })
  try {
    while (!until.aborted) {
      await pause(idleMs, batch.begun.signal)
      // events before the failure are processed first
      if (failure !== undefined && batch.events.length === 0) throw failure.error
      if (batch.begun.signal.aborted) await pause(gatherMs, batch.full.signal)
      if (until.aborted) return
      const { events, lagged, accepted } = batch
      batch = gathering()
      accepted.resolve()
      yield { events, lagged }
    }
  } finally {
    endController.abort()
    until.removeEventListener('abort', end)
    await reading
  }
}

interface Batch {
  readonly events: FeedEvent[]
  lagged: boolean
  readonly begun: AbortController
  readonly full: AbortController
  readonly accepted: PromiseWithResolvers<void>
}

const gathering = (): Batch => ({
  events: [],
  lagged: false,
  begun: new AbortController(),
  full: new AbortController(),
  accepted: Promise.withResolvers<void>(),
})
