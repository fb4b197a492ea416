import type { SQL } from 'drizzle-orm'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, count, eq, inArray, isNotNull, isNull, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import { Fault } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import type { Visibility } from '../access/visibility.ts'
import { decodeResult, type JobResult } from '../assessment/result.ts'
import { type JobRow, verificationJob, verificationReview } from '../tables.ts'

export interface FinishedJob {
  readonly job: JobRow
  readonly result: JobResult
}

/** Position of a result: completion time and job. */
export interface ResultCursor {
  readonly completedAt: Date
  readonly id: string
}

const ready = (visibility: Visibility): SQL | undefined =>
  and(
    isNotNull(verificationJob.completedAt),
    isNull(verificationJob.acknowledgedAt),
    visibility === 'all' ? undefined : eq(verificationJob.owner, visibility.owner),
  )

/**
 * Whether a reviewer has decided a job and the new result was not returned yet. Acknowledgements name jobs, not results: one for the
 * previous result would erase an unseen decision.
 */
export const hasUnreturnedDecision = sql`exists (
  select from ${verificationReview} as review where review.job_id = ${verificationJob.id} and review.state = 'decided' and not review.handed_out)`

/** The caller's finished and unacknowledged jobs. Reading removes nothing: they are returned until they are acknowledged. */
export class PollResults {
  readonly #database: Database
  readonly #vault: ImageVault
  readonly #log: Pick<Log, 'error'>

  constructor({ database, vault, log }: { readonly database: Database; readonly vault: ImageVault; readonly log: Pick<Log, 'error'> }) {
    this.#database = database
    this.#vault = vault
    this.#log = log
  }

  /** Returns results, oldest completion first. One that cannot be read is logged and left out, and a later one takes its place. */
  async page(visibility: Visibility, window: RowWindow<ResultCursor>, signal: AbortSignal): Promise<readonly FinishedJob[]> {
    const found: FinishedJob[] = []
    for (let rest = window; ; ) {
      const jobs = await this.#finished(visibility, rest)
      const results = await this.of(jobs, signal)
      for (const job of jobs) {
        const result = results.get(job.id)
        if (result instanceof Fault) this.#log.error({ err: result.cause, jobId: job.id }, 'a result cannot be read')
        else if (result !== undefined) found.push({ job, result })
      }
      const last = jobs.at(-1)
      if (jobs.length < rest.limit || found.length >= window.limit || last?.completedAt == null) return found
      rest = { ...window, limit: window.limit - found.length, beyond: { completedAt: last.completedAt, id: last.id } }
    }
  }

  #finished(visibility: Visibility, window: RowWindow<ResultCursor>): Promise<readonly JobRow[]> {
    const { completedAt, id } = verificationJob
    const { past, order } = keyset([completedAt, id], 'ascending', window, (place) => [place.completedAt, place.id])
    return this.#database.orm
      .select()
      .from(verificationJob)
      .where(and(ready(visibility), past))
      .orderBy(...order)
      .limit(window.limit)
  }

  async total(visibility: Visibility): Promise<number> {
    const [row] = await this.#database.orm.select({ total: count() }).from(verificationJob).where(ready(visibility))
    return row?.total ?? 0
  }

  /** Records that a service has received these results, by job id, and may acknowledge them. */
  async handedOut(results: Iterable<readonly [string, JobResult]>): Promise<void> {
    const received = [...results]
    const ids = received.map(([jobId]) => jobId)
    if (ids.length > 0)
      await this.#database.orm
        .update(verificationJob)
        .set({ fetchedAt: sql`now()` })
        .where(and(inArray(verificationJob.id, ids), isNull(verificationJob.fetchedAt)))
    const decided = received.filter(([, { review }]) => review !== undefined).map(([jobId]) => jobId)
    if (decided.length === 0) return
    const { jobId, handedOut } = verificationReview
    await this.#database.orm
      .update(verificationReview)
      .set({ handedOut: true })
      .where(and(inArray(jobId, decided), eq(handedOut, false)))
  }

  /** Returns the results of these jobs, a Fault for one that cannot be read; unfinished and acknowledged jobs have none. */
  async of(jobs: readonly JobRow[], signal: AbortSignal): Promise<ReadonlyMap<string, JobResult | Fault>> {
    const finished = jobs.filter((job) => job.completedAt !== null && job.acknowledgedAt === null)
    if (finished.length === 0) return new Map()
    const records = await this.#vault.openEach(
      finished.map((job) => job.id),
      'result',
      signal,
    )
    return new Map([...records].map(([id, record]) => [id, record instanceof Fault ? record : decodeResult(record)]))
  }
}
