import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { expect, it } from 'vitest'
import { connectRedis } from '../../engines/job-queue/bullmq-connection.ts'
import { AcknowledgedWork } from '../support/clients/acknowledged-work.ts'
import { tokenOf } from '../support/clients/content-client.ts'
import { onRedisCluster } from '../support/engines/redis/on-cluster.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'

const open = closedAfterEach()
const prefix = 'town'
/** The slot of the queues and the announcements. */
const queues = `{${prefix}}`

await onRedisCluster((cluster) => {
  it('serves the whole platform also when a master is killed: each acknowledged request is stored exactly once', {
    timeout: 400_000,
  }, async () => {
    const { address, killMasterOf } = cluster()
    const system = await startSystem({
      layout: 'split',
      env: {
        REDIS_URL: address.url,
        REDIS_CLUSTER_NODES: address.clusterNodes.map(({ host, port }) => `${host}:${port}`).join(),
        REDIS_PREFIX: prefix,
        ADMIN_AUTH: 'token-or-key',
      },
    })
    open.push(system)
    const work = new AcknowledgedWork(system)
    open.push(work)
    await work.begin()
    await work.round('before')
    const killed = sleep(200).then(() => killMasterOf(queues))
    for (const name of ['during-1', 'during-2', 'during-3']) await work.round(name)
    await killed
    await work.round('after')
    await work.expectStored()

    // external systems send delegations under the prefix that docs/engines.md documents
    const { connection, end } = connectRedis(address, false)
    open.push({ [Symbol.asyncDispose]: async () => end() })
    const delegation = { id: 'one', delegator: 'A', delegate: 'B', group_id: 'default', starts_at: '2026-01-01T00:00:00Z' }
    const queue = new Queue('delegations', { connection, prefix: queues })
    const headers = { authorization: `Bearer ${await tokenOf(system)}` }
    const readDelegations = async () =>
      (await (await fetch(`${system.rest.administration}/delegations`, { headers })).json()) as { total: number }
    // a busy master that fails over loses its newest writes: the sender sends the delegation again
    const sent = async (): Promise<number> => {
      await queue.add('delegation.changed', delegation)
      return (await readDelegations()).total
    }
    await expect.poll(sent, { interval: 5000, timeout: 180_000 }).toBe(1)
  })
})
