export interface QueuedJob {
  /** unique in the queue, without `:` */
  readonly id: string
  /** 1 to 2,097,151; lower goes first, equal ones in the order in which they were added */
  readonly priority: number
  /** of what has asked for it, by W3C's header */
  readonly traceparent?: string | undefined
}

/**
 * Says when to look at a job; what the job is, and whether it still has to be done, only its table knows. A job is delivered at least
 * once: one whose worker dies comes back after at most 15 s. Finished jobs, also failed ones, leave no trace.
 */
export interface JobQueue {
  /** which engine serves it, for health checks: postgresql or redis */
  readonly engine: string
  /**
   * A job whose id is already waiting or active is left as it is.
   * @throws {EngineUnavailable} within about 2 s (for each 500 jobs) when the queue is away; then some of the jobs may be in it
   */
  add(jobs: readonly QueuedJob[], signal: AbortSignal): Promise<void>
  /** @throws {EngineUnavailable} */
  metrics(signal: AbortSignal): Promise<{ readonly waiting: number; readonly active: number; readonly delayed: number }>
  /** @throws {EngineUnavailable} when the queue does not answer before the signal is aborted */
  health(signal: AbortSignal): Promise<void>
}

/**
 * Does one job. Throwing is logged and ends the delivery: whoever wants it done again adds it again.
 * @param signal - aborted when the worker stops and its time is over
 */
export type JobHandler = (jobId: string, signal: AbortSignal) => Promise<void>
