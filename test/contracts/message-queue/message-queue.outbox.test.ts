import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import {
  countDeadMessages,
  deadMessages,
  redriveMessages,
  removeDeadMessage,
  storeDeadLetter,
} from '../../../engines/message-queue/dead-letters.ts'
import type { Message, MessageHandler } from '../../../engines/message-queue/message-queue.ts'
import { nextPosition, outboxQueue, outboxTopic } from '../../../engines/message-queue/outbox-queue.ts'
import { outboxWorker } from '../../../engines/message-queue/outbox-worker.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { openGate } from '../../support/processes/gate.ts'
import { messageQueueContract } from './message-queue.contract.ts'

describe.each(relationalEngines())('messages: outbox on $name', (engine) => {
  let fresh: Awaited<ReturnType<typeof openMigrated>>
  let feed: ReturnType<typeof relayEventFeed>
  beforeAll(async () => {
    fresh = await openMigrated(engine)
    feed = relayEventFeed({ database: fresh.database, connection: { kind: 'postgres', url: () => fresh.url }, log })
    await feed.start(AbortSignal.timeout(60_000))
  })
  afterAll(async () => {
    await feed?.stop()
    await fresh?.[Symbol.asyncDispose]()
  })

  messageQueueContract({
    stay: false,
    queue: async (name, format) => outboxQueue({ name, database: fresh.database, announcer: feed, ...(format && { format }) }),
    worker: (options) => outboxWorker({ ...options, database: fresh.database, announcer: feed, log }),
  })

  it('report whether a word is in a waiting message', async () => {
    const queue = outboxQueue({ name: 'looked into', database: fresh.database, announcer: feed })
    const [signal, word] = [AbortSignal.timeout(60_000), randomUUID()]
    expect(await queue.holds(word, signal)).toBe(false)
    await queue.send('rows', { rows: [{ id: word }] }, new Deadline({ timeoutMs: 60_000 }))
    expect(await queue.holds(word, signal)).toBe(true)
    expect(await outboxQueue({ name: 'another', database: fresh.database, announcer: feed }).holds(word, signal)).toBe(false)
    const worker = outboxWorker({ name: 'looked into', database: fresh.database, announcer: feed, log, handler: async () => undefined })
    await worker.start(signal)
    await expect.poll(() => queue.holds(word, signal)).toBe(false)
    await worker.stop()
  })

  it('are stored in the transaction of the caller at its position, or not at all', async () => {
    const queue = outboxQueue({ name: 'within', database: fresh.database, announcer: feed })
    const signal = AbortSignal.timeout(60_000)
    const abandoned = fresh.database.transaction(async (tx) => {
      await queue.sendWithin(tx, 'rows', {})
      throw new InvalidInput('abandoned')
    })
    await expect(abandoned).rejects.toThrow('abandoned')
    expect(await queue.depth(signal)).toBe(0)
    const position = await fresh.database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ position: string }>(sql`select ${nextPosition} as position`)
      await queue.sendWithin(tx, 'rows', {}, Number(rows[0]?.position))
      return rows[0]?.position
    })
    await queue.send('rows', {}, new Deadline({ timeoutMs: 60_000 }))
    const { rows } = await fresh.database.pool.query(`select position from outbox where queue = 'within' order by position`)
    expect([rows.length, rows[0]?.position]).toEqual([2, position])
  })

  it('go to another worker when their holder freezes, whose work is then rolled back', async () => {
    await using open = new AsyncDisposableStack()
    const signal = AbortSignal.timeout(60_000)
    const gate = open.use(await openGate(fresh.url))
    const behindGate = openDatabase({ name: 'test', url: () => gate.url, poolSize: 2, log })
    open.defer(() => behindGate.stop())
    const [name, announcer] = ['frozen', feed]
    const queue = outboxQueue({ name, database: fresh.database, announcer })
    await queue.send('a', {}, new Deadline({ timeoutMs: 60_000 }))
    const [holds, thaws] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = outboxWorker({
      name,
      database: behindGate,
      announcer,
      log,
      lockMs: 500,
      handler: () => {
        holds.resolve()
        return thaws.promise
      },
    })
    await first.start(signal)
    await holds.promise
    gate.freeze()
    const handled: string[] = []
    const handler: MessageHandler = async (messages) => void handled.push(...messages.map((each) => each.name))
    const second = outboxWorker({ name, database: fresh.database, announcer, log, handler })
    await second.start(signal)
    open.defer(() => second.stop())
    await expect.poll(() => handled).toEqual(['a'])
    gate.open()
    thaws.resolve()
    await first.stop()
    // handled shortly before the commit
    await expect.poll(() => queue.depth(signal)).toBe(0)
    expect(handled).toEqual(['a'])
  })

  it('stay with a live worker, however long it takes', async () => {
    const signal = AbortSignal.timeout(60_000)
    const [name, database, announcer] = ['slow', fresh.database, feed]
    const queue = outboxQueue({ name, database, announcer })
    await queue.send('a', {}, new Deadline({ timeoutMs: 60_000 }))
    const handled: string[] = []
    // a busy machine renews late, but not by this much
    const lockMs = 1500
    const slow: MessageHandler = async (messages) => {
      await pause(3 * lockMs)
      handled.push(...messages.map((each) => each.name))
    }
    const workers = [1, 2].map(() => outboxWorker({ name, database, announcer, log, lockMs, handler: slow }))
    for (const worker of workers) await worker.start(signal)
    await expect.poll(() => queue.depth(signal)).toBe(0)
    for (const worker of workers) await worker.stop()
    expect(handled).toEqual(['a'])
  })

  it('that no worker can handle are stored unchanged as dead messages, counted, and requeued by an operator', async () => {
    const [name, database, announcer] = ['strange', fresh.database, feed]
    const queue = outboxQueue({ name, database, announcer })
    const content = { rows: ['a\u0000b'] }
    await queue.send('a', content, new Deadline({ timeoutMs: 60_000 }))
    const handled: Message[] = []
    let isRepaired = false
    const handler: MessageHandler = async (messages) => {
      if (!isRepaired) throw new TypeError('what is this')
      handled.push(...messages)
    }
    const worker = outboxWorker({ name, database, announcer, log, handler })
    await worker.start(AbortSignal.timeout(60_000))
    // workers of other queues may dead-letter their requeued messages a second time
    const dead = () => countDeadMessages(database, name)
    await expect.poll(async () => [await queue.depth(AbortSignal.timeout(5000)), await dead()]).toEqual([0, 1])
    isRepaired = true
    expect((await redriveMessages(database)).length).toBeGreaterThanOrEqual(1)
    await expect.poll(() => handled).toEqual([{ name: 'a', content }])
    expect(await dead()).toBe(0)
    await worker.stop()
  })

  it('that will never be handled are listed with reason and time, and deleted one by one', async () => {
    const [name, database, announcer] = ['hopeless', fresh.database, feed]
    const queue = outboxQueue({ name, database, announcer })
    for (const kind of ['a', 'b']) await queue.send(kind, { secret: kind }, new Deadline({ timeoutMs: 60_000 }))
    const handler: MessageHandler = () => Promise.reject(new InvalidInput('starts_at: is missing'))
    const worker = outboxWorker({ name, database, announcer, log, handler })
    const from = Date.now()
    await worker.start(AbortSignal.timeout(60_000))
    await expect.poll(() => queue.dead(AbortSignal.timeout(5000))).toBe(2)
    await worker.stop()
    const listed = async () => (await deadMessages(database, 100)).messages.filter((each) => each.queue === name)
    const [first, second] = await listed()
    expect(first).toEqual({ id: expect.any(Number), queue: name, kind: 'a', reason: 'starts_at: is missing', at: expect.any(Date) })
    expect(Math.abs((first?.at.getTime() ?? 0) - from)).toBeLessThan(60_000)
    const { messages, total } = await deadMessages(database, 1)
    expect([messages.length, total >= 2]).toEqual([1, true])
    expect(await removeDeadMessage(database, first?.id ?? 0)).toBe(true)
    expect(await removeDeadMessage(database, first?.id ?? 0)).toBe(false)
    expect(await listed()).toEqual([second])
  })

  it('with content that PostgreSQL cannot store as text are stored as dead messages', async () => {
    const { database } = fresh
    const odd = { queue: 'odd', kind: 'k\0', content: { code: 'C\0\ud800' }, format: 1 }
    await storeDeadLetter(database.orm, odd, new Error('a\0b'))
    await storeDeadLetter(database.orm, { ...odd, content: undefined }, 'thrown')
    const { messages } = await deadMessages(database, 100)
    expect(messages.filter(({ queue }) => queue === 'odd')).toMatchObject([
      { kind: 'k\ufffd', reason: 'a\ufffdb' },
      { kind: 'k\ufffd', reason: 'thrown' },
    ])
  })

  it('are announced to other processes', async () => {
    const other = relayEventFeed({ database: fresh.database, connection: { kind: 'postgres', url: () => fresh.url }, log })
    await other.start(AbortSignal.timeout(60_000))
    const announced = Promise.withResolvers<string>()
    other.onAnnounced(outboxTopic('announced'), () => announced.resolve('announced'))
    const queue = outboxQueue({ name: 'announced', database: fresh.database, announcer: feed })
    await queue.send('a', {}, new Deadline({ timeoutMs: 60_000 }))
    expect(await announced.promise).toBe('announced')
    await other.stop()
  })
})
