import { event } from '../../../engines/event-feed/tables.ts'
import type { JobQueue } from '../../../engines/job-queue/job-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, gt, sql } from '../../../engines/relational/drizzle.ts'
import { newerAfterMs } from '../../../foundation/health/newer-format.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { jobFormat, verificationJob } from '../tables.ts'
import { isAlive } from './worker-presence.ts'

export interface WaitingJobs {
  /** time in ms for which a job has been available without any being done; 0 without a job, and while one runs */
  readonly waitingMs: number
  /** active worker processes */
  readonly workers: number
}

/**
 * Returns the waiting state by the database clock: the next job, or one with a lost worker, and whether jobs are progressing.
 * @throws {EngineUnavailable}
 */
export async function waitingJobs({ orm }: Database): Promise<WaitingJobs> {
  const { rows } = await orm.execute<{ age: string | null; workers: number }>(sql`
    with next as (
      select queued_at as since from verification_job
      where status = 'queued' and (lease_until is null or lease_until < now()) order by start_class, sequence limit 1
    ), left_behind as (
      select min(lease_until) as since from verification_job where status = 'processing' and lease_until < now()
    ), finished as (
      select at from ${event} where topic = 'verification' order by position desc limit 1
    )
    select (select count(*)::int from verification_worker where ${isAlive}) as workers,
      extract(epoch from now() - greatest(least((select since from next), (select since from left_behind)), (select at from finished))) * 1000 as age
    where (exists (select from next) or (select since from left_behind) is not null)
      and not exists (select from verification_job where status = 'processing' and lease_until >= now())`)
  return { waitingMs: Math.max(0, Number(rows[0]?.age ?? 0)), workers: rows[0]?.workers ?? 0 }
}

/** Counts jobs of a newer format that have waited longer than a rolling update takes. */
export function countNewerJobs({ orm }: Database): Promise<number> {
  const { format, status, queuedAt } = verificationJob
  // the literal lets the planner use the partial index of formats above 1
  const isNewer = and(sql`${format} > 1`, gt(format, jobFormat))
  return orm.$count(
    verificationJob,
    and(isNewer, eq(status, 'queued'), sql`${queuedAt} < now() - ${newerAfterMs}::int * interval '1 millisecond'`),
  )
}

const checkEveryMs = 300
const queryTimeoutMs = 2000

/** Resolves when the queue has a job, waiting or held by a possibly dead worker. Retries while the queue is unavailable. */
export async function untilJobs(queue: Pick<JobQueue, 'metrics'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await holdsJobs(queue, signal))) await pause(checkEveryMs, signal)
}

async function holdsJobs(queue: Pick<JobQueue, 'metrics'>, signal: AbortSignal): Promise<boolean> {
  try {
    const { waiting, active, delayed } = await queue.metrics(AbortSignal.any([signal, AbortSignal.timeout(queryTimeoutMs)]))
    return waiting + active + delayed > 0
  } catch {
    return false
  }
}
