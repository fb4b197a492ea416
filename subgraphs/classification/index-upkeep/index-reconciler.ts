import type { MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import { leader } from '../../../engines/relational/leadership/leader.ts'
import { fenced } from '../../../engines/relational/leadership/lease.ts'
import { type IndexDrift, saveDrift } from '../../../engines/search-index/drift-report.ts'
import { EngineUnavailable, Fault } from '../../../foundation/fault.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import { compareIndex } from './compare-index.ts'
import { type FollowingEngines, followChanges } from './follow-changes.ts'
import { defaultIntervals } from './upkeep-intervals.ts'

/** interval between comparisons without differences */
const compareEveryMs = 600_000
/** after a rebuild, withdrawn expressions can be distinguished from pending ones only after this time */
const afterRebuildMs = 75_000
/** queue depth and age up to which the writer keeps pace */
const fewMessages = 50
const oldMs = 10_000

export interface ReconcilerEngines extends FollowingEngines {
  readonly queue: MessageQueue
  /** records the result of a comparison in metrics */
  readonly onCompared: (drift: IndexDrift) => void
  /** restores the taxonomy in an index that was lost */
  readonly synchronise: (signal: AbortSignal) => Promise<unknown>
}

export const differing = ({ missing, stale, extra }: IndexDrift): number => missing + stale + extra

/** Returns whether expressions may be in the queue for longer than usual; true when it is unknown. */
export async function isBusy(queue: Pick<MessageQueue, 'depth' | 'oldestAgeMs'>, signal: AbortSignal): Promise<boolean> {
  try {
    return (await queue.depth(signal)) > fewMessages || (await queue.oldestAgeMs(signal)) > oldMs
  } catch {
    return true
  }
}

/**
 * Keeps the search index equal to the analytics store; one of several workers is active. Follows each change and compares everything at the
 * start, after loss or rebuild of the index, after a gap in the change log, and every ten minutes.
 */
export function indexReconciler(engines: Omit<ReconcilerEngines, 'mayWrite'>): Part {
  const { database, index, log } = engines
  return leader({
    name: 'search index upkeep',
    database,
    log: log.child({ engine: index.engine }),
    work: (lease, signal) => keepUp({ ...engines, database: fenced(database, lease), mayWrite: lease.check }, signal),
  })
}

async function keepUp(engines: ReconcilerEngines, stopping: AbortSignal): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([stopping, failed.signal])
  const schedule: Schedule = { due: 0, comparedIdentity: undefined }
  const onLagged = (): void => {
    schedule.due = 0
  }
  const works = [followChanges(engines, signal, onLagged), watch(engines, schedule, signal), tidyNowAndThen(engines, signal)]
  try {
    await Promise.all(works)
  } finally {
    failed.abort()
    await Promise.allSettled(works)
  }
}

interface Schedule {
  /** by performance.now() */
  due: number
  /** identity of the index in the most recent comparison */
  comparedIdentity: string | undefined
}

async function watch(engines: ReconcilerEngines, schedule: Schedule, signal: AbortSignal): Promise<void> {
  const { checkEveryMs, soonMs } = engines.waits ?? defaultIntervals
  let hasWarned = false
  for (; !signal.aborted; await pause(checkEveryMs, signal)) {
    try {
      const identity = await engines.index.identity()
      const isOther = identity !== schedule.comparedIdentity
      if (!isOther && performance.now() < schedule.due) continue
      schedule.due = performance.now() + (isOther ? afterRebuildMs : compareEveryMs)
      if (isOther) await reportGap(engines)
      const drift = await compareAndRepair(engines, signal)
      schedule.comparedIdentity = identity
      if (differing(drift) > 0) schedule.due = Math.min(schedule.due, performance.now() + soonMs)
      hasWarned = false
    } catch (error) {
      schedule.comparedIdentity = undefined
      // as at the first start; the next check sees whether it was done
      if (isDoneByOthers(error)) continue
      if (!hasWarned && !signal.aborted)
        engines.log[error instanceof EngineUnavailable ? 'warn' : 'error'](
          { err: error },
          'search index and store could not be compared; retrying',
        )
      hasWarned = true
    }
  }
}

/** Returns whether another process is synchronising the taxonomy. */
const isDoneByOthers = (error: unknown): boolean => error instanceof Fault && error.code === 'CONFLICT'

/** Reports an estimate of the missing expressions of a new index until it is compared, so that health shows it at once. */
async function reportGap({ index, store, database }: ReconcilerEngines): Promise<void> {
  const [stored, indexed] = [await store.countExpressions(), await index.count()]
  if (indexed < stored) await saveDrift(database, index.engine, { compared: stored, missing: stored - indexed, stale: 0, extra: 0 })
}

async function compareAndRepair(engines: ReconcilerEngines, signal: AbortSignal): Promise<IndexDrift> {
  const { index, queue, database, log } = engines
  const busy = () => isBusy(queue, signal)
  const drift = await compareIndex(engines, {
    repair: true,
    queueIsBusy: await busy(),
    isBusy: busy,
    intakeIsOn: true,
    intakeMs: (engines.waits ?? defaultIntervals).intakeMs,
    signal,
  })
  if (differing(drift) > 0) log.warn({ ...drift }, 'search index and store differed; the search index was repaired')
  engines.onCompared(drift)
  await saveDrift(database, index.engine, drift)
  if ((await index.taxonomy()).size > 0) return drift
  engines.mayWrite()
  await engines.synchronise(signal)
  return drift
}

async function tidyNowAndThen(
  { index, log, mayWrite, waits: { tidyEveryMs } = defaultIntervals }: ReconcilerEngines,
  signal: AbortSignal,
): Promise<void> {
  for (await pause(tidyEveryMs, signal); !signal.aborted; await pause(tidyEveryMs, signal)) {
    try {
      mayWrite()
      await index.tidy()
    } catch (error) {
      log.warn({ err: error }, 'the search index could not be compacted; the next round retries')
    }
  }
}
