import { openQueue, type QueueOptions } from '../../../subgraphs/engines/job-queue/bullmq-queue.ts'
import type { MessageQueue } from '../../../subgraphs/engines/message-queue/message-queue.ts'
import type { Part } from '../../../subgraphs/foundation/lifecycle.ts'

const leaveNoTrace = { removeOnComplete: true, removeOnFail: true }

/** What sends messages to a worker from outside, as processes of version 1.0 and the broker's other clients do: BullMQ on PostgreSQL or Redis. */
export function bullmqMessageQueue(options: QueueOptions): MessageQueue & Part {
  const queue = openQueue('message queue', options)
  return {
    ...queue,
    name: `message queue ${options.name}`,
    async send(kind, content, { remainingMs }) {
      await queue.ask((client) => client.add(kind, content, leaveNoTrace), AbortSignal.timeout(Math.ceil(remainingMs)))
    },
    async depth(signal) {
      const counts = await queue.ask((client) => client.getJobCounts('wait', 'prioritized', 'active', 'delayed'), signal)
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    async newer(signal) {
      return (await queue.ask((client) => client.getJobCounts('delayed'), signal)).delayed ?? 0
    },
    async oldestAgeMs(signal) {
      // the first of each state: BullMQ gives them in no common order
      const jobs = await Promise.all(
        (['wait', 'prioritized', 'active', 'delayed'] as const).map((state) =>
          queue.ask((client) => client.getJobs([state], 0, 0, true), signal),
        ),
      )
      const times = jobs.flat().map(({ timestamp }) => timestamp)
      return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times))
    },
  }
}
