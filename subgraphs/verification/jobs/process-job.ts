import { verificationTopic } from '../../../engines/citizen-data/citizen-outcomes.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, inArray, isNull, lt, lte, or, sql } from '../../../engines/relational/drizzle.ts'
import { Fault } from '../../../foundation/fault.ts'
import { isDay } from '../../../foundation/graphql/scalars.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { encodeResult, errorVerdict, type ReviewedResult, type Verdict } from '../assessment/result.ts'
import { scheduleCallback } from '../callbacks/schedule-callback.ts'
import { storeTemplate, wasStoredSince } from '../duplicates/stored-templates.ts'
import type { Submission } from '../submission/submission.ts'
import { decodeSubmission } from '../submission/submission-record.ts'
import { type JobRow, jobFormat, verificationJob, verificationReview } from '../tables.ts'
import { startedTopic } from './finished-jobs.ts'

/**
 * a job that crashes its worker each time must end; ten crashes with a lease in between take long, so that a few restarts of the platform
 * do not fail a running job
 */
const maxAttempts = 10
/** including attempts that an outage or a shutdown interrupted; with pauses about a week */
const maxAttemptsInAll = 1000
/** pause after an outage, multiplied by the number of attempts, and its maximum */
const pauseSeconds = 10
const maxPauseSeconds = 600

export type Verify = (job: JobRow, submission: Submission, signal: AbortSignal) => Promise<Verdict>

export interface ProcessJobEngines {
  readonly database: Database
  readonly vault: ImageVault
  readonly feed: EventFeed
  readonly workerId: string
  readonly log: Log
  /** newest job format that this worker supports; newer jobs are left to newer workers */
  readonly format?: number
}

export interface ProcessJobWaits {
  /** time after which a silent worker loses its job; default 15 */
  readonly leaseSeconds?: number
  /** interval of lease extensions; default 5,000 */
  readonly extendEveryMs?: number
  /** rest of a worker with an unavailable engine, so that others get the jobs; default 1,000 */
  readonly restMs?: number
}

export interface ProcessJobOptions extends ProcessJobWaits {
  /** whether images of jobs under review are stored until the decision */
  readonly retainsForReview?: boolean
  /** DEDUPLICATION_KEY and earlier keys: stores faces of verified citizens; absent: none */
  readonly templateKeys?: VaultKeys | undefined
}

/**
 * Runs one job under a lease. The attempt number is a fencing token: the result is written, together with the erasure of the images and the
 * event, only if the row has the number that this run claimed. A job that is delivered twice, or a worker that resumes after its lease,
 * changes nothing.
 */
export class ProcessJob {
  readonly #engines: ProcessJobEngines
  readonly #verify: Verify
  readonly #waits: Required<ProcessJobWaits>
  readonly #options: Pick<ProcessJobOptions, 'retainsForReview' | 'templateKeys'>

  constructor(
    engines: ProcessJobEngines,
    verify: Verify,
    { leaseSeconds = 15, extendEveryMs = 5000, restMs = 1000, ...options }: ProcessJobOptions = {},
  ) {
    this.#engines = engines
    this.#verify = verify
    this.#waits = { leaseSeconds, extendEveryMs, restMs }
    this.#options = options
  }

