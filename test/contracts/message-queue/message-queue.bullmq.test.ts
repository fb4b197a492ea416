import { afterAll, beforeAll, describe } from 'vitest'
import type { QueueConnection } from '../../../subgraphs/engines/job-queue/bullmq-connection.ts'
import { bullmqMessageWorker } from '../../../subgraphs/engines/message-queue/bullmq-message-worker.ts'
import { silentLog as log } from '../../../subgraphs/foundation/log.ts'
import { bullmqMessageQueue } from '../../support/engines/bullmq-message-queue.ts'
import { clearRedis, queueEngines } from '../../support/engines/engines.ts'
import { messageQueueContract } from './message-queue.contract.ts'

describe.each(queueEngines())('messages: $name', (engine) => {
  let connection: QueueConnection
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const fresh = await engine.relational.copy()
    connection = engine.connection(fresh.url)
    closing.push(async () => {
      await fresh[Symbol.asyncDispose]()
      if (connection.kind === 'redis') await clearRedis(connection.prefix)
    })
  })
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  messageQueueContract({
    stay: true,
    async queue(name, format) {
      const queue = bullmqMessageQueue({ name, connection, log })
      await queue.start(AbortSignal.timeout(60_000))
      closing.push(() => queue.stop())
      if (format === undefined) return queue
      return { ...queue, send: (kind, content, window) => queue.send(kind, { ...content, format }, window) }
    },
    worker: (options) => bullmqMessageWorker({ ...options, connection, log }),
  })
})
