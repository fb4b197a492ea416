import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bullmqJobQueue } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import type { Authorities } from '../../../foundation/engine-start/authorities.ts'
import type { RedisAddress } from '../../../foundation/engine-start/redis-address.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { examineRedis } from '../../../platform/doctor/redis.ts'
import { hasRedis } from '../../support/engines/redis/server.ts'
import { openTlsRedis, type TlsRedis } from '../../support/engines/redis/tls-server.ts'
import { serverIdentity } from '../../support/engines/tls-authority.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const identity = serverIdentity('an engine')
const stranger = serverIdentity('a stranger')
const user = { username: 'platform', password: 'secret' }
const accessList = ['user default off', `user ${user.username} on >${user.password} ~* &* +@all`]
/** a sentinel has no users */
const sentinelCredentials = { password: 'of-the-sentinel' }
const host = '127.0.0.1'
/** no client connects to this host */
const url = `rediss://${user.username}:${user.password}@nowhere.invalid:1`

const [described, about] = (await hasRedis())
  ? [describe, 'with a user and TLS']
  : [describe.skip, 'Redis with a user and TLS: SKIPPED, this machine has no redis-server']

described(about, () => {
  const open = new AsyncDisposableStack()
  let sentinel: TlsRedis
  let node: TlsRedis
  beforeAll(async () => {
    const master = open.use(await openTlsRedis(identity, accessList, user))
    const watch = [
      `requirepass ${sentinelCredentials.password}`,
      `sentinel monitor town ${host} ${master.port} 1`,
      `sentinel auth-user town ${user.username}`,
      `sentinel auth-pass town ${user.password}`,
    ]
    sentinel = open.use(await openTlsRedis(identity, watch, sentinelCredentials, 'sentinel'))
    node = open.use(
      await openTlsRedis(identity, [...accessList, 'cluster-enabled yes', 'tls-cluster yes', 'cluster-announce-ip 127.0.0.1'], user),
    )
    await node.client.cluster('ADDSLOTSRANGE', 0, 16_383)
    const isReady = async () => expect(String(await node.client.cluster('INFO'))).toMatch(/state:ok/)
    await vi.waitFor(isReady, 60_000)
  })
  afterAll(() => open.disposeAsync())

  const addressOf = (kind: string): RedisAddress =>
    kind === 'sentinel'
      ? { url, sentinel: { nodes: [{ host, port: sentinel.port }], name: 'town', ...sentinelCredentials } }
      : { url, clusterNodes: [{ host, port: node.port }] }

  it.each(['sentinel', 'cluster'])('a %s is trusted with the file of its authority, and not without it', async (kind) => {
    const address = addressOf(kind)
    const prefix = `{${kind}}`
    const works = async (ca: Authorities | undefined): Promise<readonly boolean[]> => {
      const store = redisKeyValue({ ...address, ca, prefix, log })
      const queue = bullmqJobQueue({ name: 'jobs', connection: { kind: 'redis', ...address, ca, prefix }, log })
      const isDone = (work: Promise<unknown>) =>
        work.then(
          () => true,
          () => false,
        )
      try {
        for (const part of [store, queue]) await part.start(signal())
        return await Promise.all([
          isDone(store.set('key', 'value', 60_000)),
          isDone(queue.add([{ id: 'one', priority: 1 }], signal())),
          isDone(examineRedis({ ...address, ca }, 2000)),
        ])
      } finally {
        for (const part of [store, queue]) await part.stop()
      }
    }
    expect(await works(() => identity.ca)).toEqual([true, true, true])
    for (const ca of [undefined, () => stranger.ca]) expect(await works(ca)).toEqual([false, false, false])
  })

  it('doctor does not wait for a cluster whose nodes report no addresses', async () => {
    await using silent = await openTlsRedis(identity, [...accessList, 'cluster-enabled yes', 'tls-cluster yes'], user)
    await silent.client.cluster('ADDSLOTSRANGE', 0, 16_383)
    const address = { url, ca: () => identity.ca, clusterNodes: [{ host, port: silent.port }] }
    await expect(examineRedis(address, 1000)).rejects.toThrow('no node reported the cluster nodes in time')
  })
})
