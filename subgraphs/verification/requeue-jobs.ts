import type { JobQueue } from '../engines/job-queue/job-queue.ts'
import type { Database } from '../engines/relational/database.ts'
import { sql } from '../engines/relational/drizzle.ts'
import type { Log } from '../foundation/log.ts'
import { enqueue } from './submit-jobs.ts'

const pageSize = 1000

interface Engines {
  readonly database: Database
  readonly queue: JobQueue
  readonly log: Log
}

type Waiting = { id: string; startClass: number; sequence: number }

/**
 * Adds to the queue what it should hold and may not: jobs it never took, jobs whose lease is over, and, when `all` is asked or the queue
 * holds fewer than the table, every waiting job. Adding twice changes nothing, so a copy that runs at the same time does no harm.
 */
export async function requeueJobs(engines: Engines, all: boolean, signal: AbortSignal): Promise<number> {
  const lost = await engines.database.orm.execute<Waiting>(sql`
    select id, start_class as "startClass", sequence::float8 as sequence from verification_job
    where (status = 'queued' and enqueued_at is null and queued_at < now() - interval '10 seconds')
      or (status = 'processing' and lease_until < now())
    order by start_class, sequence limit ${pageSize}`)
  if (lost.rows.length > 0) await enqueue(engines, lost.rows, signal)
  const added = lost.rows.length
  if (!all && !(await queueHoldsFewer(engines, signal))) return added
  return added + (await addEveryWaiting(engines, signal))
}

async function queueHoldsFewer({ database, queue }: Engines, signal: AbortSignal): Promise<boolean> {
  const { rows } = await database.orm.execute<{ n: number }>(
    sql`select count(*)::int as n from verification_job where status = 'queued' and enqueued_at < now() - interval '10 seconds'`,
  )
  const { waiting, active, delayed } = await queue.figures(signal)
  return waiting + active + delayed < (rows[0]?.n ?? 0)
}

async function addEveryWaiting(engines: Engines, signal: AbortSignal): Promise<number> {
  let added = 0
  let last: Waiting = { id: '', startClass: 0, sequence: 0 }
  while (!signal.aborted) {
    const { rows } = await engines.database.orm.execute<Waiting>(sql`
      select id, start_class as "startClass", sequence::float8 as sequence from verification_job
      where status = 'queued' and (start_class, sequence) > (${last.startClass}, ${last.sequence})
      order by start_class, sequence limit ${pageSize}`)
    const end = rows.at(-1)
    if (end === undefined) break
    await enqueue(engines, rows, signal)
    added += rows.length
    last = end
  }
  return added
}
