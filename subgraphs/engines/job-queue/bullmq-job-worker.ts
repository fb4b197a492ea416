import { createPostgresBackend, type Job, Worker } from 'bullmq'
import { Fault } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { within } from '../../foundation/within.ts'
import { type Client, KeptOpen, postgresOptions, type QueueConnection, redisOptions } from './bullmq-connection.ts'
import type { JobHandler } from './job-queue.ts'

export interface JobWorkerOptions {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
  /** most jobs at once */
  readonly concurrency: number
  readonly handler: JobHandler
  /** how long a stop waits for running jobs before it aborts their signal; 0: at once */
  readonly graceMs?: number
}

const defaultGraceMs = 7000
/** what a handler gets after its signal was aborted */
const lastWordsMs = 2000

/** A worker that does not hear of its jobs' locks for 10 s loses them; the others look every 5 s. */
const timing = { lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 10 }
const leaveNoTrace = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } }

interface BullmqWorker extends Client {
  run(): Promise<unknown>
  disconnect(): Promise<unknown>
}

/**
 * Takes ids off the queue and hands them to `handler`. Its stop takes no new job, waits `graceMs` for the running ones, then aborts their
 * signal and waits 2 s more; what is still running then comes back on another worker.
 */
export function bullmqJobWorker({ name, connection, log, concurrency, handler, graceMs = defaultGraceMs }: JobWorkerOptions): Part {
  const stopping = new AbortController()
  const process = async ({ id = '' }: Pick<Job, 'id'>): Promise<void> => {
    try {
      await handler(id, stopping.signal)
    } catch (error) {
      // Never rethrown: BullMQ would keep the message, and that may quote what a citizen sent. For the same reason only its kind is logged.
      log.error({ jobId: id, ...describe(error) }, 'a job failed')
    }
  }
  const worker = new KeptOpen<BullmqWorker>(
    'job queue',
    () => {
      const options = { concurrency, autorun: false, ...timing, ...leaveNoTrace }
      return connection.kind === 'postgres'
        ? new Worker(
            name,
            process,
            { ...options, connection: postgresOptions(connection.url(), Math.min(concurrency + 1, 5)) },
            createPostgresBackend,
          )
        : new Worker(name, process, { ...options, connection: redisOptions(connection.url, true), prefix: connection.prefix })
    },
    log,
  )
  const drain = async (client: BullmqWorker): Promise<void> => {
    const closed = client.close()
    try {
      await within(closed, graceMs, undefined, () => new Error('jobs are still running'))
    } catch {
      stopping.abort()
      await within(closed, lastWordsMs, undefined, () => new Error('jobs do not end')).catch((error: unknown) => {
        log.warn({ worker: name }, 'jobs that do not end are left to other workers')
        void client.disconnect().catch(() => undefined)
        throw error
      })
    }
  }
  return {
    name: `job worker ${name}`,
    start: (signal) =>
      worker.start(signal, async (client) => {
        void client.run().catch((error: unknown) => worker.complain(error))
      }),
    stop: () => worker.stop(drain, graceMs + 2 * lastWordsMs),
  }
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
