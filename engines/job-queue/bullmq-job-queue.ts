import type { Part } from '../../foundation/lifecycle.ts'
import { openQueue, type QueueOptions } from './bullmq-queue.ts'
import type { JobQueue } from './job-queue.ts'

export type { QueueConnection } from './bullmq-connection.ts'
export { bullmqJobWorker } from './bullmq-job-worker.ts'

const jobsAtOnce = 500

/** A job queue with BullMQ on PostgreSQL or Redis. Without the queue the platform still works, with a delay. */
export function bullmqJobQueue(options: QueueOptions): JobQueue & Part {
  const queue = openQueue('job queue', options)
  const metrics = async (signal: AbortSignal) => {
    const counts = await queue.ask((client) => client.getJobCounts('wait', 'prioritized', 'active', 'delayed'), signal)
    return {
      waiting: (counts.wait ?? 0) + (counts.prioritized ?? 0),
      active: counts.active ?? 0,
      delayed: counts.delayed ?? 0,
    }
  }
  return {
    engine: queue.engine,
    name: `job queue ${options.name}`,
    get absence() {
      return queue.absence
    },
    start: queue.start,
    stop: queue.stop,
    async add(jobs, signal) {
      for (let from = 0; from < jobs.length; from += jobsAtOnce) {
        const some = jobs.slice(from, from + jobsAtOnce)
        const bulk = some.map(({ id, priority, traceparent }) => ({
          name: 'job',
          data: traceparent === undefined ? {} : { traceparent },
          opts: { jobId: id, priority },
        }))
        await queue.ask((client) => client.addBulk(bulk), signal)
      }
    },
    metrics,
    async health(signal) {
      await metrics(signal)
    },
  }
}
