import { NewerFormat } from '../../foundation/health/newer-format.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { type EventFeed, eventFormat, type FeedEvent } from './event-feed.ts'

/** What has come since the last batch, in order; nothing when it was quiet for `idleMs`. */
export interface EventBatch {
  readonly events: readonly FeedEvent[]
  /** events right before these were pruned, or the position was not of this feed: a follower that needs them reads the state itself */
  readonly lagged: boolean
}

/** Follows one topic, batch after batch, one at a time: while one is worked on, the next gathers. */
export interface BatchFollower<Outcome> {
  readonly topic: string
  /** how long the first event of a batch waits for others, unless there are `maxEvents` already */
  readonly gatherMs: number
  readonly maxEvents: number
  /** after so long without an event comes an empty batch */
  readonly idleMs: number
  /** how long after a failure it goes on */
  readonly retryMs: number
  /**
   * Where it stands: the position that it has last saved, asked at the beginning and again after each failure.
   * @returns anything but a number to end the following
   */
  readonly begin: () => Promise<number | Outcome>
  /**
   * Works on a batch and saves its last position, best in the transaction that holds what was made of it: then each event counts exactly
   * once, however often this is interrupted. A batch that fails comes again, perhaps with more.
   * @returns anything but undefined to end the following
   */
  readonly take: (batch: EventBatch) => Promise<Outcome | undefined>
  readonly onError: (error: unknown) => void
  /** the newest that `take` can read; default: that of this release */
  readonly format?: number
}

/**
 * @returns what ended it, undefined when the signal was aborted
 * @throws {NewerFormat} right before an event that only a newer release can read; nothing else
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
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
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
      // what is not read yet stays where it is
      await batch.taken.promise
    }
  })().catch((error: unknown) => {
    failure = { error }
    batch.begun.abort()
  })
  const end = (): void => {
    batch.begun.abort()
    batch.full.abort()
    batch.taken.resolve()
  }
  until.addEventListener('abort', end, { once: true })
  try {
    while (!until.aborted) {
      await pause(idleMs, batch.begun.signal)
      // what came before it first
      if (failure !== undefined && batch.events.length === 0) throw failure.error
      if (batch.begun.signal.aborted) await pause(gatherMs, batch.full.signal)
      if (until.aborted) return
      const { events, lagged, taken } = batch
      batch = gathering()
      taken.resolve()
      yield { events, lagged }
    }
  } finally {
    over.abort()
    until.removeEventListener('abort', end)
    await reading
  }
}

interface Gathering {
  readonly events: FeedEvent[]
  lagged: boolean
  readonly begun: AbortController
  readonly full: AbortController
  readonly taken: PromiseWithResolvers<void>
}

const gathering = (): Gathering => ({
  events: [],
  lagged: false,
  begun: new AbortController(),
  full: new AbortController(),
  taken: Promise.withResolvers<void>(),
})
