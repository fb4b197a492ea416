import { inArray, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { ImageVault } from '../engines/image-vault/image-vault.ts'
import type { JobQueue } from '../engines/job-queue/job-queue.ts'
import type { Database } from '../engines/relational/database.ts'
import type { Clock } from '../foundation/clock.ts'
import type { Log } from '../foundation/log.ts'
import { type Priority, startClass } from './start-order.ts'
import { encodeSubmission, type Submission } from './submission.ts'
import { type JobRow, verificationJob } from './tables.ts'

export interface NewJob {
  readonly citizenCode: string
  readonly documentType: JobRow['documentType']
  readonly countryCode: string
  readonly priority: Priority
  readonly callbackUrl: string | null
  readonly submission: Submission
}

export interface SubmitJobsEngines {
  readonly database: Database
  readonly queue: JobQueue
  readonly vault: ImageVault
  readonly clock: Clock
  readonly log: Log
}

/**
 * Accepts jobs: rows and sealed content in one transaction, all or none, then the queue gets the ids. A queue that is away delays
 * the jobs (whoever finds them not enqueued adds them again), it does not refuse them.
 */
export class SubmitJobs {
  readonly #engines: SubmitJobsEngines

  constructor(engines: SubmitJobsEngines) {
    this.#engines = engines
  }

  /** @param batchId - null for a job of its own   @throws {EngineUnavailable} when the database is away: nothing is stored */
  async submit(owner: string, jobs: readonly NewJob[], batchId: string | null, signal: AbortSignal): Promise<readonly JobRow[]> {
    if (jobs.length === 0) return []
    const { database, vault, clock } = this.#engines
    const entries = jobs.map((job) => ({ id: uuid(), job }))
    const rows = await database.transaction(async (tx) => {
      const inserted = await tx
        .insert(verificationJob)
        .values(
          entries.map(({ id, job: { submission: _, ...row } }) => ({
            ...row,
            id,
            owner,
            batchId,
            startClass: startClass(row.priority, clock.now()),
          })),
        )
        .returning()
      await vault.seal(
        tx,
        entries.map(({ id, job }) => ({ jobId: id, record: 'submission' as const, content: encodeSubmission(job.submission) })),
      )
      return inserted
    })
    await enqueue(this.#engines, rows, signal)
    return rows
  }
}

/** Gives the ids to the queue and notes that it has them. A queue that is away is only logged: the rows stay marked as not enqueued. */
export async function enqueue(
  { database, queue, log }: Pick<SubmitJobsEngines, 'database' | 'queue' | 'log'>,
  rows: readonly Pick<JobRow, 'id' | 'startClass'>[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await queue.add(
      rows.map(({ id, startClass: priority }) => ({ id, priority })),
      signal,
    )
  } catch (error) {
    log.warn({ err: error, jobs: rows.length }, 'the queue did not take the jobs; they are added again later')
    return
  }
  try {
    await database.orm
      .update(verificationJob)
      .set({ enqueuedAt: sql`now()` })
      .where(
        inArray(
          verificationJob.id,
          rows.map((row) => row.id),
        ),
      )
  } catch (error) {
    log.warn({ err: error, jobs: rows.length }, 'jobs are queued but not marked so; they are added again later, which changes nothing')
  }
}
