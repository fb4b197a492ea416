import { type AnalyticsEventKind, analyticsTopic, expressionEventKinds, votesTopic } from '../../engines/analytics-store/analytics-store.ts'
import type { EventFeed, FeedEvent } from '../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../engines/event-feed/follow-in-batches.ts'
import type { KeyValue } from '../../engines/key-value/key-value.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { EntityCache } from '../../gateway/caching/entity-cache.ts'
import type { Executor } from '../../gateway/executor/executor.ts'
import { type ExplorationEventKind, statisticsTopics } from '../../subgraphs/exploration/index.ts'

/** A cache of entities of the own graph, invalidated by the event feed. */
export interface CachedEntities {
  readonly cache: EntityCache
  /** follows the feed; entities cached before its start are invalid */
  readonly part: Part
  /** Wraps an executor so that mutations resolve after the changed entities are invalidated. */
  readAfterWrites(executor: Executor): Executor
}

/** maximum wait of a mutation for the invalidation; then every entity is invalidated */
const caughtUpMs = 1000
const waits = { gatherMs: 5, idleMs: 1000, retryMs: 500 }
const maxEvents = 500

const expressionEvents: ReadonlySet<string> = new Set(expressionEventKinds)
/** Events after which many domains have changed. */
const domainEvents: ReadonlySet<string> = new Set<ExplorationEventKind | AnalyticsEventKind>(['domains_changed', 'taxonomy_changed'])
const everything = ['Expression', 'Domain'] as const

/** @param store - shared by all replicas */
export function cachedEntities(feed: EventFeed, store: KeyValue, log: Log): CachedEntities {
  const cache = new EntityCache({ store, log })
  const topics = [analyticsTopic, votesTopic, ...statisticsTopics]
  /** by topic: position up to which changed entities have been invalidated */
  const forgottenTo = new Map<string, number>()
  const stopping = new AbortController()
  let moved = Promise.withResolvers<void>()
  let following: Promise<unknown> = Promise.resolve()

  const forgetAll = async (): Promise<void> => void (await Promise.all(everything.map((type) => cache.invalidate({ type }))))
  const forget = async (events: readonly FeedEvent[]): Promise<void> => {
    const ids = new Set(events.filter(({ kind }) => expressionEvents.has(kind)).map(({ id }) => id))
    const changesDomains = events.some(({ kind }) => domainEvents.has(kind))
    await Promise.all([
      ...[...ids].map((id) => cache.invalidate({ type: 'Expression', key: { id } })),
      ...(changesDomains ? [cache.invalidate({ type: 'Domain' })] : []),
    ])
  }
  const follow = (topic: string): Promise<unknown> =>
    followInBatches(
      feed,
      {
        ...waits,
        topic,
        maxEvents,
        async begin() {
          const from = await feed.position(topic, stopping.signal)
          // covers events before this process followed the feed
          await forgetAll()
          reached(topic, from)
          return from
        },
        async take({ events, lagged }) {
          await (lagged ? forgetAll() : forget(events))
          const last = events.at(-1)
          if (last !== undefined) reached(topic, last.position)
          return undefined
        },
        onError: (error) =>
          log.warn({ cause: messageOf(error) }, 'cannot follow entity changes; cached entities expire by their time to live'),
      },
      stopping.signal,
    )
  const reached = (topic: string, position: number): void => {
    forgottenTo.set(topic, position)
    moved.resolve()
    moved = Promise.withResolvers<void>()
  }
  const caughtUp = async (): Promise<void> => {
    const positions = await Promise.all(topics.map(async (topic) => [topic, await feed.position(topic, stopping.signal)] as const))
    while (!positions.every(([topic, position]) => (forgottenTo.get(topic) ?? -1) >= position)) await moved.promise
  }

  return {
    cache,
    part: {
      name: 'kept entities',
      async start() {
        following = Promise.all(topics.map(follow))
      },
      async stop() {
        stopping.abort()
        await following
      },
    },
    readAfterWrites: (executor) => ({
      ...executor,
      async execute(operation, variables, context, delivery) {
        const answer = await executor.execute(operation, variables, context, delivery)
        if (operation.kind !== 'mutation') return answer
        const timeoutError = (): Error => new Error(`the feed was not read in ${caughtUpMs} ms`)
        await withTimeout(caughtUp(), caughtUpMs, stopping.signal, timeoutError)
          .catch(forgetAll)
          .catch(() => undefined)
        return answer
      },
    }),
  }
}
