import type { Redis } from 'ioredis'
import { EngineRefusal, refuseOld } from '../../foundation/engine-start/engine-refusal.ts'
import { messageOf } from '../../foundation/fault.ts'

/** of Redis, that we work with */
export const oldestRedis = 7

/** @returns undefined where it is not told, as by services that forbid INFO, or by a server that went away */
export async function versionOfRedis(redis: Pick<Redis, 'info'>): Promise<string | undefined> {
  const info = await redis.info('server').catch(() => '')
  return /^redis_version:(.+)$/m.exec(info)?.[1]?.trim()
}

/** A user or password that is wrong or missing, or a user that may not do what we do (Redis documentation, "ACL"). */
const refusesUser = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/

/** @returns undefined when the failure is of another kind */
export function refusalByRedis(error: unknown): EngineRefusal | undefined {
  const [code] = refusesUser.exec(messageOf(error)) ?? []
  if (code === undefined) return undefined
  return new EngineRefusal(`Redis cannot be used: it refuses the user or the password of REDIS_URL (${code})`)
}

/** @throws {EngineRefusal} */
export async function refuseOldRedis(redis: Pick<Redis, 'info'>): Promise<void> {
  refuseOld('Redis', (await versionOfRedis(redis)) ?? 'unknown', oldestRedis)
}
