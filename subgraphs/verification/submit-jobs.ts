import { v7 as uuid } from 'uuid'
import type { ImageVault } from '../engines/image-vault/image-vault.ts'
import type { JobQueue } from '../engines/job-queue/job-queue.ts'
import type { Database, Transaction } from '../engines/relational/database.ts'
import { inArray, sql } from '../engines/relational/drizzle.ts'
import type { Clock } from '../foundation/clock.ts'
import type { Log } from '../foundation/log.ts'
import { checkIdempotencyKey, fingerprintsOf, rememberKey } from './idempotency.ts'
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

const enqueueLimitMs = 5000

/** Where jobs come from and how they belong together. */
export interface Origin {
  /** name of the key */
  readonly owner: string
  /** null for a job of its own */
  readonly batchId: string | null
  readonly idempotencyKey?: string
}

/** What a submission became; with an Idempotency-Key that was used before, the jobs of then. */
export interface Submitted {
  readonly batchId: string | null
  /** in the order given */
  readonly rows: readonly JobRow[]
}

/**
 * Accepts jobs: rows and sealed content in one transaction, all or none, then the queue gets the ids. A queue that is away delays
 * the jobs (whoever finds them not enqueued adds them again), it does not refuse them.
 */
export class SubmitJobs {
  readonly #engines: SubmitJobsEngines
  readonly #fingerprintKeys: readonly Uint8Array[]

  constructor(engines: SubmitJobsEngines) {
    this.#engines = engines
    this.#fingerprintKeys = engines.vault.derivedKeys('idempotency')
  }

  /**
   * @throws {EngineUnavailable} when the database is away: nothing is stored
   * @throws {InvalidInput} for an Idempotency-Key that was used with another content
   */
  async submit({ owner, batchId, idempotencyKey: key }: Origin, jobs: readonly NewJob[]): Promise<Submitted> {
    if (key !== undefined) checkIdempotencyKey(key)
    if (jobs.length === 0) return { batchId, rows: [] }
    const { database, vault, clock } = this.#engines
    const entries = jobs.map((job) => ({ id: uuid(), job }))
    const jobIds = entries.map(({ id }) => id)
    const fingerprints = key === undefined ? [] : fingerprintsOf(jobs, batchId !== null, this.#fingerprintKeys)
    const { submitted, isNew } = await database.transaction(async (tx) => {
      const earlier = key === undefined ? undefined : await rememberKey(tx, { owner, key, fingerprints, batchId, jobIds })
      if (earlier !== undefined) return { submitted: { batchId: earlier.batchId, rows: await rowsOf(tx, earlier.jobIds) }, isNew: false }
      const rows = await tx
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
      return { submitted: { batchId, rows }, isNew: true }
    })
    // The jobs are accepted: a client that leaves now does not keep them from the queue.
    if (isNew) await enqueue(this.#engines, submitted.rows, AbortSignal.timeout(enqueueLimitMs))
    return submitted
  }
}

async function rowsOf(tx: Transaction, jobIds: readonly string[]): Promise<readonly JobRow[]> {
  const rows = await tx
    .select()
    .from(verificationJob)
    .where(inArray(verificationJob.id, [...jobIds]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return jobIds.flatMap((id) => byId.get(id) ?? [])
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
