import { createPostgresBackend, type IQueueBackend, type Job, type JobJson, type JobProgress, Worker } from 'bullmq'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { Fault } from '../../foundation/fault.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { withinWork } from '../../foundation/tracing/spans.ts'
import { validTraceparent } from '../../foundation/tracing/trace-context.ts'
import { type Client, connectPostgres, connectRedis, PersistentConnection, type QueueConnection, queuePrefix } from './bullmq-connection.ts'
import type { JobHandler } from './job-queue.ts'

export interface JobWorkerOptions {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
  /** maximum number of concurrent jobs */
  readonly concurrency: number
  readonly handler: JobHandler
  /** how long a stop waits for running jobs before it aborts their signal, ms; 0: immediately */
  readonly graceMs?: number
  /** a worker that does not renew its locks for this long loses its jobs; others check twice as often */
  readonly lockMs?: number
  /** the connection is replaced if the engine returns neither a job nor its absence for this long; BullMQ asks every 10 s or more often */
  readonly silenceMs?: number
}

const defaultGraceMs = 7000
/** how long a handler may continue after its signal was aborted, ms */
const abortGraceMs = 2000
const closeLimitMs = 1000

const defaultLockMs = 10_000
const defaultSilenceMs = 30_000
const maxStalledCount = 10
/** delay after a failed fetch, ms */
const runRetryDelay = 1000
const leaveNoTrace = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } }

interface BullmqWorker extends Client {
  /** called when the engine returns a job, or none is waiting */
  onAnswer: () => void
  run(): Promise<unknown>
  abandon(): Promise<unknown>
}

class OurWorker<Backend extends IQueueBackend, Connection> extends Worker<object, void, string, Backend, JobProgress, Connection> {
  onAnswer = (): void => undefined

  protected override nextJobFromJobData(...job: [jobData?: JobJson, jobId?: string, token?: string]) {
    this.onAnswer()
    return super.nextJobFromJobData(...job)
  }

  /** BullMQ's own close waits for the engine, and its lock timer keeps the process alive until then. */
  async abandon(): Promise<void> {
    await this.lockManager.close()
    await this.disconnect()
  }
}

/**
 * Takes job ids from the queue and calls `handler`. Its stop takes no new job, waits `graceMs` for running ones, aborts their signal and waits 2 s
 * more; unfinished jobs are delivered to another worker.
 */
export function bullmqJobWorker(options: JobWorkerOptions): Part {
  const { name, connection, log, concurrency, handler, graceMs = defaultGraceMs, lockMs = defaultLockMs } = options
  const { silenceMs = defaultSilenceMs } = options
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const attempt = async (id: string, data: unknown): Promise<void> => {
    try {
      await withinWork(name, traceparentIn(data), () => handler(id, stopping.signal))
    } catch (error) {
      // Not rethrown: BullMQ would store the message, which may quote personal data. For the same reason only its kind is logged.
      log.error({ jobId: id, ...describe(error) }, 'a job failed')
    }
  }
  let silence: NodeJS.Timeout | undefined
  const onAnswer = (): void => void silence?.refresh()
  const process = async ({ id = '', data }: Pick<Job, 'id' | 'data'>): Promise<void> => {
    const run = attempt(id, data)
    running.add(run)
    await run.finally(() => running.delete(run))
    onAnswer()
  }
  const worker = new PersistentConnection<BullmqWorker>(
    'job queue',
    () => {
      const timing = { lockDuration: lockMs, stalledInterval: lockMs / 2, maxStalledCount, runRetryDelay }
      const common = { concurrency, autorun: false, ...timing, ...leaveNoTrace }
      if (connection.kind === 'postgres') {
        const { connection: pool, end } = connectPostgres(connection, { connections: Math.min(concurrency + 1, 5), log })
        return { client: new OurWorker(name, process, { ...common, connection: pool }, createPostgresBackend), end }
      }
      const { connection: redis, ...ends } = connectRedis(connection, true)
      return { client: new OurWorker(name, process, { ...common, connection: redis, prefix: queuePrefix(connection) }), ...ends }
    },
    log,
  )
  const allEnd = async (limitMs: number): Promise<boolean> => {
    const ended = async (): Promise<boolean> => {
      while (running.size > 0) await Promise.all(running)
      return true
    }
    return withTimeout(ended(), limitMs, undefined, () => undefined).catch(() => false)
  }
  /** An unavailable engine blocks a regular close. */
  const close = (client: BullmqWorker): Promise<unknown> =>
    withTimeout(client.close(), closeLimitMs, undefined, () => undefined).catch(() =>
      withTimeout(client.abandon(), closeLimitMs, undefined, () => new Error('the job queue does not close')),
    )
  const drain = async (client: BullmqWorker): Promise<void> => {
    void client.close()
    if (!(await allEnd(graceMs))) {
      stopping.abort()
      if (!(await allEnd(abortGraceMs))) log.warn({ jobs: running.size }, 'unfinished jobs are left to other workers')
    }
    await close(client)
  }
  /** Replaces a connection on which BullMQ waits for a response that never comes; running jobs are delivered again after their locks expire. */
  const renewUnlessFull = (): void => {
    if (running.size >= concurrency) onAnswer()
    else {
      silence = undefined
      worker.reportFailure(new Error(`no response to the request for the next job within ${silenceMs / 1000} s`))
      worker.renew(close)
    }
  }
  /** Restarts BullMQ's loop after an error that it does not retry itself; otherwise the worker would take no more jobs. */
  const runOn = async (client: BullmqWorker): Promise<void> => {
    for (let isOver = false; !isOver; ) {
      isOver = await client.run().then(
        () => true,
        (error: unknown) => {
          worker.reportFailure(error)
          return stopping.signal.aborted
        },
      )
      if (!isOver) await pause(runRetryDelay, stopping.signal)
    }
  }
  return {
    name: `job worker ${name}`,
    start: (signal) =>
      worker.start(signal, async (client) => {
        client.onAnswer = onAnswer
        silence = setTimeout(renewUnlessFull, silenceMs)
        void runOn(client)
      }),
    async stop() {
      clearTimeout(silence)
      silence = undefined
      await worker.stop(drain, graceMs + abortGraceMs + 3 * closeLimitMs)
      // no delivery is possible while the connection is being replaced
      stopping.abort()
    },
  }
}

/** Returns the trace header of a job; undefined for jobs of earlier releases. */
function traceparentIn(data: unknown): string | undefined {
  const parent: unknown = typeof data === 'object' && data !== null && 'traceparent' in data ? data.traceparent : undefined
  return validTraceparent(parent)
}

/** Returns the message of a Fault; of other errors only kind and location. */
function describe(error: unknown): object {
  if (error instanceof Fault) return { fault: error.code, reason: error.message }
  if (!(error instanceof Error)) return { thrown: typeof error }
  return {
    thrown: error.name,
    at: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8),
  }
}
