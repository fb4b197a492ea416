import { analyticsTopic } from '../../engines/analytics-store/analytics-store.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { SearchIndex } from '../../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { ExpressionDocument } from '../expression-document.ts'
import { type ComparedEngines, copy, intakeMs } from './compare-index.ts'

const follower = 'search-index'
const idsAtOnce = 500
/** to look for what is new takes the index longer than anything else, however little it is */
const gatherMs = 1500
const retryMs = 1000

export interface FollowingEngines extends ComparedEngines {
  readonly index: SearchIndex
  readonly database: Database
  readonly feed: EventFeed
  readonly log: Log
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
  const { feed, database, log } = engines
  /** when the store had them, which may be long after they were received: a language model is slow */
  let waiting = new Map<string, number>()
  /** left to the intake for a while */
  const left = new Map<string, number>()
  let seen = 0

  const isYoung = (storedAt: number | undefined): boolean => (storedAt ?? 0) > Date.now() - intakeMs
  const flush = async (): Promise<void> => {
    const looked = waiting
    const upTo = seen
    waiting = new Map()
    for (const [id, storedAt] of left)
      if (!isYoung(storedAt) && looked.size < 2 * idsAtOnce) {
        left.delete(id)
        if (!looked.has(id)) looked.set(id, storedAt)
      }
    if (looked.size === 0) return
    const ids = [...looked.keys()]
    while (!signal.aborted) {
      try {
        const { mended, young } = await bringUp(engines, ids, (id) => isYoung(looked.get(id)), signal)
        for (const id of young) left.set(id, looked.get(id) ?? 0)
        if (mended > 0) log.info({ looked: ids.length, mended }, 'the search index was brought up to the store')
        await database.transaction((tx) => feed.advance(tx, follower, analyticsTopic, upTo))
        return
      } catch (error) {
        if (!(error instanceof EngineUnavailable || signal.aborted))
          log.error({ err: error }, 'the search index could not be compared; trying on')
        await pause(retryMs, signal)
      }
    }
  }
  for (let known = false; !known && !signal.aborted; ) {
    try {
      seen = await feed.readCursor(follower, analyticsTopic)
      known = true
    } catch {
      await pause(retryMs, signal)
    }
  }
  let flushing: Promise<void> | undefined
  /** when there is as much as is looked at at once, nothing is won by waiting for more */
  let full = new AbortController()
  const hurry = (): void => {
    const due = [...left.values()].filter((storedAt) => !isYoung(storedAt)).length
    if (signal.aborted || waiting.size + due >= idsAtOnce) full.abort()
  }
  const later = (): void => {
    flushing ??= pause(gatherMs, full.signal)
      .then(() => {
        full = new AbortController()
        return flush()
      })
      .finally(() => {
        flushing = undefined
        if (waiting.size + left.size === 0 || signal.aborted) return
        hurry()
        later()
      })
  }
  signal.addEventListener('abort', hurry, { once: true })
  for await (const event of feed.follow(analyticsTopic, seen, signal)) {
    if (event.type === 'lagged') {
      onLagged()
      continue
    }
    seen = event.position
    if (event.kind.startsWith('expression_') && event.kind !== 'expression_voted') waiting.set(event.id, event.at.getTime())
    if (waiting.size + left.size > 0) later()
    if (waiting.size < idsAtOnce) continue
    hurry()
    await flushing
  }
  await flushing
}
