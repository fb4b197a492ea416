import { verificationTopic } from '../../../engines/citizen-data/citizen-outcomes.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import { type LeaderWaits, leader } from '../../../engines/relational/leadership/leader.ts'
import { fenced } from '../../../engines/relational/leadership/lease.ts'
import { compose, type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { applyStoredOutcomes, isRegisterBuilt, type RegisterSources, rebuildRegister } from './rebuild-register.ts'
import { applyOutcomes, expireCitizens, holdRegister, removeOldOutcomes } from './write-register.ts'

/** name of the cursor in the event feed */
const follower = 'citizen register'
const expireEveryMs = 60_000

export interface RegisterUpkeep extends RegisterSources {
  readonly feed: EventFeed
  readonly log: Log
  readonly waits?: LeaderWaits
}

/**
 * Creates the upkeep of the register: fills it once with what was stored before, follows the outcomes of component A, and ends expired verifications.
 * One replica follows; the others wait to take over.
 */
export function registerUpkeep({ log, feed, waits, ...sources }: RegisterUpkeep): Part {
  const { database } = sources
  const following = leader({
    ...waits,
    name: 'citizen register',
    database,
    log,
    work: (lease, signal) => followOutcomes({ ...sources, database: fenced(database, lease), feed, log }, signal),
  })
  const passing = periodic(
    'time of the citizen register',
    expireEveryMs,
    async (signal) => {
      await expireCitizens(database, signal)
      await removeOldOutcomes(database, sources.outcomeDays, signal)
    },
    (error) => log.warn({ err: error }, 'the register of citizens could not be brought to the current day; the next round retries'),
  )
  return compose('citizen register', [following, passing])
}

/** Applies the outcomes of component A, each batch with its position in one transaction, until the signal is aborted. */
export async function followOutcomes({ feed, log, ...sources }: Omit<RegisterUpkeep, 'waits'>, signal: AbortSignal): Promise<void> {
  const { database, outcomes, outcomeDays } = sources
  const readAll = async (fill: () => Promise<unknown>): Promise<void> => {
    // outcomes after this position are applied again by their events
    const position = await feed.position(verificationTopic, signal)
    await fill()
    await database.transaction((tx) => feed.advance(tx, follower, verificationTopic, position))
  }
  if (!(await isRegisterBuilt(database))) {
    const from = performance.now()
    await readAll(async () => {
      const done = await rebuildRegister(sources, { signal })
      log.info({ done, durationMs: Math.round(performance.now() - from) }, 'the register of citizens was filled')
    })
  }
  await followInBatches<never>(
    feed,
    {
      topic: verificationTopic,
      gatherMs: 200,
      maxEvents: 500,
      idleMs: 5000,
      retryMs: 1000,
      begin: () => feed.readCursor(follower, verificationTopic),
      async take({ events, lagged }) {
        if (lagged) await readAll(() => applyStoredOutcomes(sources, signal))
        const last = events.at(-1)
        if (last === undefined) return undefined
        await database.transaction(async (tx) => {
          await tx.execute(holdRegister)
          await applyOutcomes(tx, await outcomes.of(events.map(({ id }) => id)), outcomeDays)
          await feed.advance(tx, follower, verificationTopic, last.position)
        })
        return undefined
      },
      onError: (error) => log.warn({ err: error }, 'outcomes of verifications could not be entered into the register; retrying'),
    },
    signal,
  )
}
