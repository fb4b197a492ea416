import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueConnection } from '../../../engines/job-queue/bullmq-connection.ts'
import { bullmqMessageWorker } from '../../../engines/message-queue/bullmq-message-worker.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { bullmqMessageQueue } from '../../support/engines/bullmq-message-queue.ts'
import type { QueueEngine } from '../../support/engines/queue-engines.ts'
import { messageQueueContract } from './message-queue.contract.ts'

/** The contract of message queues on BullMQ, and its own cases. */
export function bullmqMessagesContract(engine: QueueEngine): void {
  describe(`messages: ${engine.name}`, () => {
    let connection: QueueConnection
    const closing: (() => Promise<unknown>)[] = []
    beforeAll(async () => {
      const fresh = await engine.relational.copy()
      connection = engine.connection(fresh.url)
      closing.push(async () => {
        await fresh[Symbol.asyncDispose]()
        await engine.clear(connection)
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
      worker: (options) => bullmqMessageWorker({ ...options, connection, log, storeDead: async () => undefined }),
    })

    it('that cannot be handled stay until they are stored as dead letters, unchanged', async () => {
      const signal = (): AbortSignal => AbortSignal.timeout(60_000)
      const queue = bullmqMessageQueue({ name: 'strange', connection, log })
      await queue.start(signal())
      closing.push(() => queue.stop())
      const content = { rows: ['a'], format: 1 }
      await queue.send('bad', content, new Deadline({ timeoutMs: 60_000 }))
      const deadLetters: unknown[] = []
      const error = new TypeError('what is this')
      let isUnavailable = true
      const worker = bullmqMessageWorker({
        name: 'strange',
        connection,
        log,
        handler: () => Promise.reject(error),
        async storeDead(...letter) {
          if (isUnavailable) {
            isUnavailable = false
            throw new EngineUnavailable('database', new Error('unavailable'))
          }
          deadLetters.push([letter, await queue.depth(signal())])
        },
      })
      await worker.start(signal())
      closing.push(() => worker.stop())
      await expect.poll(() => queue.depth(signal())).toBe(0)
      expect(deadLetters).toEqual([[[{ queue: 'strange', kind: 'bad', content, format: 1 }, error], 1]])
    })
  })
}
