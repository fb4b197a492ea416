import type { Part } from '../../foundation/lifecycle.ts'
import { openQueue, type QueueOptions } from '../job-queue/bullmq-queue.ts'
import type { MessageBacklog } from './message-queue.ts'

/** excludes delayed messages, which are left to a newer release */
const states = ['wait', 'prioritized', 'active'] as const

/** Measures a BullMQ queue of external producers. Ages use the producers' clocks, which set the timestamps. */
export function bullmqBacklog(options: QueueOptions): MessageBacklog & Part {
  const queue = openQueue('message broker', options)
  return {
    name: `backlog ${options.name}`,
    engine: queue.engine,
    get absence() {
      return queue.absence
    },
    start: queue.start,
    stop: queue.stop,
    async oldestAgeMs(signal) {
      // the first of each state: BullMQ has no common order
      const jobs = await Promise.all(states.map((state) => queue.ask((client) => client.getJobs([state], 0, 0, true), signal)))
      const times = jobs.flat().map(({ timestamp }) => timestamp)
      return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times))
    },
  }
}
