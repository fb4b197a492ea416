import { event } from '../../../engines/event-feed/tables.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
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
