import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { silentLog } from '../../../foundation/log.ts'
import { clearRedis, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { openGate } from '../../support/processes/gate.ts'
import { keyValueContract } from './key-value.contract.ts'

const url = realRedis()
const prefix = `test-${randomBytes(6).toString('hex')}`
const start = async (address: string) => {
  const store = redisKeyValue({ url: address, prefix, log: silentLog })
  await store.start(AbortSignal.timeout(60_000))
  return store
}

if (url === undefined) skippedWithout('REDIS_URL', 'key-value store: Redis')
else {
  keyValueContract('Redis', async () => {
    const [here, there] = [await start(url), await start(url)]
    const close = async (): Promise<void> => {
      await Promise.all([here.stop(), there.stop()])
      await clearRedis(prefix)
    }
    return [here, there, close]
  })

  describe('Redis', () => {
    it('refuses without hanging while the server is frozen or unavailable, and works again by itself', async () => {
      await using gate = await openGate(url)
      const store = await start(gate.url)
      try {
        await store.set('kept', 'yes', 60_000)
        for (const failure of ['freeze', 'cut'] as const) {
          gate[failure]()
          await expect(store.get('kept')).rejects.toThrow(EngineUnavailable)
          gate.open()
          await expect.poll(() => store.get('kept').catch(() => undefined)).toBe('yes')
        }
      } finally {
        await store.stop()
      }
    })

    it('starts without the server and stops cleanly', async () => {
      const store = await start('redis://127.0.0.1:1/0')
      await expect(store.health(AbortSignal.timeout(1000))).rejects.toThrow(EngineUnavailable)
      await store.stop()
    })
  })
}
