import { v7 as uuid } from 'uuid'
import type { ImageVault, SealedEntry } from '../../../engines/image-vault/image-vault.ts'
import type { JobQueue } from '../../../engines/job-queue/job-queue.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { inArray, sql } from '../../../engines/relational/drizzle.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import type { Log } from '../../../foundation/log.ts'
import { currentTraceparent } from '../../../foundation/tracing/spans.ts'
import { useChipChallenge } from '../chip/challenges.ts'
import { useChallenge } from '../liveness/challenges.ts'
import { bytesOf, type NewJob, type Submission } from '../submission/submission.ts'
import { encodeSubmission } from '../submission/submission-record.ts'
import { framesFormat, type JobRow, jobFormat, plainFormat, verificationJob } from '../tables.ts'
import { checkIdempotencyKey, fingerprintsOf, rememberKey } from './idempotency.ts'

export interface SubmitJobsEngines {
  readonly database: Database
  readonly queue: JobQueue
  readonly vault: ImageVault
  readonly clock: Clock
  readonly log: Log
}

const enqueueLimitMs = 5000
/** for callers without a time limit */
const endless = new Deadline({ timeoutMs: Number.POSITIVE_INFINITY })
/** content per shared transaction; a larger batch has a transaction of its own */
const bytesAtOnce = 8 * 1024 * 1024

/** Origin of jobs. */
export interface Origin {
  /** name of the key */
  readonly owner: string
  /** null for a single job */
  readonly batchId: string | null
  readonly idempotencyKey?: string
}

/** Result of a submission; with a used Idempotency-Key, the earlier jobs. */
export interface SubmissionResult {
  readonly batchId: string | null
  /** in the order of submission */
  readonly rows: readonly JobRow[]
}

/** One submission, accepted all or none. */
interface PendingSubmission {
  readonly owner: string
  readonly batchId: string | null
  readonly entries: readonly { readonly id: string; readonly job: NewJob }[]
  readonly bytes: number
  sealed: readonly SealedEntry[]
  rows: readonly JobRow[]
}

type EnqueuedRow = Pick<JobRow, 'id' | 'startClass'> & { readonly traceparent?: string | undefined }

/**
 * Accepts jobs: rows and sealed content in one transaction, then the ids go to the queue. An unavailable queue delays jobs (a later check
 * adds them)
 * but does not refuse them. Concurrent submissions share a transaction and a call of the queue.
 */
export class SubmitJobs {
  readonly #engines: SubmitJobsEngines
  readonly #fingerprintKeys: readonly Uint8Array[]
  readonly #accepting = new GroupCommit<PendingSubmission>({
    maxWeight: bytesAtOnce,
    weightOf: ({ bytes }) => bytes,
    write: (group, window) => this.#engines.database.transaction((tx) => this.#store(tx, group), window),
  })
  /** submissions with a transaction of their own, with the time since which they wait, in order */
  readonly #alone = new Map<PendingSubmission, number>()
  readonly #enqueuing = new GroupCommit<EnqueuedRow>({
    maxWeight: 500,
    write: async (rows) => {
      if (!(await addToQueue(this.#engines, rows, AbortSignal.timeout(enqueueLimitMs)))) await noteEnqueued(this.#engines, rows, false)
    },
  })

  constructor(engines: SubmitJobsEngines) {
    this.#engines = engines
    this.#fingerprintKeys = engines.vault.derivedKeys('idempotency')
  }

  /** Returns the longest current waiting time in ms. */
  get oldestWaitMs(): number {
    const [since] = this.#alone.values()
    return Math.max(this.#accepting.oldestWaitMs, since === undefined ? 0 : performance.now() - since)
  }

  /**
   * @throws {EngineUnavailable} when the database is unavailable: nothing is stored
   * @throws {DeadlineExceeded} nothing is stored  @throws {OutcomeUnknown} when it is unknown whether it is stored
   * @throws {InvalidInput} for an Idempotency-Key with other content, and for an invalid challenge
   */
  async submit({ owner, batchId, idempotencyKey: key }: Origin, jobs: readonly NewJob[], deadline = endless): Promise<SubmissionResult> {
    if (key !== undefined) checkIdempotencyKey(key)
    if (jobs.length === 0) return { batchId, rows: [] }
    const bytes = jobs.reduce((sum, { submission }) => sum + bytesOf(submission), 0)
    const submitting: PendingSubmission = { owner, batchId, entries: jobs.map((job) => ({ id: uuid(), job })), bytes, sealed: [], rows: [] }
    // submissions that may be refused run alone, so that they do not fail others in the transaction
    const goesAlone = key !== undefined || bytes > bytesAtOnce || jobs.some(({ submission }) => formatOf(submission) !== plainFormat)
    const earlier = goesAlone ? await this.#submitAlone(submitting, key, deadline) : await this.#submitWithOthers(submitting, deadline)
    if (earlier !== undefined) return earlier
    // the jobs are accepted: a disconnect or a slow queue must not change the response
    const isLate = () => undefined
    const traceparent = currentTraceparent()
    const rows = submitting.rows.map((row) => ({ ...row, traceparent }))
    await withTimeout(this.#enqueuing.add(rows), Math.min(deadline.remainingMs / 2, enqueueLimitMs), undefined, isLate).catch(isLate)
    return { batchId, rows: submitting.rows }
  }

  async #submitWithOthers(submitting: PendingSubmission, deadline: Deadline): Promise<undefined> {
    await this.#seal(submitting)
    await this.#accepting.add([submitting], deadline)
  }

  /** Seals before the transaction, so that a shared transaction does not wait for it. */
  async #seal(submitting: PendingSubmission): Promise<void> {
    submitting.sealed = await this.#engines.vault.prepare(
      submitting.entries.map(({ id, job }) => ({ jobId: id, record: 'submission', content: encodeSubmission(job.submission) })),
    )
  }

  /** Runs in a transaction of its own, in which equal keys wait for each other. @returns the earlier use of the key */
  async #submitAlone(submitting: PendingSubmission, key: string | undefined, deadline: Deadline): Promise<SubmissionResult | undefined> {
    const { owner, batchId, entries } = submitting
    const jobs = entries.map(({ job }) => job)
    const fingerprints = key === undefined ? [] : fingerprintsOf(jobs, batchId !== null, this.#fingerprintKeys)
    this.#alone.set(submitting, performance.now())
    const transaction = this.#engines.database.transaction(async (tx) => {
      const use = { owner, key: key ?? '', fingerprints, batchId, jobIds: entries.map(({ id }) => id) }
      const earlier = key === undefined ? undefined : await rememberKey(tx, use)
      if (earlier !== undefined) return { batchId: earlier.batchId, rows: await rowsOf(tx, earlier.jobIds) }
      await useChallenges(tx, submitting)
      await this.#seal(submitting)
      await this.#store(tx, [submitting])
      return undefined
    }, deadline)
    return transaction.finally(() => this.#alone.delete(submitting))
  }

  async #store(tx: Transaction, group: readonly PendingSubmission[]): Promise<void> {
    const { vault, clock } = this.#engines
    const values = group.flatMap(({ owner, batchId, entries }) =>
      entries.map(({ id, job: { submission, ...job } }) => ({
        ...job,
        id,
        format: formatOf(submission),
        owner,
        batchId,
        startClass: startClass(job.priority, clock.now()),
        // set early and reverted when the queue is unavailable: setting it afterwards would write the row and its indexes twice.
        // requeueJobs finds the
        // rows of a process that ends in between
        enqueuedAt: sql`now()`,
      })),
    )
    const rows = new Map((await tx.insert(verificationJob).values(values).returning()).map((row) => [row.id, row]))
    await vault.keep(
      tx,
      group.flatMap(({ sealed }) => sealed),
    )
    for (const submitting of group) submitting.rows = submitting.entries.flatMap(({ id }) => rows.get(id) ?? [])
  }
}

