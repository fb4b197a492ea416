import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed, FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { type SearchIndex, searchIndexFollower } from '../../../engines/search-index/search-index.ts'
import { rfc3339 } from '../../../foundation/clock.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { recordIndexTimes } from '../expression/expression-identities.ts'
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
 * Updates these expressions in the index from the store, and records when it received them.
 * @param isYoung - whether ingestion may still be writing it
 * @returns the number of changes, and expressions to check again later
 */
async function bringUp(
  engines: FollowingEngines,
  ids: readonly string[],
  isYoung: (id: string) => boolean,
  signal: AbortSignal,
): Promise<{ readonly repaired: number; readonly young: readonly string[] }> {
  const { index, store, database, clock } = engines
  const records = await store.findExpressions(ids)
  const documents = [...(await index.find(ids)).values()].map((text) => ExpressionDocument.parse(JSON.parse(text)))
  const revisions = new Map(documents.map(({ id, revision }) => [id, revision]))
  const young = records.flatMap(({ id }) => (!revisions.has(id) && isYoung(id) ? [id] : []))
  const remaining = new Set(young)
  const stale = records.flatMap(({ id, enrichment }) => ((revisions.get(id) ?? -1) < enrichment.revision && !remaining.has(id) ? [id] : []))
  const living = new Set(records.map(({ id }) => id))
  const removed = ids.filter((id) => revisions.has(id) && !living.has(id))
  await copy(engines, stale, false, signal)
  engines.mayWrite()
  await index.remove(removed)
  const indexTimes = new Map(documents.flatMap(({ id, indexedAt }) => (living.has(id) && indexedAt !== null ? [[id, indexedAt]] : [])))
  for (const id of stale) indexTimes.set(id, rfc3339(clock.now()))
  await recordIndexTimes(database, indexTimes)
  return { repaired: stale.length + removed.length, young }
}

/** A change of an expression in the log. */
interface StoredChange {
  /** when the store had it, ms */
  readonly storedAt: number
  readonly position: number
}

/**
 * Follows the change log with a cursor of its own and checks each changed expression, so that no outage loses one. A failed batch is
 * retried before the cursor moves. Expressions that ingestion may still be writing are deferred to avoid double writes; if the process ends
 * meanwhile, the comparison at the next start finds them.
 * @param onLagged - called when the log no longer reaches back to the cursor: everything must be compared
 */
export async function followChanges(engines: FollowingEngines, signal: AbortSignal, onLagged: () => void): Promise<void> {
  const { feed, database, log, clock, waits = defaultIntervals } = engines
  /** deferred expressions in the order of the log; the store may have had them long after reception */
  const remaining = new Map<string, StoredChange>()
  const isYoung = (change: StoredChange | undefined): boolean => (change?.storedAt ?? 0) > clock.now() - waits.intakeMs
  const addDue = (looked: Map<string, StoredChange>): void => {
    for (const [id, change] of remaining) if (!isYoung(change) && !looked.has(id) && looked.size < maxLooked) looked.set(id, change)
  }
  let read = 0
  let saved = 0
  /** Saves up to which change the index contains everything: the cursor does not pass a deferred expression. */
  const advance = async (): Promise<void> => {
    const [first] = remaining.values()
    const reached = first === undefined ? read : Math.min(read, first.position - 1)
    if (reached <= saved) return
    await database.transaction((tx) => feed.advance(tx, searchIndexFollower, analyticsTopic, reached))
    saved = reached
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
      async begin() {
        saved = await feed.readCursor(searchIndexFollower, analyticsTopic)
        return saved
      },
      async take({ events, lagged }) {
        if (lagged) onLagged()
        const looked = new Map<string, StoredChange>()
        for (const { id, at, position } of events.filter(isChange))
          if (!looked.has(id)) looked.set(id, remaining.get(id) ?? { storedAt: at.getTime(), position })
        addDue(looked)
        if (looked.size > 0) {
          const { repaired, young } = await bringUp(engines, [...looked.keys()], (id) => isYoung(looked.get(id)), signal)
          const deferred = new Set(young)
          for (const [id, change] of looked) {
            if (deferred.has(id)) remaining.set(id, change)
            else remaining.delete(id)
          }
          // prose: mend: the log field keeps its name
          if (repaired > 0) log.info({ looked: looked.size, mended: repaired }, 'the search index was updated from the store')
        }
        read = events.at(-1)?.position ?? read
        await advance()
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
