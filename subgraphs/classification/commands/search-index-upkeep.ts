import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { oneAtATime } from '../../../engines/relational/leadership/one-at-a-time.ts'
import { type IndexDrift, saveDrift } from '../../../engines/search-index/drift-report.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { systemClock } from '../../../foundation/clock.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import { compareIndex } from '../index-upkeep/compare-index.ts'
import { isBusy } from '../index-upkeep/index-reconciler.ts'
import { rebuildIndex } from '../index-upkeep/rebuild-index.ts'
import { StepRetries } from '../step-retries/step-retries.ts'

type OnProgress = (what: string, done: number) => void

export interface SearchIndexUpkeep {
  /** number of expressions in the store */
  readonly total: number
  /** @returns the differences; nothing is repaired */
  check(onProgress: OnProgress): Promise<IndexDrift>
  /** @returns the differences that arose meanwhile and were repaired  @throws {Fault} CONFLICT when another process is rebuilding */
  rebuild(onProgress: OnProgress): Promise<IndexDrift>
}

/**
 * Maintenance of the search index by an operator; all of it works beside a running platform.
 * @param engines - `model`: the encoder of the vectors in the index
 */
export async function searchIndexUpkeep(engines: {
  readonly database: Database
  readonly feed: EventFeed
  readonly index: SearchIndex
  readonly model: string
  /** the queue of expressions that are not stored yet */
  readonly queue: Pick<MessageQueue, 'depth' | 'oldestAgeMs'>
  readonly signal: AbortSignal
}): Promise<SearchIndexUpkeep> {
  const { database, feed, index, model, queue, signal } = engines
  const busy = () => isBusy(queue, signal)
  const compared = {
    index,
    model,
    clock: systemClock,
    store: postgresAnalyticsStore<ExpressionDocument>({ database, feed }),
    retries: new StepRetries(database),
    mayWrite: () => undefined,
  }
  const options = async (onProgress: OnProgress) => ({
    queueIsBusy: await busy(),
    isBusy: busy,
    signal,
    onProgress: (drift: IndexDrift) => onProgress('compared', drift.compared),
  })
  const saved = async (drift: IndexDrift): Promise<IndexDrift> => {
    await saveDrift(database, index.engine, drift)
    return drift
  }
  return {
    total: await compared.store.countExpressions(),
    check: async (onProgress) => saved(await compareIndex(compared, { ...(await options(onProgress)), repair: false })),
    rebuild: (onProgress) =>
      // concurrent rebuilds would remove each other's index
      oneAtATime(database, 'search index rebuild', 'The search index is already being rebuilt', async (lease) =>
        saved(
          await rebuildIndex({ ...compared, mayWrite: lease.check }, await options(onProgress), (filled) => onProgress('filled', filled)),
        ),
      ),
  }
}
