import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relayEventFeed } from '../../../subgraphs/engines/event-feed/relay-event-feed.ts'
import { outboxQueue } from '../../../subgraphs/engines/message-queue/outbox-queue.ts'
import { outboxWorker } from '../../../subgraphs/engines/message-queue/outbox-worker.ts'
import { silentLog as log } from '../../../subgraphs/foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
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
    queue: async (name) => outboxQueue({ name, database: fresh.database, announcer: feed }),
    worker: (options) => outboxWorker({ ...options, database: fresh.database, announcer: feed, log }),
  })

  it('go to another worker when the one that holds them freezes, which then has taken nothing', async () => {
    const { database } = fresh
    const [name, signal] = ['frozen', AbortSignal.timeout(60_000)]
    const queue = outboxQueue({ name, database, announcer: feed })
    await queue.send('a', {}, signal)
    const frozen = Promise.withResolvers<void>()
    const holds = Promise.withResolvers<void>()
    const first = outboxWorker({
      name,
      database,
      announcer: feed,
      log,
      lockMs: 300,
      handler: async () => {
        holds.resolve()
        await frozen.promise
      },
    })
    await first.start(signal)
    await holds.promise
    const handled: string[] = []
    const second = outboxWorker({
      name,
      database,
      announcer: feed,
      log,
      handler: async (some) => void handled.push(...some.map((each) => each.name)),
    })
    await second.start(signal)
    await expect.poll(() => handled).toEqual(['a'])
    frozen.resolve()
    await first.stop()
    await second.stop()
    expect(await queue.depth(signal)).toBe(0)
    expect(handled).toEqual(['a'])
  })
})
