import { randomBytes } from 'node:crypto'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { silentLog } from '../../../foundation/log.ts'
import { clearRedis, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { entityCacheContract } from './entity-cache.contract.ts'

const url = realRedis()

if (url === undefined) skippedWithout('REDIS_URL', 'cached entities: Redis')
else
  entityCacheContract('Redis', async () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const store = redisKeyValue({ url, prefix, log: silentLog })
    await store.start(AbortSignal.timeout(60_000))
    const close = async (): Promise<void> => {
      await store.stop()
      await clearRedis(prefix)
    }
    return { store, close }
  })
