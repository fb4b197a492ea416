import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { onRedisCluster } from '../../support/engines/redis/on-cluster.ts'
import { keyValueContract } from './key-value.contract.ts'

await onRedisCluster((cluster) =>
  keyValueContract('Redis Cluster', async () => {
    const start = async () => {
      const store = redisKeyValue({ ...cluster().address, prefix: 'town', log })
      await store.start(AbortSignal.timeout(60_000))
      return store
    }
    const [here, there] = [await start(), await start()]
    return [here, there, async () => void (await Promise.all([here.stop(), there.stop()]))]
  }),
)
