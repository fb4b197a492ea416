import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed, FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { type ComparedEngines, copy } from './compare-index.ts'
import { type UpkeepWaits, usualWaits } from './upkeep-waits.ts'

/** under this name the change log keeps what has not been looked at yet */
export const follower = 'search-index'
/** expressions that are looked at in one go: half of them new, the others left to the intake before */
const maxLooked = 1000

export interface FollowingEngines extends ComparedEngines {
  readonly index: SearchIndex
  readonly database: Database
  readonly feed: EventFeed
  readonly log: Log
  readonly waits?: UpkeepWaits
}

/**
 * Makes the index say about these expressions what the store says.
 * @param isYoung - whether the intake may still be putting it there
 * @returns how many had to be put or removed, and those that are not there yet and are to be looked at again
 */
async function bringUp(
  engines: FollowingEngines,
  ids: readonly string[],
  isYoung: (id: string) => boolean,
  signal: AbortSignal,
): Promise<{ readonly mended: number; readonly young: readonly string[] }> {
  const { index, store } = engines
  const [records, documents] = [await store.findExpressions(ids), await index.find(ids)]
  const revisions = new Map([...documents].map(([id, text]) => [id, ExpressionDocument.parse(JSON.parse(text)).revision]))
  const young = records.flatMap(({ id }) => (!revisions.has(id) && isYoung(id) ? [id] : []))
  const left = new Set(young)
  const stale = records.flatMap(({ id, enrichment }) => ((revisions.get(id) ?? -1) < enrichment.revision && !left.has(id) ? [id] : []))
  const living = new Set(records.map(({ id }) => id))
  const gone = ids.filter((id) => revisions.has(id) && !living.has(id))
  await copy(engines, stale, false, signal)
  engines.mayWrite()
  await index.remove(gone)
  return { mended: stale.length + gone.length, young }
}

/**
 * Follows the change log from a cursor of its own and looks at each expression that was changed: whatever was away meanwhile, none is
 * left out. A batch that fails is tried again until it works; only then does the cursor move. What the intake may still be putting there is
 * left to it for a while, so that it is not put twice; a process that ends meanwhile leaves it to the comparison with which the next begins.
 * @param onLagged - the log no longer reaches back to the cursor: everything has to be compared
 */
export async function followChanges(engines: FollowingEngines, signal: AbortSignal, onLagged: () => void): Promise<void> {
  const { feed, database, log, clock, waits = usualWaits } = engines
  /** left to the intake for a while: when the store had them, which may be long after they were received, since a language model is slow */
  const left = new Map<string, number>()
  const isYoung = (storedAt: number | undefined): boolean => (storedAt ?? 0) > clock.now() - waits.intakeMs
  const addDue = (looked: Map<string, number>): void => {
    for (const [id, storedAt] of left) if (!isYoung(storedAt) && !looked.has(id) && looked.size < maxLooked) looked.set(id, storedAt)
  }
  await followInBatches<never>(
    feed,
    {
      topic: analyticsTopic,
      gatherMs: waits.gatherMs,
      maxEvents: maxLooked / 2,
      // then those that were left to the intake are looked at
      idleMs: waits.gatherMs,
      retryMs: waits.retryMs,
      begin: () => feed.readCursor(follower, analyticsTopic),
      async take({ events, lagged }) {
        if (lagged) onLagged()
        const looked = new Map(events.filter(isChange).map(({ id, at }) => [id, at.getTime()]))
        addDue(looked)
        if (looked.size > 0) {
          const { mended, young } = await bringUp(engines, [...looked.keys()], (id) => isYoung(looked.get(id)), signal)
          for (const id of looked.keys()) left.delete(id)
          for (const id of young) left.set(id, looked.get(id) ?? 0)
          if (mended > 0) log.info({ looked: looked.size, mended }, 'the search index was updated from the store')
        }
        const last = events.at(-1)
        if (last !== undefined) await database.transaction((tx) => feed.advance(tx, follower, analyticsTopic, last.position))
        return undefined
      },
      onError(error) {
        if (!(error instanceof EngineUnavailable)) log.error({ err: error }, 'the search index could not be compared; retrying')
      },
    },
    signal,
  )
}

const isChange = ({ kind }: FeedEvent): boolean => kind.startsWith('expression_') && kind !== 'expression_voted'
