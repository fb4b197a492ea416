import { openQueue, type QueueOptions } from '../../../engines/job-queue/bullmq-queue.ts'
import { bullmqBacklog } from '../../../engines/message-queue/bullmq-backlog.ts'
import type { MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import { compose, type Part } from '../../../foundation/lifecycle.ts'

const leaveNoTrace = { removeOnComplete: true, removeOnFail: true }

/** A sender outside the platform, like processes of version 1.0 and other clients of the broker: BullMQ on PostgreSQL or Redis. */
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
