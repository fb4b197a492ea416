import { analyticsTopic } from '../engines/analytics-store/analytics-store.ts'
import type { EventFeed } from '../engines/event-feed/event-feed.ts'
import type { Database } from '../engines/relational/database.ts'
import { rfc3339 } from '../foundation/clock.ts'
import { EngineUnavailable } from '../foundation/fault.ts'
import { type Part, pause } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import { ExpressionDocument } from './expression-document.ts'
import type { ExpressionSources } from './find-expressions.ts'
import { indexedOf } from './records.ts'

const follower = 'search-index'
const idsAtOnce = 200
const gatherMs = 200
const retryMs = 1000

/** Makes the index say about these expressions what the store says. @returns how many had to be put or removed */
export async function reconcile({ index, store }: ExpressionSources, model: string, ids: readonly string[]): Promise<number> {
  const [records, documents] = [await store.findExpressions(ids), await index.find(ids)]
  const revisions = new Map([...documents].map(([id, text]) => [id, ExpressionDocument.parse(JSON.parse(text)).revision]))
  const stale = records.filter(({ id, enrichment }) => revisions.get(id) !== enrichment.revision)
  const living = new Set(records.map(({ id }) => id))
  const gone = ids.filter((id) => revisions.has(id) && !living.has(id))
  const at = rfc3339(Date.now())
  if (stale.length > 0) await index.put(stale.map((record) => indexedOf(record, at, model)))
  if (gone.length > 0) await index.remove(gone)
  return stale.length + gone.length
}

/**
 * Follows the change log and mends what the index lacks, from a cursor of its own: whatever was away meanwhile, each change is looked at.
 * A batch that fails is tried again until it works.
 */
export function indexFollower(
  engines: ExpressionSources & { readonly model: string; readonly database: Database; readonly feed: EventFeed; readonly log: Log },
): Part {
  const { feed, database, log } = engines
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let waiting = new Set<string>()
  let seen = 0

  const flush = async (): Promise<void> => {
    const ids = [...waiting]
    const upTo = seen
    waiting = new Set()
    while (!stopping.signal.aborted) {
      try {
        const mended = ids.length === 0 ? 0 : await reconcile(engines, engines.model, ids)
        if (mended > 0) log.info({ looked: ids.length, mended }, 'the search index was brought up to the store')
        await database.transaction((tx) => feed.advance(tx, follower, analyticsTopic, upTo))
        return
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) log.error({ err: error }, 'the search index could not be compared; trying on')
        await pause(retryMs, stopping.signal)
      }
    }
  }
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        seen = await feed.readCursor(follower, analyticsTopic)
        break
      } catch {
        await pause(retryMs, stopping.signal)
      }
    }
    let flushing: Promise<void> | undefined
    const later = (): void => {
      flushing ??= pause(gatherMs, stopping.signal)
        .then(flush)
        .finally(() => {
          flushing = undefined
          if (waiting.size > 0 && !stopping.signal.aborted) later()
        })
    }
    for await (const event of feed.follow(analyticsTopic, seen, stopping.signal)) {
      if (event.type === 'lagged') continue
      seen = event.position
      if (event.kind.startsWith('expression_') && event.kind !== 'expression_voted') waiting.add(event.id)
      if (waiting.size >= idsAtOnce) await (flushing ?? flush())
      else if (waiting.size > 0) later()
    }
    await flushing
  }
  return {
    name: 'search index follower',
    async start() {
      running = follow()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
