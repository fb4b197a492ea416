import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import { openRedis, retryDelayMs } from '../../foundation/engine-start/redis-client.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { type KeyValue, type Partition, type PartitionedKeyValue, partitionKey } from './key-value.ts'
import { redisReasonOf, refusalByRedis, refuseUnfitRedis } from './redis-refusal.ts'

const answerLimitMs = 2000
/** how long a start waits for the server before it continues without, ms */
const startTimeoutMs = 2000

/** Increments and sets the time to live of a new counter atomically: a client that died between two commands would leave it forever. */
const countScript = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`

const deleteScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

/**
 * Stores values in Redis 7, one server or a cluster. While it is unavailable every call fails within 2 s, immediately once that is known; reconnects
 * by itself.
 */
export function redisKeyValue(options: RedisAddress & { readonly prefix: string; readonly log: Log }): PartitionedKeyValue & Part {
  const { prefix, log } = options
  const redis = openRedis(options, {
    lazyConnect: true,
    connectTimeout: answerLimitMs,
    commandTimeout: answerLimitMs,
    disconnectTimeout: 200,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retry: retryDelayMs,
  })
  let outage: string | undefined
  redis.on('error', (error) => {
    if (outage === undefined) log.warn({ engine: 'key-value store', reason: redisReasonOf(error) }, 'engine unavailable, retrying')
    outage ??= redisReasonOf(error)
  })
  redis.on('ready', () => {
    if (outage !== undefined) log.info({ engine: 'key-value store' }, 'engine available')
    outage = undefined
  })
  const ask = async <Answer>(answer: Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
    try {
      return await withTimeout(answer, answerLimitMs, signal, () => new Error(`no response within ${answerLimitMs} ms`))
    } catch (error) {
      throw new EngineUnavailable('key-value store', new Error(messageOf(error)))
    }
  }
  const partition = (name: Partition | 'security'): KeyValue => {
    const keyOf = (key: string): string => `${prefix}:kv:${partitionKey(name, key)}`
    return {
      engine: 'redis',
      async get(key) {
        return (await ask(redis.get(keyOf(key)))) ?? undefined
      },
      async set(key, value, ttlMs) {
        await ask(redis.set(keyOf(key), value, 'PX', ttlMs))
      },
      async setIfAbsent(key, value, ttlMs) {
        return (await ask(redis.set(keyOf(key), value, 'PX', ttlMs, 'NX'))) === 'OK'
      },
      async increment(key, ttlMs) {
        return Number(await ask(redis.eval(countScript, 1, keyOf(key), ttlMs)))
      },
      async delete(key) {
        await ask(redis.del(keyOf(key)))
      },
      async deleteIf(key, value) {
        await ask(redis.eval(deleteScript, 1, keyOf(key), value))
      },
      async health(signal) {
        await ask(redis.ping(), signal)
      },
    }
  }
  return {
    ...partition('security'),
    partition,
    name: 'key-value store',
    get absence() {
      return outage === undefined ? undefined : `The key-value store cannot be used: ${outage}`
    },
    async start(signal) {
      // fails on the first attempt and retries in the background
      await withTimeout(redis.connect(), startTimeoutMs, signal, () => new Error('no response yet')).catch(() => undefined)
      signal.throwIfAborted()
      const refusal = refusalByRedis(outage)
      if (refusal !== undefined) throw refusal
      if (redis.status === 'ready') await refuseUnfitRedis(redis, options)
    },
    async stop() {
      redis.disconnect()
    },
  }
}
