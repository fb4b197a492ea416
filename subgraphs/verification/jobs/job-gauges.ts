import type { Registry } from 'prom-client'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { queriedGauges } from '../../../foundation/process/metrics.ts'
import { isAlive } from './worker-presence.ts'

interface JobsAndCallbacks {
  readonly queued: number
  readonly processing: number
  /** finished and not acknowledged */
  readonly ready: number
  readonly oldestSeconds: number
  readonly workers: number
  readonly callbacksDue: number
  readonly callbackOldestSeconds: number
}

/** Registers gauges of the queue for the whole platform; every process reports the same values. */
export function registerJobMetrics(registry: Registry, database: Database): void {
  const gauge = queriedGauges(registry, () => jobsAndCallbacks(database))
  gauge(
    'civigraph_verification_jobs',
    'Verification jobs that are queued, running, or finished and not acknowledged',
    ({ queued, processing, ready }) => ({ queued, processing, ready }),
    'state',
  )
  gauge('civigraph_verification_oldest_job_seconds', 'Waiting time of the oldest queued job', ({ oldestSeconds }) => oldestSeconds)
  gauge('civigraph_verification_workers', 'Active worker processes of verification', ({ workers }) => workers)
  gauge('civigraph_callbacks_due', 'Callbacks whose next attempt is due', ({ callbacksDue }) => callbacksDue)
  gauge('civigraph_callbacks_oldest_seconds', 'Time since which the oldest due callback is due', (counts) => counts.callbackOldestSeconds)
}

async function jobsAndCallbacks({ orm }: Database): Promise<JobsAndCallbacks> {
  const { rows } = await orm.execute<Record<keyof JobsAndCallbacks, number | null>>(sql`
    select (select count(*)::int from verification_job where status = 'queued') as "queued",
      (select count(*)::int from verification_job where status = 'processing') as "processing",
      (select count(*)::int from verification_job where completed_at is not null and acknowledged_at is null) as "ready",
      (select extract(epoch from now() - min(queued_at))::float8 from verification_job where status = 'queued') as "oldestSeconds",
      (select count(*)::int from verification_worker where ${isAlive}) as "workers",
      (select count(*)::int from verification_callback where state = 'pending' and next_at <= now()) as "callbacksDue",
      (select extract(epoch from now() - min(next_at))::float8 from verification_callback where state = 'pending' and next_at <= now())
        as "callbackOldestSeconds"`)
  const [row] = rows
  const { queued, processing, ready, oldestSeconds, workers, callbacksDue, callbackOldestSeconds } = row ?? {}
  return {
    queued: queued ?? 0,
    processing: processing ?? 0,
    ready: ready ?? 0,
    oldestSeconds: oldestSeconds ?? 0,
    workers: workers ?? 0,
    callbacksDue: callbacksDue ?? 0,
    callbackOldestSeconds: callbackOldestSeconds ?? 0,
  }
}
