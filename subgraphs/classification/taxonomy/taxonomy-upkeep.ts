import { type AnalyticsStore, analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { SentimentModel } from '../analysis/sentiment/sentiment-model.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import { seedTaxonomy } from './synchronise-taxonomy.ts'

const retryMs = 1000
/** how long a start waits for training, so that the first expression need not; the start continues when an engine is unavailable */
const startLimitMs = 10_000

/** Ensures that a taxonomy exists and is trained; propagates its changes to the model and the index. */
export function taxonomyUpkeep(
  parts: {
    readonly store: Pick<AnalyticsStore, 'readTaxonomy' | 'publishTaxonomy'>
    readonly topics: TopicTrainer
    readonly sentiment: SentimentModel
    readonly feed: EventFeed
    readonly log: Log
  },
  synchronise: (signal: AbortSignal) => Promise<unknown>,
): Part {
  const { store, topics, sentiment, feed, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const trainedOrUnavailable = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  const untilDone = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work()
        return
      } catch (error) {
        log.debug({ what, err: error }, 'to be tried again')
        trainedOrUnavailable.resolve()
        await pause(retryMs, signal)
      }
    }
  }
  const bringUp = async (): Promise<void> => {
    await Promise.all([untilDone('model', () => topics.refresh()), untilDone('sentiment', sentiment)])
    log.info('the taxonomy is loaded')
    trainedOrUnavailable.resolve()
    await untilDone('index', () => synchronise(signal))
  }
  let isStale = false
  let bringing: Promise<void> | undefined
  const whileStale = async (): Promise<void> => {
    for (; isStale && !signal.aborted; await bringUp()) isStale = false
    bringing = undefined
  }
  /** A synchronisation changes many domains at once: changes that arrive during an update are applied together afterwards. */
  const changed = (): void => {
    isStale = true
    bringing ??= whileStale()
  }
  const follow = async (): Promise<void> => {
    await untilDone('taxonomy', () => seedTaxonomy(store))
    let from = 0
    await untilDone('position', async () => {
      from = await feed.position(analyticsTopic, signal)
    })
    await bringUp()
    for await (const event of feed.follow(analyticsTopic, from, signal))
      if (event.type === 'lagged' || event.kind === 'taxonomy_changed') changed()
    await bringing
  }
  return {
    name: 'taxonomy upkeep',
    async start(starting) {
      running = follow()
      await Promise.race([trainedOrUnavailable.promise, pause(startLimitMs, AbortSignal.any([starting, signal]))])
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
