import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { JobRow } from '../tables.ts'
import { isAlive } from './worker-presence.ts'

export interface QueueMetrics {
  /** queued jobs of all callers */
  readonly depth: number
  readonly processing: number
  /** finished, unacknowledged jobs of all callers */
  readonly ready: number
  /** worker processes that reported within 15 s */
  readonly workersActive: number
}

export interface QueuePlace {
  /** jobs that start before this one */
  readonly position: number
  /** from the workers' moving average and number; 0 before the first job is finished */
  readonly estimatedWaitSeconds: number
}

export async function queueMetrics({ orm }: Database): Promise<QueueMetrics> {
  const { rows } = await orm.execute<Record<'depth' | 'processing' | 'ready' | 'workers', number>>(sql`
    select (select count(*)::int from verification_job where status = 'queued') as depth,
      (select count(*)::int from verification_job where status = 'processing') as processing,
      (select count(*)::int from verification_job where completed_at is not null and acknowledged_at is null) as ready,
      (select count(*)::int from verification_worker where ${isAlive}) as workers`)
  const [row] = rows
  return { depth: row?.depth ?? 0, processing: row?.processing ?? 0, ready: row?.ready ?? 0, workersActive: row?.workers ?? 0 }
}

export async function queueDepth({ orm }: Database): Promise<number> {
  const { rows } = await orm.execute<{ depth: number }>(sql`select count(*)::int as depth from verification_job where status = 'queued'`)
  return rows[0]?.depth ?? 0
}

type JobPosition = Pick<JobRow, 'startClass' | 'sequence'>
interface PlaceRequest {
  readonly job: JobPosition
  place: QueuePlace | undefined
}

/** Returns the value, or the fallback when the database is unavailable or exceeds the time. */
export function orFallback<Value>(query: Promise<Value>, withinMs: number, otherwise: Value): Promise<Value> {
  const timeoutError = () => new EngineUnavailable('database', new Error(`no response within ${withinMs} ms`))
  // timers are limited to 2^31 ms
  return withTimeout(query, Math.min(withinMs, maxMs), undefined, timeoutError).catch((error: unknown) => {
    if (error instanceof EngineUnavailable) return otherwise
    throw error
  })
}

const maxMs = 60_000

/** a count is valid for this multiple of its duration, which limits counting to a twentieth of the time */
const servesTimes = 20
const servesAtMostMs = 1000

/** Estimates queue positions. Concurrent callers share one count; callers soon after it extrapolate from it. */
export class QueuePlaces {
  readonly #database: Database
  readonly #counting = new GroupCommit<PlaceRequest>({ maxWeight: 1000, write: (requests) => this.#count(requests) })
  #waiting = new Map<number, number>()
  #jobMs = 0
  #servesUntil = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * @param job - just submitted: last of its start class
   * @param withinMs - the previous count is used when a new one takes longer or fails
   */
  async of(job: JobPosition, withinMs = Number.POSITIVE_INFINITY): Promise<QueuePlace> {
    if (performance.now() < this.#servesUntil) {
      const place = this.#place(job, 0)
      this.#waiting.set(job.startClass, (this.#waiting.get(job.startClass) ?? 0) + 1)
      return place
    }
    const request: PlaceRequest = { job, place: undefined }
    await orFallback(this.#counting.add([request]), withinMs, undefined)
    return request.place ?? this.#place(job, 0)
  }

  /** @param behind - counted jobs of its start class that are not before it */
  #place({ startClass }: JobPosition, behind: number): QueuePlace {
    let ahead = (this.#waiting.get(startClass) ?? 0) - behind
    for (const [other, jobs] of this.#waiting) if (other < startClass) ahead += jobs
    const position = Math.max(0, ahead)
    return { position, estimatedWaitSeconds: Math.ceil(((position + 1) * this.#jobMs) / 1000) }
  }

  async #count(requests: readonly PlaceRequest[]): Promise<void> {
    const began = performance.now()
    const { rows } = await this.#database.orm.execute<{ start_class: number; jobs: number; job_ms: number }>(sql`
      with pool as (
        select (coalesce(avg(mean_job_ms), 0) / greatest(sum(concurrency) filter (where ${isAlive}), 1))::float8 as job_ms
        from verification_worker where seen_at > now() - interval '1 day'
      )
      select start_class, count(*)::int as jobs, (select job_ms from pool) as job_ms
      from verification_job where status = 'queued' group by start_class`)
    this.#waiting = new Map(rows.map(({ start_class: startClass, jobs }) => [startClass, jobs]))
    this.#jobMs = rows[0]?.job_ms ?? 0
    // last of a start class first, so that the requesting jobs after it are subtracted
    const behind = new Map<number, number>()
    for (const entry of [...requests].sort((a, b) => b.job.sequence - a.job.sequence)) {
      const notBefore = (behind.get(entry.job.startClass) ?? 0) + 1
      behind.set(entry.job.startClass, notBefore)
      entry.place = this.#place(entry.job, notBefore)
    }
    const ended = performance.now()
    this.#servesUntil = ended + Math.min(servesTimes * (ended - began), servesAtMostMs)
  }
}
