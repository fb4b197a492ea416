import { openQueue, type QueueOptions } from '../../../engines/job-queue/bullmq-queue.ts'
import { bullmqBacklog } from '../../../engines/message-queue/bullmq-backlog.ts'
import type { MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import { compose, type Part } from '../../../foundation/lifecycle.ts'

const leaveNoTrace = { removeOnComplete: true, removeOnFail: true }

/** What sends messages to a worker from outside, as processes of version 1.0 and the broker's other clients do: BullMQ on PostgreSQL or Redis. */
export function bullmqMessageQueue(options: QueueOptions): MessageQueue & Part {
  const name = `message queue ${options.name}`
  const queue = openQueue('message queue', options)
  const backlog = bullmqBacklog(options)
  return {
    ...compose(name, [{ name, start: queue.start, stop: queue.stop }, backlog]),
    engine: queue.engine,
    oldestAgeMs: backlog.oldestAgeMs,
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
  }
}
