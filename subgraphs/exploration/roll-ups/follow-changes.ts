import { analyticsTopic, votesTopic } from '../../../engines/analytics-store/analytics-store.ts'
import { voteChangeIn } from '../../../engines/analytics-store/countable-expressions.ts'
import type { FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { rollUp } from '../tables.ts'
import { type AppliedChanges, applyChanges, applyVotes } from './apply-changes.ts'
import {
  type ExplorationEventKind,
  follower,
  lockState,
  type RollUpEngines,
  type RollUpState,
  readState,
  rolledTaxonomy,
  statisticsTopic,
  tilesOf,
} from './roll-up-state.ts'

/** maximum interval between commits under load, and maximum delay of a new expression */
const gatherMs = 300
const maxEvents = 2000
const retryMs = 500
/** interval at which a rebuild by another process is detected */
const idleMs = 1000

/** A topic that the roll-ups count. Its events may be counted before or after those of another topic. */
interface CountedTopic {
  readonly topic: string
  /** member of the state with the position up to which the topic is counted */
  readonly place: 'position' | 'votesPosition'
  /** Counts the next events. @returns with the taxonomy if it has changed */
  readonly count: (
    tx: Transaction,
    engines: RollUpEngines,
    state: RollUpState,
    events: readonly FeedEvent[],
  ) => Promise<AppliedChanges & { readonly taxonomy?: Partial<RollUpState> }>
}

const countedTopics: readonly CountedTopic[] = [
  {
    topic: analyticsTopic,
    place: 'position',
    async count(tx, { expressions }, { timezone }, events) {
      const idsOf = (isWanted: (kind: string) => boolean) => new Set(events.filter(({ kind }) => isWanted(kind)).map(({ id }) => id))
      const ids = idsOf((kind) => kind.startsWith('expression_'))
      // votes that processes of earlier releases have cast
      const voted = idsOf((kind) => kind === 'expression_voted')
      const applied = await applyChanges(tx, expressions, [...ids], timezone, voted)
      if (!events.some(({ kind }) => kind === 'taxonomy_changed')) return applied
      return { ...applied, changed: true, taxonomy: rolledTaxonomy(await expressions.taxonomy(tx)) }
    },
  },
  {
    topic: votesTopic,
    place: 'votesPosition',
    async count(tx, { feed, expressions }, { votesPosition }, events) {
      const details = await feed.detailsOf(tx, votesTopic, votesPosition, events.at(-1)?.position ?? votesPosition)
      const votes = details.flatMap(({ id, detail }) => (detail === null ? [] : [{ expressionId: id, voter: voteChangeIn(detail).voter }]))
      return applyVotes(tx, expressions, votes)
    },
  },
]

/**
 * Counts changes: events, roll-ups and cursor are updated in one transaction, so each change counts exactly once despite interruptions and
 * concurrent workers.
 * @returns 'stopped' when the signal is aborted; 'lost' when the roll-ups must be rebuilt
 */
export async function followChanges(engines: RollUpEngines, log: Log, signal: AbortSignal): Promise<'lost' | 'stopped'> {
  for (;;) {
    const endController = new AbortController()
    const until = AbortSignal.any([signal, endController.signal])
    const following = countedTopics.map((topic) => followTopic(engines, topic, log, until).finally(() => endController.abort()))
    await Promise.allSettled(following)
    const outcomes = await Promise.all(following)
    if (outcomes.includes('lost')) return 'lost'
    // another process has moved the position of the roll-ups: continue from there
    if (!outcomes.includes('moved')) return 'stopped'
  }
}

async function followTopic(
  engines: RollUpEngines,
  counted: CountedTopic,
  log: Log,
  signal: AbortSignal,
): Promise<'lost' | 'moved' | undefined> {
  const { database, feed } = engines
  const { topic, place } = counted
  let generation = -1
  return followInBatches(
    feed,
    {
      topic,
      gatherMs,
      maxEvents,
      idleMs,
      retryMs,
      async begin() {
        const state = await readState(database.orm)
        generation = state?.generation ?? -1
        return state?.[place] ?? 'lost'
      },
      async take({ events, lagged }) {
        if (lagged) return 'lost'
        const isThere =
          events.length > 0
            ? await countBatch(engines, counted, generation, events)
            : (await readState(database.orm))?.generation === generation
        return isThere ? undefined : 'moved'
      },
      onError(error) {
        if (error instanceof EngineUnavailable) log.debug({ err: error }, 'the roll-ups wait for the database')
        else log.error({ err: error }, 'changes could not be applied to the roll-ups; retrying')
      },
    },
    signal,
  )
}

/** @returns false when the roll-ups are not at the start of this batch */
async function countBatch(
  engines: RollUpEngines,
  { topic, place, count }: CountedTopic,
  generation: number,
  batch: readonly FeedEvent[],
): Promise<boolean> {
  const { database, feed } = engines
  const [first, last] = [batch[0], batch.at(-1)]
  if (first === undefined || last === undefined) return true
  const counted = await database.transaction(async (tx) => {
    const state = await lockState(tx)
    if (state?.generation !== generation || state[place] < first.position - 1) return { goesOn: false, announced: undefined }
    const open = batch.filter(({ position }) => position > state[place])
    if (open.length === 0) return { goesOn: true, announced: undefined }
    const { changed, positions, taxonomy } = await count(tx, engines, state, open)
    await feed.advance(tx, follower, topic, last.position)
    const announced = changed ? await feed.append(tx, statisticsTopic, eventsOf(tilesOf(positions)), state.version) : undefined
    await tx
      .update(rollUp)
      .set({
        [place]: last.position,
        ...(announced === undefined ? {} : { version: announced, changedAt: sql`clock_timestamp()` }),
        ...taxonomy,
      })
      .where(eq(rollUp.isOnly, true))
    return { goesOn: true, announced }
  })
  if (counted.announced !== undefined) feed.announce(statisticsTopic, counted.announced)
  return counted.goesOn
}

const eventsOf = (tiles: readonly string[]): readonly { readonly kind: ExplorationEventKind; readonly id: string }[] => [
  { kind: 'statistics_changed', id: '' },
  { kind: 'domains_changed', id: '' },
  ...(tiles.length === 0 ? [] : [{ kind: 'map_invalidated' as const, id: tiles.join(' ') }]),
]
