import { createPostgresBackend, type JobType, Queue } from 'bullmq'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { within } from '../../foundation/within.ts'
import { type Client, connectRedis, engineOf, KeptOpen, postgresOptions, type QueueConnection } from './bullmq-connection.ts'
import type { MessageQueue } from './message-queue.ts'

const answerLimitMs = 2000
/** BullMQ's own history of the queue, which nobody reads here */
const streams = { events: { maxLen: 100 } }
const leaveNoTrace = { removeOnComplete: true, removeOnFail: true }

/** What we use of Queue, whose own type differs by engine. */
interface BullmqQueue extends Client {
  add(kind: string, content: object, options: object): Promise<unknown>
  getJobCounts(...states: JobType[]): Promise<Record<string, number>>
}

/** BullMQ on PostgreSQL or Redis; `bullmqMessageWorker` takes the messages. */
export function bullmqMessageQueue(options: {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
}): MessageQueue & Part {
  const { name, connection, log } = options
  const queue = new KeptOpen<BullmqQueue>(
    'message queue',
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
      throw error instanceof EngineUnavailable ? error : new EngineUnavailable('message queue', new Error(messageOf(error)))
    }
  }
  return {
    name: `message queue ${name}`,
    engine: engineOf(connection),
    async send(kind, content, signal) {
      await ask((client) => client.add(kind, content, leaveNoTrace), signal)
    },
    async depth(signal) {
      const counts = await ask((client) => client.getJobCounts('wait', 'prioritized', 'active', 'delayed'), signal)
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    start: (signal) => queue.start(signal),
    stop: () => queue.stop(),
  }
}
