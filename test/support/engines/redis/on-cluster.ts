import { afterAll, beforeAll, describe } from 'vitest'
import { embeddedEngine } from '../engines.ts'
import { newPrefix, type QueueEngine } from '../queue-engines.ts'
import { openRedisCluster, type RedisCluster } from './cluster.ts'
import { hasRedis } from './server.ts'

/**
 * A suite on its own Redis Cluster; skipped with a message without redis-server.
 * @param suite - receives the cluster, which is available to tests and hooks, and the engine that runs queues on it
 */
export async function onRedisCluster(suite: (cluster: () => RedisCluster, engine: QueueEngine) => void): Promise<void> {
  const [described, about] = (await hasRedis())
    ? [describe, 'on a Redis Cluster']
    : [describe.skip, 'on a Redis Cluster: SKIPPED, this machine has no redis-server']
  described(about, () => {
    let opened: RedisCluster | undefined
    const cluster = (): RedisCluster => {
      if (opened === undefined) throw new Error('the Redis Cluster has not been started')
      return opened
    }
    beforeAll(async () => {
      opened = await openRedisCluster()
    })
    afterAll(() => opened?.[Symbol.asyncDispose]())
    suite(cluster, {
      name: 'Redis Cluster',
      relational: embeddedEngine,
      connection: () => ({ kind: 'redis', ...cluster().address, prefix: newPrefix() }),
      async gated(connection) {
        const { gates } = cluster()
        return { connection, gate: gates, [Symbol.asyncDispose]: async () => gates.open() }
      },
      clear: async () => undefined,
    })
  })
}
