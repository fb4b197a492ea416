import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueConnection } from '../../../subgraphs/engines/job-queue/bullmq-connection.ts'
import { bullmqMessageQueue } from '../../../subgraphs/engines/job-queue/bullmq-message-queue.ts'
import { bullmqMessageWorker, type Gathering, type MessageHandler } from '../../../subgraphs/engines/job-queue/bullmq-message-worker.ts'
import { EngineUnavailable } from '../../../subgraphs/foundation/fault.ts'
import type { Part } from '../../../subgraphs/foundation/lifecycle.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { clearRedis, queueEngines } from '../../support/engines/engines.ts'

const log = silentLog
const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const away = () => new EngineUnavailable('store', new Error('away'))

/** short, to wait for its end */
const lockMs = 2000

describe.each(queueEngines())('messages: $name', (engine) => {
  let connection: QueueConnection
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const fresh = await engine.relational.open()
    connection = engine.connection(fresh.url)
    closing.push(async () => {
      await fresh[Symbol.asyncDispose]()
      if (connection.kind === 'redis') await clearRedis(connection.prefix)
    })
  })
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  const started = async <Started extends Part>(part: Started): Promise<Started> => {
    await part.start(signal())
    closing.push(() => part.stop())
    return part
  }
  /** a queue with these messages, of a kind named like their content */
  const queueOf = async (...contents: readonly string[]) => {
    const name = randomUUID()
    const queue = await started(bullmqMessageQueue({ name, connection, log }))
    // its start waits 2 s at most, and BullMQ may take longer to bring its tables into a fresh database
    await expect.poll(() => queue.depth(signal())).toBe(0)
    for (const content of contents) await queue.send(content, { content }, signal())
    const worker = (handler: MessageHandler, gathering?: Gathering) =>
      started(bullmqMessageWorker({ name, connection, log, handler, lockMs, ...(gathering && { gathering }) }))
    const isEmpty = () => expect.poll(() => queue.depth(signal())).toBe(0)
    return { queue, worker, isEmpty }
  }

  it('come in the order in which they were sent, one after another', async () => {
    const { worker, isEmpty } = await queueOf('a', 'b', 'c')
    const groups: unknown[] = []
    await worker(async (messages) => void groups.push(messages))
    await isEmpty()
    expect(groups).toEqual(['a', 'b', 'c'].map((name) => [{ name, content: { content: name } }]))
  })

  it('come in groups of at most so many, and one that comes later comes too', async () => {
    const { queue, worker, isEmpty } = await queueOf('a', 'b', 'c', 'd', 'e')
    const groups: string[][] = []
    await worker(async (messages) => void groups.push(messages.map(({ name }) => name)), { max: 3, gatherMs: 50 })
    await isEmpty()
    expect(groups).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
    await queue.send('f', {}, signal())
    await expect.poll(() => groups.at(-1)).toEqual(['f'])
  })

  it('that cannot be handled are given up, without their neighbours', async () => {
    const { worker, isEmpty } = await queueOf('a', 'bad', 'b')
    const handled: string[] = []
    const handler: MessageHandler = async (messages) => {
      if (messages.some(({ name }) => name === 'bad')) throw new TypeError('what is this')
      handled.push(...messages.map(({ name }) => name))
    }
    await worker(handler, { max: 10, gatherMs: 50 })
    await isEmpty()
    expect(handled).toEqual(['a', 'b'])
  })

  it('stay with their worker while it waits for another engine longer than a lock lasts', async () => {
    const { worker, isEmpty } = await queueOf('a', 'b')
    const [handled, ofOther]: string[][] = [[], []]
    const from = performance.now()
    let tries = 0
    const handler: MessageHandler = async (messages) => {
      tries += 1
      if (performance.now() - from < 2 * lockMs) throw away()
      handled?.push(...messages.map(({ name }) => name))
    }
    await worker(handler, { max: 10, gatherMs: 50 })
    await expect.poll(() => tries).toBeGreaterThan(0)
    await worker(async (messages) => void ofOther?.push(...messages.map(({ name }) => name)))
    await isEmpty()
    expect([handled, ofOther]).toEqual([['a', 'b'], []])
  })

  it('go to another worker when theirs stops without having handled them', async () => {
    const { worker, isEmpty } = await queueOf('a', 'b')
    let tries = 0
    const first = await worker(
      async () => {
        tries++
        throw away()
      },
      { max: 10, gatherMs: 50 },
    )
    await expect.poll(() => tries).toBeGreaterThan(0)
    await first.stop()
    const handled: string[] = []
    await worker(async (messages) => void handled.push(...messages.map(({ name }) => name)))
    await isEmpty()
    expect(handled.sort()).toEqual(['a', 'b'])
  })
})
