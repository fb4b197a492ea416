import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** Every record of a platform in Redis, and the append-only file if it is on this machine: as one text for searches. */
export async function recordsOf({ REDIS_URL: url = '', REDIS_PREFIX: prefix = '' }: Readonly<Record<string, string>>): Promise<Buffer> {
  const redis = new Redis(url, { connectTimeout: 2000, commandTimeout: 5000, maxRetriesPerRequest: 1 })
  try {
    const records: string[] = []
    // the client's type does not cover the reply of a scan
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 }))
      for (const key of keys as string[]) records.push(key, await contentOf(redis, key))
    return Buffer.concat([Buffer.from(records.join('\n')), ...(await appendedOf(redis))])
  } finally {
    redis.disconnect()
  }
}

async function contentOf(redis: Redis, key: string): Promise<string> {
  const read: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1', 'WITHSCORES'),
    stream: () => redis.xrange(key, '-', '+'),
    // removed since it was listed
    none: async () => undefined,
  }
  const type = await redis.type(key)
  const content = read[type]
  if (content === undefined) throw new Error(`Redis has a record of type ${type}`)
  return JSON.stringify(await content()) ?? ''
}

async function appendedOf(redis: Redis): Promise<readonly Buffer[]> {
  const [, folder = ''] = (await redis.config('GET', 'dir')) as string[]
  const [, name = ''] = (await redis.config('GET', 'appenddirname')) as string[]
  const files = await readdir(join(folder, name)).catch(() => [])
  return Promise.all(files.map((file) => readFile(join(folder, name, file))))
}
