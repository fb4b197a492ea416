import { createPostgresBackend, type JobType, Queue } from 'bullmq'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { within } from '../../foundation/within.ts'
import { type Client, connectRedis, engineOf, KeptOpen, postgresOptions, type QueueConnection } from './bullmq-connection.ts'
import type { JobQueue } from './job-queue.ts'

export type { QueueConnection } from './bullmq-connection.ts'
export { bullmqJobWorker } from './bullmq-job-worker.ts'

const jobsAtOnce = 500
const answerLimitMs = 2000
/** BullMQ's own history of the queue, which nobody reads here */
const streams = { events: { maxLen: 100 } }

/** What we use of Queue, whose own type differs by engine. */
interface BullmqQueue extends Client {
  addBulk(jobs: { name: string; data: object; opts: { jobId: string; priority: number } }[]): Promise<unknown>
  getJobCounts(...states: JobType[]): Promise<Record<string, number>>
}

/** BullMQ on PostgreSQL or Redis. A start does not wait longer than 2 s for the engine: the platform works without the queue, only later. */
export function bullmqJobQueue(options: {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
}): JobQueue & Part {
  const { name, connection, log } = options
  const queue = new KeptOpen<BullmqQueue>(
    'job queue',
    () => {
      if (connection.kind === 'postgres')
        return { client: new Queue(name, { connection: postgresOptions(connection.url(), 3), streams }, createPostgresBackend) }
      const { connection: redis, end } = connectRedis(connection.url, false)
      return { client: new Queue(name, { connection: redis, prefix: connection.prefix, streams }), end }
    },
    log,
  )
  const ask = async <Answer>(question: (client: BullmqQueue) => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    try {
      const answer = await within(question(queue.client), answerLimitMs, signal, () => new Error('no answer in time'))
      queue.relieved()
      return answer
    } catch (error) {
      throw error instanceof EngineUnavailable ? error : new EngineUnavailable('job queue', new Error(messageOf(error)))
    }
  }
  const figures = async (signal: AbortSignal) => {
    const counts = await ask((client) => client.getJobCounts('wait', 'prioritized', 'active', 'delayed'), signal)
    return {
      waiting: (counts.wait ?? 0) + (counts.prioritized ?? 0),
      active: counts.active ?? 0,
      delayed: counts.delayed ?? 0,
    }
  }
  return {
    name: `job queue ${name}`,
    engine: engineOf(connection),
    async add(jobs, signal) {
      for (let from = 0; from < jobs.length; from += jobsAtOnce) {
        const some = jobs.slice(from, from + jobsAtOnce)
        const bulk = some.map(({ id, priority }) => ({ name: 'job', data: {}, opts: { jobId: id, priority } }))
        await ask((client) => client.addBulk(bulk), signal)
      }
    },
    figures,
    async health(signal) {
      await figures(signal)
    },
    start: (signal) => queue.start(signal),
    stop: () => queue.stop(),
  }
}
