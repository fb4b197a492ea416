import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { type BatchOptions, type MessageHandler, type MessageQueue, messageFormat } from '../../../engines/message-queue/message-queue.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const inTime = (): Deadline => new Deadline({ timeoutMs: 60_000 })
const unavailable = () => new EngineUnavailable('store', new Error('unavailable'))

/** An implementation of message queues, on an engine that runs before the first case. */
export interface Messages {
  /** returns a started queue of this name   @param format - format of its messages, by default that of this release */
  queue(name: string, format?: number): Promise<MessageQueue>
  worker(options: {
    readonly name: string
    readonly lockMs: number
    readonly handler: MessageHandler
    readonly gathering?: BatchOptions
    /** the newest format that the handler can read */
    readonly format?: number
    /** the delay before an unreadable message is delivered again, if it is put back */
    readonly leaveForMs?: number
  }): Part
  /** whether messages stay with a worker whose handler waits for an engine */
  readonly stay: boolean
}

/** short, because tests wait for its expiry */
const lockMs = 2000

export function messageQueueContract(messages: Messages): void {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  const started = async <Started extends Part>(part: Started): Promise<Started> => {
    await part.start(signal())
    closing.push(() => part.stop())
    return part
  }
  /** returns a queue with these messages, each of a kind named like its content */
  const queueOf = async (...contents: readonly string[]) => {
    const name = randomUUID()
    const queue = await messages.queue(name)
    // its start may not wait until the engine has its tables
    await expect.poll(() => queue.depth(signal())).toBe(0)
    for (const content of contents) await queue.send(content, { content }, inTime())
    const worker = (handler: MessageHandler, gathering?: BatchOptions) =>
      started(messages.worker({ name, handler, lockMs, ...(gathering && { gathering }) }))
    const isEmpty = () => expect.poll(() => queue.depth(signal())).toBe(0)
    return { queue, worker, isEmpty }
  }

  it('arrive in the order in which they were sent', async () => {
    const { worker, isEmpty } = await queueOf('a', 'b', 'c')
    const groups: unknown[] = []
    await worker(async (group) => void groups.push(group))
    await isEmpty()
    expect(groups).toEqual(['a', 'b', 'c'].map((name) => [{ name, content: { content: name } }]))
  })

  it('arrive in groups of limited size, and a later one arrives as well', async () => {
    const { queue, worker, isEmpty } = await queueOf('a', 'b', 'c', 'd', 'e')
    const groups: string[][] = []
    await worker(async (group) => void groups.push(group.map(({ name }) => name)), { max: 3, gatherMs: 50 })
    await isEmpty()
    expect(groups).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
    await queue.send('f', {}, inTime())
    await expect.poll(() => groups.at(-1)).toEqual(['f'])
  })

  it('that cannot be handled leave the queue, without their neighbours', async () => {
    const { worker, isEmpty } = await queueOf('a', 'bad', 'b')
    const handled: string[] = []
    const handler: MessageHandler = async (group) => {
      if (group.some(({ name }) => name === 'bad')) throw new TypeError('what is this')
      handled.push(...group.map(({ name }) => name))
    }
    await worker(handler, { max: 10, gatherMs: 50 })
    await isEmpty()
    expect(handled).toEqual(['a', 'b'])
  })

  it('wait with their worker, or go to another one, while another engine is unavailable longer than a lock lasts', async () => {
    const { worker, isEmpty } = await queueOf('a', 'b')
    const [handled, ofOther]: string[][] = [[], []]
    const from = performance.now()
    let tries = 0
    const handler: MessageHandler = async (group) => {
      tries += 1
      if (performance.now() - from < 2 * lockMs) throw unavailable()
      handled?.push(...group.map(({ name }) => name))
    }
    await worker(handler, { max: 10, gatherMs: 50 })
    await expect.poll(() => tries).toBeGreaterThan(0)
    await worker(async (group) => void ofOther?.push(...group.map(({ name }) => name)))
    await isEmpty()
    if (messages.stay) expect([handled, ofOther]).toEqual([['a', 'b'], []])
    else expect([...(handled ?? []), ...(ofOther ?? [])].sort()).toEqual(['a', 'b'])
  })

  it('go to another worker when theirs stops before handling them', async () => {
    const { worker, isEmpty } = await queueOf('a', 'b')
    let tries = 0
    const first = await worker(
      async () => {
        tries++
        throw unavailable()
      },
      { max: 10, gatherMs: 50 },
    )
    await expect.poll(() => tries).toBeGreaterThan(0)
    await first.stop()
    const handled: string[] = []
    await worker(async (group) => void handled.push(...group.map(({ name }) => name)))
    await isEmpty()
    expect(handled.sort()).toEqual(['a', 'b'])
  })

  it('of a newer release wait for a worker of that release, are delivered once, and do not delay others', async () => {
    const name = randomUUID()
    const [ours, newer] = [await messages.queue(name), await messages.queue(name, messageFormat + 1)]
    await expect.poll(() => ours.depth(signal())).toBe(0)
    await newer.send('newer', {}, inTime())
    await ours.send('ours', {}, inTime())
    const worker = async (format: number) => {
      const handled: string[] = []
      const handler: MessageHandler = async (group) => void handled.push(...group.map((each) => each.name))
      await started(messages.worker({ name, handler, lockMs, format, leaveForMs: 100, gathering: { max: 10, gatherMs: 50 } }))
      return handled
    }
    const ofThis = await worker(messageFormat)
    await expect.poll(() => ofThis).toEqual(['ours'])
    await newer.send('another', {}, inTime())
    await ours.send('later', {}, inTime())
    await expect.poll(() => ofThis).toEqual(['ours', 'later'])
    // 'later' leaves the queue shortly after it was handled
    await expect.poll(() => newer.depth(signal())).toBe(2)
    const ofNewer = await worker(messageFormat + 1)
    await expect.poll(() => newer.depth(signal())).toBe(0)
    expect(ofNewer.sort()).toEqual(['another', 'newer'])
    expect(ofThis).toEqual(['ours', 'later'])
  })

  it('are counted, with the age of the oldest', async () => {
    const { queue, worker, isEmpty } = await queueOf()
    expect(await queue.oldestAgeMs(signal())).toBe(0)
    await queue.send('a', { text: 'a \u{1F469} and “quotes”' }, inTime())
    await queue.send('b', {}, inTime())
    expect(await queue.depth(signal())).toBe(2)
    await expect.poll(() => queue.oldestAgeMs(signal())).toBeGreaterThan(0)
    const contents: unknown[] = []
    await worker(async (group) => void contents.push(...group.map(({ content }) => content)))
    await isEmpty()
    expect(contents).toEqual([{ text: 'a \u{1F469} and “quotes”' }, {}])
  })
}
