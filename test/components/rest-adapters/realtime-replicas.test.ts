import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RedisAddress } from '../../../foundation/engine-start/redis-address.ts'
import { silentLog } from '../../../foundation/log.ts'
import { replicasOnRedis } from '../../../rest-adapters/exploration/realtime/replicas.ts'
import { clearRedis, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { onRedisCluster } from '../../support/engines/redis/on-cluster.ts'
import { type Channel, openChannel, receivedEvents, subscribe, TestRealtimeSource } from '../../support/rest/realtime.ts'

const prefix = `test-${randomBytes(6).toString('hex')}`

/** The behaviour of two replicas. @param redis - its address, which is available once the tests run */
function replicasBehind(redis: () => RedisAddress): void {
  // the event feed, which every replica follows
  const source = new TestRealtimeSource()
  let replicas: Channel[] = []
  beforeAll(async () => {
    const open = () => openChannel({ source, replicas: replicasOnRedis({ ...redis(), prefix, log: silentLog }) })
    replicas = await Promise.all([open(), open()])
  })
  afterAll(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
  })
  const copy = (index: number): Channel => {
    const replica = replicas[index]
    if (replica === undefined) throw new Error(`there is no replica ${index}`)
    return replica
  }

  it('send every event once to each client, with the same seq, and the total audience', async () => {
    const [one, two, three] = [await copy(0).connect(), await copy(1).connect(), await copy(1).connect()]
    const all = [one, two, three].map((client) => receivedEvents<{ seq: number }>(client, 'expression:created'))
    const audience = receivedEvents<{ clients: number }>(one, 'audience')
    for (const client of [one, two, three]) await subscribe(client)
    for (let seq = 1; seq <= 20; seq++) source.emit(seq)
    await expect.poll(() => all.map((events) => events.length)).toEqual([20, 20, 20])
    await sleep(300)
    for (const events of all) expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    await expect.poll(() => audience.at(-1)).toEqual({ clients: 3 })
  })

  it('let a client resume on another replica at its position', async () => {
    const here = await copy(0).connect()
    const received = receivedEvents<{ seq: number }>(here, 'expression:created')
    await subscribe(here)
    source.emit(21)
    await expect.poll(() => received.length).toBe(1)
    here.disconnect()
    source.emit(22)
    const there = await copy(1).connect()
    const missed = receivedEvents<{ seq: number }>(there, 'expression:created')
    await subscribe(there, { after: 21 })
    source.emit(23)
    await expect.poll(() => missed.map(({ seq }) => seq)).toEqual([22, 23])
  })
}

const redis = realRedis()
if (redis === undefined) skippedWithout('REDIS_URL', 'replicas of the realtime channel behind one Redis')
else
  describe('replicas of the realtime channel behind one Redis', () => {
    replicasBehind(() => ({ url: redis }))
    afterAll(() => clearRedis(prefix))
  })

await onRedisCluster((cluster) => describe('replicas of the realtime channel', () => replicasBehind(() => cluster().address)))

it('replicas of the realtime channel work independently while Redis is unavailable', async () => {
  const source = new TestRealtimeSource()
  const alone = await openChannel({ source, replicas: replicasOnRedis({ url: 'redis://127.0.0.1:1', prefix, log: silentLog }) })
  const client = await alone.connect()
  const received = receivedEvents<{ seq: number }>(client, 'expression:created')
  await subscribe(client)
  source.emit(1)
  await expect.poll(() => received.map(({ seq }) => seq)).toEqual([1])
  await alone[Symbol.asyncDispose]()
})
