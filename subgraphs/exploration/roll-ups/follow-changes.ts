import { analyticsTopic } from '../../engines/analytics-store/analytics-store.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import type { Database } from '../../engines/relational/database.ts'
import { eq, sql } from '../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { rollUp } from '../tables.ts'
import { applyChanges } from './apply-changes.ts'
import {
  type ExplorationEventKind,
  explorationTopic,
  follower,
  lockState,
  type RollUpState,
  readDomains,
  readState,
  tilesOf,
} from './roll-up-state.ts'

/** commits are at most so far apart while there is work, and a new expression waits at most so long for others */
const gatherMs = 300
const maxEvents = 2000
const retryMs = 500
/** how soon it is seen that somebody else has built the roll-ups anew */
const lookEveryMs = 1000

export interface RollUpEngines {
  readonly database: Database
  readonly feed: EventFeed
  readonly log: Log
}

interface Change {
  readonly position: number
  readonly kind: string
  readonly id: string
}

/**
 * Counts what changes: events, roll-ups and cursor are one transaction, so each is counted once, however often this is interrupted and
 * however many do it.
 * @returns when the signal is aborted, or 'lost' when the roll-ups cannot go on from where they stand and have to be built anew
 */
export async function followChanges(engines: RollUpEngines, signal: AbortSignal): Promise<'lost' | 'stopped'> {
  const { database, log } = engines
  while (!signal.aborted) {
    const ended = new AbortController()
    try {
      const state = await readState(database.orm)
      if (state === undefined) return 'lost'
      const outcome = await followFrom(engines, state, AbortSignal.any([signal, ended.signal]))
      if (outcome !== 'moved') return outcome
    } catch (error) {
      if (signal.aborted) return 'stopped'
      if (error instanceof EngineUnavailable) log.debug({ err: error }, 'the roll-ups wait for the database')
      else log.error({ err: error }, 'changes could not be counted; trying on')
      await pause(retryMs, signal)
    } finally {
      ended.abort()
    }
  }
  return 'stopped'
}

/** @returns 'moved' when somebody else has put the roll-ups elsewhere */
async function followFrom(engines: RollUpEngines, state: RollUpState, until: AbortSignal): Promise<'lost' | 'stopped' | 'moved'> {
  const { database, feed } = engines
  let waiting: Change[] = []
  let lagged = false
  let failure: unknown
  let arrived = Promise.withResolvers<void>()
  void (async () => {
    for await (const event of feed.follow(analyticsTopic, state.position, until)) {
      if (event.type === 'lagged') {
        lagged = true
        break
      }
      waiting.push(event)
      arrived.resolve()
      // what is not read yet stays where it is
      while (waiting.length >= maxEvents && !until.aborted) await pause(gatherMs, until)
    }
  })()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => arrived.resolve())
  while (!until.aborted) {
    await Promise.race([arrived.promise, pause(lookEveryMs, until)])
    if (failure !== undefined) throw failure
    if (lagged) return 'lost'
    if (until.aborted) break
    if (waiting.length === 0) {
      if ((await readState(database.orm))?.generation !== state.generation) return 'moved'
      continue
    }
    await pause(gatherMs, until)
    const batch = waiting
    waiting = []
    arrived = Promise.withResolvers<void>()
    if (!(await countBatch(engines, state.generation, batch))) return 'moved'
  }
  return 'stopped'
}

/** @returns false when the roll-ups are not where this batch begins */
async function countBatch({ database, feed }: RollUpEngines, generation: number, batch: readonly Change[]): Promise<boolean> {
  const [first, last] = [batch[0], batch.at(-1)]
  if (first === undefined || last === undefined) return true
  const counted = await database.transaction(async (tx) => {
    const state = await lockState(tx)
    if (state?.generation !== generation || state.position < first.position - 1) return { goesOn: false, announced: undefined }
    const open = batch.filter(({ position }) => position > state.position)
    if (open.length === 0) return { goesOn: true, announced: undefined }
    const ids = new Set(open.filter(({ kind }) => kind.startsWith('expression_')).map(({ id }) => id))
    const { changed, positions } = await applyChanges(tx, [...ids], state.timezone)
    const renamed = open.some(({ kind }) => kind === 'taxonomy_changed')
    const isNew = changed || renamed
    await tx
      .update(rollUp)
      .set({
        position: last.position,
        ...(isNew ? { version: last.position, changedAt: sql`clock_timestamp()` } : {}),
        ...(renamed ? { taxonomy: await readDomains(tx) } : {}),
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
