export interface QueuedJob {
  /** unique in the queue, without `:` */
  readonly id: string
  /** 1 to 2,097,151; lower first, then in order of addition */
  readonly priority: number
  /** `traceparent` header of the request that added it */
  readonly traceparent?: string | undefined
}

/**
 * A queue of job ids. The state of a job, and whether it still needs work, is in its table. Delivery is at least once: a job of a dead worker is
 * delivered again after at most 15 s. Finished and failed jobs are removed.
 */
export interface JobQueue {
  /** engine, for health checks: postgresql or redis */
  readonly engine: string
  /**
   * Adds jobs; a job whose id is waiting or active is left unchanged. @throws {EngineUnavailable} within about 2 s (per 500 jobs) if the queue is
   * unavailable; some jobs may have been added
   */
  add(jobs: readonly QueuedJob[], signal: AbortSignal): Promise<void>
  /** @throws {EngineUnavailable} */
  metrics(signal: AbortSignal): Promise<{ readonly waiting: number; readonly active: number; readonly delayed: number }>
  /** @throws {EngineUnavailable} if the queue does not respond before the signal is aborted */
  health(signal: AbortSignal): Promise<void>
}

/**
 * Executes one job. An error is logged and ends the delivery; a retry must add the job again. @param signal - aborted when the worker stops and the
 * grace period has passed
 */
export type JobHandler = (jobId: string, signal: AbortSignal) => Promise<void>
