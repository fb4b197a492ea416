import type { Redis } from 'ioredis'
import { refuseOld } from '../../foundation/opening/engine-version.ts'

/** of Redis, that we work with */
export const oldestRedis = 7

/** @returns undefined where it is not told, as by services that forbid INFO, or by a server that went away */
export async function versionOfRedis(redis: Pick<Redis, 'info'>): Promise<string | undefined> {
  const info = await redis.info('server').catch(() => '')
  return /^redis_version:(.+)$/m.exec(info)?.[1]?.trim()
}

/** @throws {EngineTooOld} */
export async function refuseOldRedis(redis: Pick<Redis, 'info'>): Promise<void> {
  refuseOld('Redis', (await versionOfRedis(redis)) ?? 'unknown', oldestRedis)
}
