import { Redis } from 'ioredis'

/** Removes the keys of a prefix from the Redis at this address. */
export async function clearKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url, { connectTimeout: 2000, commandTimeout: 5000, maxRetriesPerRequest: 1 })
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 })) if (keys.length > 0) await redis.del(keys)
  } finally {
    redis.disconnect()
  }
}
