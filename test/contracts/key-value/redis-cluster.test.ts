import { expect, it } from 'vitest'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { bullmqJobQueue, bullmqJobWorker } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import type { RedisAddress } from '../../../foundation/engine-start/redis-address.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { examineRedis } from '../../../platform/doctor/redis.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { onRedisCluster } from '../../support/engines/redis/on-cluster.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const prefix = 'town'
/** the hash tag of its queues, announcements and keys: all on one of three masters */
const tag = '{town}'

await onRedisCluster((cluster) => {
  it('is refused with a message that names the setting: as a single server, or with a wrong password', async () => {
    const [{ url, clusterNodes }, [node]] = [cluster().address, cluster().address.clusterNodes]
    const asOne = Object.assign(new URL(url), { hostname: node?.host, port: node?.port }).href
    const refused = async (address: RedisAddress): Promise<readonly string[]> => {
      const connection = { kind: 'redis', ...address, prefix } as const
      const parts = [
        redisKeyValue({ ...address, prefix, log }),
        bullmqJobQueue({ name: 'jobs', connection, log }),
        bullmqJobWorker({ name: 'jobs', connection, log, concurrency: 1, handler: async () => undefined }),
      ]
      const sentences = parts.map(async (part) => {
        const sentence = await part.start(signal()).then(() => 'started', String)
        await part.stop()
        return sentence
      })
      return [...new Set(await Promise.all(sentences))]
    }
    const sentence = (reason: string): readonly string[] => [`EngineRefusal: Redis cannot be used: ${reason}`]
    expect(await refused({ url: asOne })).toEqual(sentence('REDIS_URL points to a cluster node: set REDIS_CLUSTER_NODES, too'))
    expect(await refused({ url: 'redis://:wrong@nowhere.invalid', clusterNodes })).toEqual(
      sentence('it rejects the user or the password of REDIS_URL (WRONGPASS)'),
    )
  })

  it('keeps keys, jobs and announcements when a master is killed and its replica takes over', { timeout: 120_000 }, async () => {
    await using open = new AsyncDisposableStack()
    const started = async <Started extends Part>(part: Started): Promise<Started> => {
      open.defer(() => part.stop())
      await part.start(signal())
      return part
    }
    const { address, killMasterOf } = cluster()
    const connection = { kind: 'redis', ...address, prefix } as const
    const { database } = open.use(await openMigrated(embeddedEngine))
    const store = await started(redisKeyValue({ ...address, prefix, log }))
    const queue = await started(bullmqJobQueue({ name: 'jobs', connection, log }))
    const done: string[] = []
    const handler = async (id: string): Promise<void> => void done.push(id)
    await started(bullmqJobWorker({ name: 'jobs', connection, log, concurrency: 1, handler }))
    const [here, there] = [
      await started(relayEventFeed({ database, connection, log })),
      await started(relayEventFeed({ database, connection, log })),
    ]
    const announcements: string[] = []
    there.onAnnounced('town', () => announcements.push('received'))
    // retried as callers do after a 503
    const untilDone = (work: () => Promise<unknown>) =>
      expect
        .poll(() =>
          work().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
    const findings = async () => {
      const { engine, findings: results } = await examineRedis(address, 5000)
      return [engine, results.find(({ about }) => about === 'replicas')?.verdict]
    }
    expect(await findings()).toEqual([expect.stringMatching(/^Redis 7.*, a cluster with 3 masters$/), 'fine'])

    await untilDone(() => store.set(`${tag} kept`, 'before', 60_000))
    await killMasterOf(tag)
    await expect.poll(() => store.get(`${tag} kept`).catch(() => undefined)).toBe('before')
    await untilDone(() => store.set(`${tag} kept`, 'after', 60_000))
    expect(await store.get(`${tag} kept`)).toBe('after')
    await untilDone(() => queue.add([{ id: 'job', priority: 1 }], signal()))
    await expect.poll(() => done).toEqual(['job'])
    await expect
      .poll(() => {
        here.announce('town', 1)
        return announcements.length
      })
      .toBeGreaterThan(0)
    expect(await findings()).toEqual([expect.stringMatching(/3 masters$/), 'doubtful'])
  })
})
