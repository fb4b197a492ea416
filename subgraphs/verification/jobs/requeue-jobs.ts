import type { JobQueue } from '../../../engines/job-queue/job-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { Log } from '../../../foundation/log.ts'
import { enqueue } from '../intake/submit-jobs.ts'
import { jobFormat } from '../tables.ts'

const pageSize = 1000

interface Engines {
  readonly database: Database
  readonly queue: JobQueue
  readonly log: Log
  /** newest job format of the workers here; newer jobs are left to their own release */
  readonly format?: number
}

type WaitingJob = { id: string; startClass: number; sequence: number }

const columns = sql`id, start_class as "startClass", sequence::float8 as sequence`
const free = sql`(lease_until is null or lease_until < now())`

/**
 * Adds jobs that the queue may lack: those that it never received, those with an expired lease, those overtaken by later ones and, when
 * `all` is set or the queue has fewer than the table, every waiting job. Adding twice has no effect, so replicas can run concurrently.
 */
export async function requeueJobs(engines: Engines, all: boolean, signal: AbortSignal): Promise<number> {
  const { format = jobFormat } = engines
  const lost = await engines.database.orm.execute<WaitingJob>(sql`
    select ${columns} from verification_job
    where status = 'queued' and enqueued_at is null and queued_at < now() - interval '10 seconds' and ${free} and format <= ${format}
    union select ${columns} from verification_job where status = 'processing' and lease_until < now() and format <= ${format}
    union select ${columns} from verification_job
    where status = 'queued' and enqueued_at < now() - interval '10 seconds' and format <= ${format} and (start_class, sequence) <
      (select start_class, sequence from verification_job where status = 'processing' order by start_class desc, sequence desc limit 1)
    order by "startClass", sequence limit ${pageSize}`)
  if (lost.rows.length > 0) await enqueue(engines, lost.rows, signal)
  const added = lost.rows.length
  if (!all && !(await queueHoldsFewer(engines, signal))) return added
  return added + (await addEveryWaiting(engines, signal))
}

/** Queries the queue first, so that a job that ends in between is not counted as lost. */
async function queueHoldsFewer({ database, queue, format = jobFormat }: Engines, signal: AbortSignal): Promise<boolean> {
  const { waiting, active, delayed } = await queue.metrics(signal)
  const { rows } = await database.orm.execute<{ n: number }>(sql`
    select (select count(*)::int from verification_job
        where status = 'queued' and enqueued_at < now() - interval '10 seconds' and format <= ${format})
      + (select count(*)::int from verification_job where status = 'processing' and format <= ${format}) as n`)
  return waiting + active + delayed < (rows[0]?.n ?? 0)
}

async function addEveryWaiting(engines: Engines, signal: AbortSignal): Promise<number> {
  const { format = jobFormat } = engines
  let added = 0
  let last: WaitingJob = { id: '', startClass: 0, sequence: 0 }
  while (!signal.aborted) {
    const { rows } = await engines.database.orm.execute<WaitingJob>(sql`
      select ${columns} from verification_job
      where status = 'queued' and ${free} and format <= ${format} and (start_class, sequence) > (${last.startClass}, ${last.sequence})
      order by start_class, sequence limit ${pageSize}`)
    const end = rows.at(-1)
    if (end === undefined) break
    await enqueue(engines, rows, signal)
    added += rows.length
    last = end
  }
  return added
}
