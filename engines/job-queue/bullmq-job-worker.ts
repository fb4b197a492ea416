import { createPostgresBackend, type IQueueBackend, type Job, type JobJson, type JobProgress, Worker } from 'bullmq'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { Fault } from '../../foundation/fault.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { withinWork } from '../../foundation/tracing/spans.ts'
import { traceparentGiven } from '../../foundation/tracing/trace-context.ts'
import { type Client, connectPostgres, connectRedis, KeptOpen, type QueueConnection, queuePrefix } from './bullmq-connection.ts'
import type { JobHandler } from './job-queue.ts'

export interface JobWorkerOptions {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
  /** jobs at once, at most */
  readonly concurrency: number
  readonly handler: JobHandler
  /** how long a stop waits for running jobs before it aborts their signal; 0: at once */
  readonly graceMs?: number
  /** a worker that does not hear of its jobs' locks for so long loses them; the others look twice as often */
  readonly lockMs?: number
  /** its connection is made anew when for so long no job was told, nor that there is none; BullMQ asks every 10 s or more often */
  readonly silenceMs?: number
}

const defaultGraceMs = 7000
/** what a handler gets after its signal was aborted */
const lastWordsMs = 2000
const closeLimitMs = 1000

const defaultLockMs = 10_000
const defaultSilenceMs = 30_000
const maxStalledCount = 10
/** after it could not be asked for a job */
const runRetryDelay = 1000
const leaveNoTrace = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } }

interface BullmqWorker extends Client {
  /** called when the engine has told the next job, or that there is none */
  heard: () => void
  run(): Promise<unknown>
  abandon(): Promise<unknown>
}

class OurWorker<Backend extends IQueueBackend, Connection> extends Worker<object, void, string, Backend, JobProgress, Connection> {
  heard = (): void => undefined

  protected override nextJobFromJobData(...told: [jobData?: JobJson, jobId?: string, token?: string]) {
    this.heard()
    return super.nextJobFromJobData(...told)
  }

  /** BullMQ's own close waits for the engine, and its timer for locks keeps the process alive as long. */
  async abandon(): Promise<void> {
    await this.lockManager.close()
    await this.disconnect()
  }
}

/**
 * Takes ids off the queue and hands them to `handler`. Its stop takes no new job, waits `graceMs` for the running ones, then aborts their
 * signal and waits 2 s more; what is still running then comes back on another worker.
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
      // Never rethrown: BullMQ would keep the message, and that may quote what a citizen sent. For the same reason only its kind is logged.
      log.error({ jobId: id, ...describe(error) }, 'a job failed')
    }
  }
  let silence: NodeJS.Timeout | undefined
  const heard = (): void => void silence?.refresh()
  const process = async ({ id = '', data }: Pick<Job, 'id' | 'data'>): Promise<void> => {
    const run = attempt(id, data)
    running.add(run)
    await run.finally(() => running.delete(run))
    heard()
  }
  const worker = new KeptOpen<BullmqWorker>(
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
  /** An engine that is away lets nobody close in peace. */
  const close = (client: BullmqWorker): Promise<unknown> =>
    withTimeout(client.close(), closeLimitMs, undefined, () => undefined).catch(() =>
      withTimeout(client.abandon(), closeLimitMs, undefined, () => new Error('the job queue does not close')),
    )
  const drain = async (client: BullmqWorker): Promise<void> => {
    void client.close()
    if (!(await allEnd(graceMs))) {
      stopping.abort()
      if (!(await allEnd(lastWordsMs))) log.warn({ jobs: running.size }, 'jobs that do not end are left to other workers')
    }
    await close(client)
  }
  /** Where there is room for a job, BullMQ waits for an answer that does not come: jobs that run yet come again after their locks. */
  const renewUnlessFull = (): void => {
    if (running.size >= concurrency) heard()
    else {
      silence = undefined
      worker.complain(new Error(`the next job was not told within ${silenceMs / 1000} s`))
      worker.renew(close)
    }
  }
  /** An error that BullMQ does not retry itself ends its loop: it is begun again, or nobody would take jobs any more. */
  const runOn = async (client: BullmqWorker): Promise<void> => {
    for (let isOver = false; !isOver; ) {
      isOver = await client.run().then(
        () => true,
        (error: unknown) => {
          worker.complain(error)
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
        client.heard = heard
        silence = setTimeout(renewUnlessFull, silenceMs)
        void runOn(client)
      }),
    async stop() {
      clearTimeout(silence)
      silence = undefined
      await worker.stop(drain, graceMs + lastWordsMs + 3 * closeLimitMs)
      // nobody waits for jobs whose connection is just being made anew
      stopping.abort()
    },
  }
}

/** What a job brings beside its id; one of an earlier release brings nothing. */
function traceparentIn(data: unknown): string | undefined {
  const given: unknown = typeof data === 'object' && data !== null && 'traceparent' in data ? data.traceparent : undefined
  return traceparentGiven(given)
}

/** A fault's sentence is meant to be read; of anything else only kind and place. */
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
