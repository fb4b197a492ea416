import type { Database } from '../engines/relational/database.ts'
import { sql } from '../engines/relational/drizzle.ts'
import type { JobRow } from './tables.ts'

export interface QueueFigures {
  /** jobs that wait, of all callers */
  readonly depth: number
  readonly processing: number
  /** finished jobs that nobody has acknowledged, of all callers */
  readonly ready: number
  /** worker processes seen within 15 s */
  readonly workersActive: number
}

export interface QueuePlace {
  /** jobs that start before this one */
  readonly position: number
  /** from the workers' moving average and their number; 0 while no worker has finished a job yet */
  readonly estimatedWaitSeconds: number
}

const alive = sql`seen_at > now() - interval '15 seconds'`

export async function queueFigures({ orm }: Database): Promise<QueueFigures> {
  const { rows } = await orm.execute<Record<'depth' | 'processing' | 'ready' | 'workers', number>>(sql`
    select (select count(*)::int from verification_job where status = 'queued') as depth,
      (select count(*)::int from verification_job where status = 'processing') as processing,
      (select count(*)::int from verification_job where completed_at is not null and acknowledged_at is null) as ready,
      (select count(*)::int from verification_worker where ${alive}) as workers`)
  const [row] = rows
  return { depth: row?.depth ?? 0, processing: row?.processing ?? 0, ready: row?.ready ?? 0, workersActive: row?.workers ?? 0 }
}

export async function queueDepth({ orm }: Database): Promise<number> {
  const { rows } = await orm.execute<{ depth: number }>(sql`select count(*)::int as depth from verification_job where status = 'queued'`)
  return rows[0]?.depth ?? 0
}

/** Where a job stands among those that wait: one count over the index in order of start. */
export async function queuePlace({ orm }: Database, job: Pick<JobRow, 'startClass' | 'sequence'>): Promise<QueuePlace> {
  const { rows } = await orm.execute<{ position: number; wait_ms: number }>(sql`
    with ahead as (
      select count(*)::int as n from verification_job where status = 'queued' and (start_class, sequence) < (${job.startClass}, ${job.sequence})
    ), pool as (
      select coalesce(avg(mean_job_ms), 0) as mean_ms, greatest(sum(concurrency) filter (where ${alive}), 1) as slots from verification_worker
      where seen_at > now() - interval '1 day'
    )
    select ahead.n as position, ((ahead.n + 1) * pool.mean_ms / pool.slots)::float8 as wait_ms from ahead, pool`)
  const [row] = rows
  return { position: row?.position ?? 0, estimatedWaitSeconds: Math.ceil((row?.wait_ms ?? 0) / 1000) }
}
