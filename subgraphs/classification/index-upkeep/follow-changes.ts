import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed, FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { type SearchIndex, searchIndexFollower } from '../../../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { type ComparedEngines, copy } from './compare-index.ts'
import { defaultIntervals, type UpkeepIntervals } from './upkeep-intervals.ts'

/** expressions per batch: half new ones, half deferred ones */
const maxLooked = 1000

export interface FollowingEngines extends ComparedEngines {
  readonly index: SearchIndex
  readonly database: Database
  readonly feed: EventFeed
  readonly log: Log
  readonly waits?: UpkeepIntervals
}

/**
 * Updates these expressions in the index from the store.
 * @param isYoung - whether ingestion may still be writing it
 * @returns the number of changes, and expressions to check again later
 */
async function bringUp(
  engines: FollowingEngines,
  ids: readonly string[],
  isYoung: (id: string) => boolean,
  signal: AbortSignal,
): Promise<{ readonly repaired: number; readonly young: readonly string[] }> {
  const { index, store } = engines
  const [records, documents] = [await store.findExpressions(ids), await index.find(ids)]
  const revisions = new Map([...documents].map(([id, text]) => [id, ExpressionDocument.parse(JSON.parse(text)).revision]))
  const young = records.flatMap(({ id }) => (!revisions.has(id) && isYoung(id) ? [id] : []))
  const remaining = new Set(young)
  const stale = records.flatMap(({ id, enrichment }) => ((revisions.get(id) ?? -1) < enrichment.revision && !remaining.has(id) ? [id] : []))
  const living = new Set(records.map(({ id }) => id))
  const gone = ids.filter((id) => revisions.has(id) && !living.has(id))
  await copy(engines, stale, false, signal)
  engines.mayWrite()
  await index.remove(gone)
  return { repaired: stale.length + gone.length, young }
}

/**
 * Follows the change log with a cursor of its own and checks each changed expression, so that no outage loses one. A failed batch is
 * retried before the cursor moves. Expressions that ingestion may still be writing are deferred to avoid double writes; if the process ends
 * meanwhile, the comparison at the next start finds them.
 * @param onLagged - called when the log no longer reaches back to the cursor: everything must be compared
 */
export async function followChanges(engines: FollowingEngines, signal: AbortSignal, onLagged: () => void): Promise<void> {
  const { feed, database, log, clock, waits = defaultIntervals } = engines
  /** deferred expressions by the time at which the store had them, which may be long after reception */
  const remaining = new Map<string, number>()
  const isYoung = (storedAt: number | undefined): boolean => (storedAt ?? 0) > clock.now() - waits.intakeMs
  const addDue = (looked: Map<string, number>): void => {
    for (const [id, storedAt] of remaining) if (!isYoung(storedAt) && !looked.has(id) && looked.size < maxLooked) looked.set(id, storedAt)
  }
  await followInBatches<never>(
    feed,
    {
      topic: analyticsTopic,
      gatherMs: waits.gatherMs,
      maxEvents: maxLooked / 2,
      // then checks the deferred ones
      idleMs: waits.gatherMs,
      retryMs: waits.retryMs,
      begin: () => feed.readCursor(searchIndexFollower, analyticsTopic),
      async take({ events, lagged }) {
        if (lagged) onLagged()
        const looked = new Map(events.filter(isChange).map(({ id, at }) => [id, at.getTime()]))
        addDue(looked)
        if (looked.size > 0) {
          const { repaired, young } = await bringUp(engines, [...looked.keys()], (id) => isYoung(looked.get(id)), signal)
          for (const id of looked.keys()) remaining.delete(id)
          for (const id of young) remaining.set(id, looked.get(id) ?? 0)
          // prose: mend: the log field keeps its name
          if (repaired > 0) log.info({ looked: looked.size, mended: repaired }, 'the search index was updated from the store')
        }
        const last = events.at(-1)
        if (last !== undefined) await database.transaction((tx) => feed.advance(tx, searchIndexFollower, analyticsTopic, last.position))
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