  /** @returns the duration in ms; undefined when there was nothing to do or the lease was lost */
  async run(jobId: string, stopping: AbortSignal): Promise<number | undefined> {
    const job = await this.#claim(jobId)
    if (job === undefined) return undefined
    await this.#announceStart(job)
    const from = performance.now()
    const leaseLost = new AbortController()
    const endController = new AbortController()
    const signal = AbortSignal.any([stopping, leaseLost.signal])
    const lease = this.#renewLease(job, endController.signal, leaseLost)
    try {
      for (;;) {
        const verdict =
          job.attempt - job.givenBack > maxAttempts || job.attempt > maxAttemptsInAll
            ? errorVerdict('too_many_attempts: The verification was interrupted again and again')
            : await this.#attempt(job, signal)
        signal.throwIfAborted()
        const finish = await this.#finish(job, verdict)
        // the next attempt finds the face that was stored since
        if (finish === 'overtaken') continue
        return finish === 'written' ? performance.now() - from : undefined
      }
    } catch (thrown) {
      if (leaseLost.signal.aborted) return undefined
      const isCausedByJob = thrown instanceof VerificationFailed
      const reason = isCausedByJob ? thrown.cause : thrown
      await this.#release(job, stopping.aborted ? 'stopping' : isOutage(reason) && !isCausedByJob ? 'outage' : 'failed')
      if (stopping.aborted) return undefined
      if (isOutage(reason)) await pause(this.#waits.restMs, stopping)
      throw reason
    } finally {
      endController.abort()
      await lease
    }
  }

  async #attempt(job: JobRow, signal: AbortSignal): Promise<Verdict> {
    const record = (await this.#engines.vault.open([job.id], 'submission', signal)).get(job.id)
    if (record === undefined) return errorVerdict('submission_missing: The images of this job were deleted')
    return this.#verify(job, decodeSubmission(record), signal).catch((error: unknown) => {
      throw new VerificationFailed('the verification failed', { cause: error })
    })
  }

  async #claim(jobId: string): Promise<JobRow | undefined> {
    const { status, leaseUntil } = verificationJob
    const { database, format = jobFormat } = this.#engines
    const isFree = or(isNull(leaseUntil), lt(leaseUntil, sql`now()`))
    const [job] = await database.orm
      .update(verificationJob)
      .set({
        status: 'processing',
        attempt: sql`${verificationJob.attempt} + 1`,
        leaseUntil: sql`now() + make_interval(secs => ${this.#waits.leaseSeconds})`,
        workerId: this.#engines.workerId,
        startedAt: sql`now()`,
        firstStartedAt: sql`coalesce(${verificationJob.firstStartedAt}, now())`,
      })
      .where(and(eq(verificationJob.id, jobId), inArray(status, ['queued', 'processing']), isFree, lte(verificationJob.format, format)))
      .returning()
    return job
  }

  /** Appends the event of a started attempt; without it, only the progress of the job is not reported. */
  async #announceStart({ id }: JobRow): Promise<void> {
    const { database, feed, log } = this.#engines
    try {
      const position = await database.transaction((tx) => feed.append(tx, startedTopic, [{ kind: 'started', id }]))
      feed.announce(startedTopic, position)
    } catch (thrown) {
      log.warn({ err: thrown, jobId: id }, 'the start of a job could not be announced')
    }
  }

  /** Extends the lease until the run ends; aborts `lost` when the row belongs to another attempt. */
  async #renewLease(job: JobRow, endController: AbortSignal, lost: AbortController): Promise<void> {
    while (!endController.aborted) {
      await pause(this.#waits.extendEveryMs, endController)
      if (endController.aborted) return
      try {
        const extended = await this.#engines.database.orm
          .update(verificationJob)
          .set({ leaseUntil: sql`now() + make_interval(secs => ${this.#waits.leaseSeconds})` })
          .where(this.#mine(job))
          .returning({ id: verificationJob.id })
        if (extended.length === 0) return lost.abort()
      } catch (thrown) {
        this.#engines.log.warn({ err: thrown, jobId: job.id }, 'the lease of a job could not be extended')
      }
    }
  }

  #mine(job: JobRow) {
    return and(eq(verificationJob.id, job.id), eq(verificationJob.attempt, job.attempt), eq(verificationJob.status, 'processing'))
  }

  /**
   * Writes result, erasure of the images (or their review), callback and event in one transaction, if the attempt is still current.
   * @returns `overtaken`: nothing was written, because the same face was verified under another code since the search
   */
  async #finish(job: JobRow, verdict: Verdict): Promise<'written' | 'lost' | 'overtaken'> {
    const { database, vault, feed } = this.#engines
    const { templateKeys } = this.#options
    const position = await database.transaction(async (tx) => {
      const { template, duplicates, searched, read, faces, ...assessed } = verdict
      const mayBeOvertaken = verdict.outcome === 'verified' && searched !== undefined
      if (mayBeOvertaken && templateKeys && template && (await wasStoredSince(tx, templateKeys, job, template, searched)))
        return 'overtaken'
      const status = verdict.outcome === 'error' ? 'error' : 'completed'
      const [finished] = await tx
        .update(verificationJob)
        .set({
          status,
          outcome: verdict.outcome,
          reasons: verdict.crossValidations?.reasons ?? [],
          failureReason: verdict.failureReason,
          documentExpiresOn: expiryOf(verdict),
          completedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
          leaseUntil: null,
        })
        .where(this.#mine(job))
        .returning()
      if (finished === undefined) return 'lost'
      const processingTimeMs = Math.max(0, (finished.completedAt?.getTime() ?? 0) - (finished.firstStartedAt?.getTime() ?? 0))
      const result = { ...assessed, processingTimeMs }
      const isReviewed = this.#options.retainsForReview && verdict.outcome === 'pending_review'
      if (isReviewed)
        await retainForReview(tx, vault, job.id, {
          ...result,
          ...(duplicates && { duplicates }),
          ...(searched && { searched }),
          ...(read && { read }),
          ...(faces && { faces }),
        })
      else await vault.erase(tx, [job.id], 'submission')
      if (templateKeys !== undefined && template !== undefined && (isReviewed || verdict.outcome === 'verified'))
        await storeTemplate(tx, templateKeys, job, template, !isReviewed)
      await vault.seal(tx, [{ jobId: job.id, record: 'result', content: [encodeResult(result)] }])
      await scheduleCallback(tx, finished)
      return feed.append(tx, verificationTopic, [{ kind: status, id: job.id }])
    })
    if (typeof position === 'string') return position
    feed.announce(verificationTopic, position)
    return 'written'
  }

  /** Releases the job: it waits again and is requeued by the next check, after an outage with a delay. */
  async #release(job: JobRow, why: 'stopping' | 'outage' | 'failed'): Promise<void> {
    const pauseFor = sql`make_interval(secs => ${Math.min(job.attempt * pauseSeconds, maxPauseSeconds)})`
    await this.#engines.database.orm
      .update(verificationJob)
      .set({
        status: 'queued',
        leaseUntil: why === 'outage' ? sql`now() + ${pauseFor}` : null,
        enqueuedAt: null,
        ...(why === 'failed' ? {} : { givenBack: sql`${verificationJob.givenBack} + 1` }),
      })
      .where(this.#mine(job))
      .catch((thrown: unknown) =>
        this.#engines.log.warn({ err: thrown, jobId: job.id }, 'a job could not be released; its lease will expire instead'),
      )
  }
}

/** Stores the images and the result of the automatic checks for the review; an acknowledgement of the result does not remove them. */
async function retainForReview(tx: Transaction, vault: ImageVault, jobId: string, result: ReviewedResult): Promise<void> {
  await tx.insert(verificationReview).values({ jobId, reasons: result.crossValidations?.reasons ?? [] })
  await vault.seal(tx, [{ jobId, record: 'review', content: [encodeResult(result)] }])
}

/** Returns the day on which the document expires, as the checks read it. */
function expiryOf({ crossValidations }: Verdict): string | null {
  const date = crossValidations?.dataValidation?.documentExpiration.properties?.find(({ key }) => key === 'date')
  return date !== undefined && 'text' in date && /^\d{4}-\d{2}-\d{2}$/.test(date.text) && isDay(date.text) ? date.text : null
}

/** The models failed, possibly because of the images: counted, so that a job that crashes a thread each time ends. */
class VerificationFailed extends Error {}

/** Returns whether an engine is unavailable or this process cannot open the record (INTERNAL): neither is caused by the job. */
const isOutage = (thrown: unknown): boolean =>
  thrown instanceof Fault && (thrown.code === 'ENGINE_UNAVAILABLE' || thrown.code === 'INTERNAL')