/** Returns the format, so that older releases leave jobs with a challenge alone. */
const formatOf = ({ chipResponse, liveness }: Submission): number =>
  chipResponse !== undefined ? jobFormat : liveness !== undefined ? framesFormat : plainFormat

/** @throws {InvalidInput} for a used challenge or one of another caller or citizen; the whole batch is refused */
async function useChallenges(tx: Transaction, { owner, batchId, entries }: PendingSubmission): Promise<void> {
  for (const [index, { id: jobId, job }] of entries.entries()) {
    const {
      citizenCode,
      submission: { liveness, chipResponse },
    } = job
    const path = batchId === null ? [] : ['jobs', index]
    const use = { owner, citizenCode, jobId }
    if (liveness) await useChallenge(tx, { ...use, nonce: liveness.nonce }, [...path, 'liveness', 'nonce'])
    if (chipResponse) await useChipChallenge(tx, { ...use, nonce: chipResponse.nonce }, [...path, 'chip', 'activeAuthentication', 'nonce'])
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

/** Adds ids to the queue and records it. An unavailable queue is only logged: the rows stay marked as not enqueued. */
export async function enqueue(engines: QueueEngines, rows: readonly EnqueuedRow[], signal: AbortSignal): Promise<void> {
  if (await addToQueue(engines, rows, signal)) await noteEnqueued(engines, rows, true)
}

type QueueEngines = Pick<SubmitJobsEngines, 'database' | 'queue' | 'log'>

async function addToQueue({ queue, log }: QueueEngines, rows: readonly EnqueuedRow[], signal: AbortSignal): Promise<boolean> {
  try {
    await queue.add(
      rows.map(({ id, startClass: priority, traceparent }) => ({ id, priority, traceparent })),
      signal,
    )
    return true
  } catch (error) {
    log.warn({ err: error, jobs: rows.length }, 'the queue did not accept the jobs; they will be added again')
    return false
  }
}

async function noteEnqueued({ database, log }: QueueEngines, rows: readonly EnqueuedRow[], isEnqueued: boolean): Promise<void> {
  try {
    const ids = sql.param(rows.map(({ id }) => id))
    await database.orm
      .update(verificationJob)
      .set({ enqueuedAt: isEnqueued ? sql`now()` : null })
      .where(sql`${verificationJob.id} = any(${ids}::text[])`)
  } catch (error) {
    log.warn(
      { err: error, jobs: rows.length },
      'the queue state of jobs could not be recorded; they will be added again, which has no effect if they are queued',
    )
  }
}

const epochMs = Date.UTC(2026, 0, 1)
const classMs = 5 * 60_000
const normalHandicap = 13

/**
 * Returns the start class of a job: lower first, FIFO within a class. It is the time of submission in steps of five minutes, plus 13 steps
 * for a normal job: a high one precedes normal ones submitted less than an hour earlier, and no job starves.
 * @returns 1 or more; within BullMQ's largest priority, 2,097,151, until December 2045
 */
function startClass(priority: JobRow['priority'], submittedAtMs: number): number {
  return Math.max(1, Math.floor((submittedAtMs - epochMs) / classMs) + 1 + (priority === 'normal' ? normalHandicap : 0))
}
