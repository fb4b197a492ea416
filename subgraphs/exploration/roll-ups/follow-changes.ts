import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { rollUp } from '../tables.ts'
import { applyChanges } from './apply-changes.ts'
import {
  type ExplorationEventKind,
  explorationTopic,
  follower,
  lockState,
  type RollUpEngines,
  readState,
  rolledTaxonomy,
  tilesOf,
} from './roll-up-state.ts'

/** maximum interval between commits under load, and maximum delay of a new expression */
const gatherMs = 300
const maxEvents = 2000
const retryMs = 500
/** interval at which a rebuild by another process is detected */
const idleMs = 1000

/**
 * Counts changes: events, roll-ups and cursor are updated in one transaction, so each change counts exactly once despite interruptions and
 * concurrent workers.
 * @returns 'stopped' when the signal is aborted; 'lost' when the roll-ups must be rebuilt
 */
export async function followChanges(engines: RollUpEngines, log: Log, signal: AbortSignal): Promise<'lost' | 'stopped'> {
  const { database, feed } = engines
  let generation = -1
  const follow = (): Promise<'lost' | 'moved' | undefined> =>
    followInBatches(
      feed,
      {
        topic: analyticsTopic,
        gatherMs,
        maxEvents,
        idleMs,
        retryMs,
        async begin() {
          const state = await readState(database.orm)
          generation = state?.generation ?? -1
          return state?.position ?? 'lost'
        },
        async take({ events, lagged }) {
          if (lagged) return 'lost'
          const isThere =
            events.length > 0 ? await countBatch(engines, generation, events) : (await readState(database.orm))?.generation === generation
          return isThere ? undefined : 'moved'
        },
        onError(error) {
          if (error instanceof EngineUnavailable) log.debug({ err: error }, 'the roll-ups wait for the database')
          else log.error({ err: error }, 'changes could not be applied to the roll-ups; retrying')
        },
      },
      signal,
    )
  for (;;) {
    const outcome = await follow()
    // another process has moved the position of the roll-ups: continue from there
    if (outcome !== 'moved') return outcome ?? 'stopped'
  }
}

/** @returns false when the roll-ups are not at the start of this batch */
async function countBatch(
  { database, feed, expressions }: RollUpEngines,
  generation: number,
  batch: readonly FeedEvent[],
): Promise<boolean> {
  const [first, last] = [batch[0], batch.at(-1)]
  if (first === undefined || last === undefined) return true
  const counted = await database.transaction(async (tx) => {
    const state = await lockState(tx)
    if (state?.generation !== generation || state.position < first.position - 1) return { goesOn: false, announced: undefined }
    const open = batch.filter(({ position }) => position > state.position)
    if (open.length === 0) return { goesOn: true, announced: undefined }
    const ids = new Set(open.filter(({ kind }) => kind.startsWith('expression_')).map(({ id }) => id))
    const { changed, positions } = await applyChanges(tx, expressions, [...ids], state.timezone)
    const renamed = open.some(({ kind }) => kind === 'taxonomy_changed')
    const isNew = changed || renamed
    await tx
      .update(rollUp)
      .set({
        position: last.position,
        ...(isNew ? { version: last.position, changedAt: sql`clock_timestamp()` } : {}),
        ...(renamed ? rolledTaxonomy(await expressions.taxonomy(tx)) : {}),
      })
      .where(eq(rollUp.isOnly, true))
    await feed.advance(tx, follower, analyticsTopic, last.position)
    const tiles = tilesOf(positions)
    const events: { kind: ExplorationEventKind; id: string }[] = isNew
      ? [
          { kind: 'statistics_changed', id: '' },
          { kind: 'domains_changed', id: '' },
        ]
      : []
    if (tiles.length > 0) events.push({ kind: 'map_invalidated', id: tiles.join(' ') })
    return { goesOn: true, announced: events.length === 0 ? undefined : await feed.append(tx, explorationTopic, events) }
  })
  if (counted.announced !== undefined) feed.announce(explorationTopic, counted.announced)
  return counted.goesOn
}
