import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { Visibility } from '../access/visibility.ts'
import type { JobRow } from '../tables.ts'
import type { FinishedKind } from '../vocabulary.ts'
import { findJobs } from './find-jobs.ts'

export interface FinishedJobEvent {
  readonly seq: number
  readonly kind: FinishedKind
  readonly job: JobRow | null
}

/** Restricts the events to some jobs; a job must match every member that is set. */
export interface FinishedJobFilter {
  readonly jobId?: string | undefined
  readonly batchId?: string | undefined
  readonly citizenCode?: string | undefined
}

/**
 * Yields the caller's jobs as they become final, in order, at least once; jobs of other callers leave gaps in `seq`.
 * @param after - last position received; undefined yields only new events
 * @param wanted - by default all
 */
export async function* finishedJobs(
  { database, feed }: { readonly database: Database; readonly feed: EventFeed },
  visibility: Visibility,
  after: number | undefined,
  signal: AbortSignal,
  { jobId, batchId, citizenCode }: FinishedJobFilter = {},
): AsyncGenerator<FinishedJobEvent> {
  const from = after ?? (await feed.position('verification', signal))
  for await (const event of feed.follow('verification', from, signal)) {
    const seq = event.position
    if (event.type === 'lagged') {
      yield { seq, kind: 'lagged', job: null }
      continue
    }
    if (jobId !== undefined && jobId !== event.id) continue
    const [job] = await findJobs(database, [event.id], visibility)
    if (job === undefined || (batchId ?? job.batchId) !== job.batchId || (citizenCode ?? job.citizenCode) !== job.citizenCode) continue
    yield { seq, kind: event.kind === 'error' ? 'error' : 'completed', job }
  }
}
