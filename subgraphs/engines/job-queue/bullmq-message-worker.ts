import { createPostgresBackend, type Job, Worker } from 'bullmq'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { type Client, connectRedis, KeptOpen, postgresOptions, type QueueConnection } from './bullmq-connection.ts'

/**
 * Takes one message of a queue that others write to.
 * @param name - what kind of message it is   @param content - as it came, to be held against a rule
 * @throws {EngineUnavailable} to get it again later; anything else gives the message up
 */
export type MessageHandler = (name: string, content: unknown, signal: AbortSignal) => Promise<void>

const timing = { lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 10 }
const leaveNoTrace = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } }
const retryMs = 1000

interface BullmqWorker extends Client {
  run(): Promise<unknown>
}

/**
 * Takes the messages of a queue, one after another, in the order in which they came. While an engine is away the message waits.
 * @param options - `concurrency`: so many messages at once instead, and then in no order
 */
export function bullmqMessageWorker(options: {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
  readonly handler: MessageHandler
  readonly concurrency?: number
}): Part {
  const { name, connection, log, handler, concurrency = 1 } = options
  const stopping = new AbortController()
  const process = async ({ name: kind, data }: Pick<Job, 'name' | 'data'>): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await handler(kind, data, stopping.signal)
        return
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) {
          // Never rethrown and never quoted: it may hold what it was given.
          log.error({ queue: name, kind, thrown: error instanceof Error ? error.name : typeof error }, 'a message was given up')
          return
        }
        await pause(retryMs, stopping.signal)
      }
    }
    throw new Error('stopping')
  }
  const worker = new KeptOpen<BullmqWorker>(
    'message broker',
    () => {
      const common = { concurrency, autorun: false, ...timing, ...leaveNoTrace }
      if (connection.kind === 'postgres')
        return { client: new Worker(name, process, { ...common, connection: postgresOptions(connection.url(), 2) }, createPostgresBackend) }
      const { connection: redis, end } = connectRedis(connection.url, true)
      return { client: new Worker(name, process, { ...common, connection: redis, prefix: connection.prefix }), end }
    },
    log,
  )
  return {
    name: `messages ${name}`,
    start: (signal) =>
      worker.start(signal, async (client) => {
        void client.run().catch((error: unknown) => worker.complain(error))
      }),
    stop: () => {
      stopping.abort()
      return worker.stop()
    },
  }
}
