import { verificationTopic } from '../../../engines/citizen-data/citizen-outcomes.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { Visibility } from '../access/visibility.ts'
import type { JobRow } from '../tables.ts'
import type { FinishedKind, StartedKind } from '../vocabulary.ts'
import { findJobs } from './find-jobs.ts'

/** topic of attempts that a worker has started */
export const startedTopic = 'verification-started'

export interface JobEvent<Kind> {
  readonly position: number
  readonly kind: Kind
  readonly job: JobRow | null
}

interface JobFeed {
  readonly database: Database
  readonly feed: EventFeed
}

/** Restricts the events to some jobs; a job must match every member that is set. */
export interface FinishedJobFilter {
  readonly jobId?: string | undefined
  readonly batchId?: string | undefined
  readonly citizenCode?: string | undefined
}

/**
 * Yields the caller's jobs as they become final, in order, at least once; jobs of other callers leave gaps in `position`.
 * @param after - last position received; undefined yields only new events
 * @param wanted - by default all
 */
export async function* finishedJobs(
  engines: JobFeed,
  visibility: Visibility,
  after: number | undefined,
  signal: AbortSignal,
  wanted: FinishedJobFilter = {},
): AsyncGenerator<JobEvent<FinishedKind>> {
  for await (const { kind, ...event } of jobEvents(engines, verificationTopic, { visibility, after, wanted }, signal))
    yield { ...event, kind: kind === 'lagged' || kind === 'error' ? kind : 'completed' }
}

/** Yields the caller's jobs as workers start them, once for each attempt, as `finishedJobs` does. */
export async function* startedJobs(
  engines: JobFeed,
  visibility: Visibility,
  after: number | undefined,
  signal: AbortSignal,
  wanted: FinishedJobFilter = {},
): AsyncGenerator<JobEvent<StartedKind>> {
  for await (const { kind, ...event } of jobEvents(engines, startedTopic, { visibility, after, wanted }, signal))
    yield { ...event, kind: kind === 'lagged' ? kind : 'started' }
}

async function* jobEvents(
  { database, feed }: JobFeed,
  topic: string,
  request: { readonly visibility: Visibility; readonly after: number | undefined; readonly wanted: FinishedJobFilter },
  signal: AbortSignal,
): AsyncGenerator<JobEvent<string>> {
  const { jobId, batchId, citizenCode } = request.wanted
  const from = request.after ?? (await feed.position(topic, signal))
  for await (const event of feed.follow(topic, from, signal)) {
    const { position } = event
    if (event.type === 'lagged') {
      yield { position, kind: 'lagged', job: null }
      continue
    }
    if (jobId !== undefined && jobId !== event.id) continue
    const [job] = await findJobs(database, [event.id], request.visibility)
    if (job === undefined || (batchId ?? job.batchId) !== job.batchId || (citizenCode ?? job.citizenCode) !== job.citizenCode) continue
    yield { position, kind: event.kind, job }
  }
}
