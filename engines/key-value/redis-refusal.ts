import { EngineRefusal, refuseOld } from '../../foundation/engine-start/engine-refusal.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import type { RedisClient } from '../../foundation/engine-start/redis-client.ts'
import { messageOf } from '../../foundation/fault.ts'

/** of Redis, that we work with */
export const oldestRedis = 7

/** What a server is; undefined where it is not told, as by services that forbid INFO, or by a server that went away. */
export async function kindOfRedis(redis: Pick<RedisClient, 'info'>): Promise<{
  readonly version: string | undefined
  /** standalone, sentinel or cluster */
  readonly mode: string | undefined
}> {
  const info = await redis.info('server').catch(() => '')
  // linear: reads INFO of our Redis
  const told = (name: string): string | undefined => new RegExp(`^${name}:(.+)$`, 'm').exec(info)?.[1]?.trim()
  return { version: told('redis_version'), mode: told('redis_mode') }
}

/** A client of a cluster says that no node could be used, and keeps to itself what the last of them answered. */
export const redisReasonOf = (error: unknown): string =>
  messageOf(error instanceof Error && 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error)

/** A user or password that is wrong or missing, or a user that may not do what we do (Redis documentation, "ACL"). */
const refusesUser = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/
const isNoCluster = /cluster support disabled/

/** @returns undefined when the failure is of another kind */
export function refusalByRedis(error: unknown): EngineRefusal | undefined {
  const reason = redisReasonOf(error)
  if (isNoCluster.test(reason)) return refusal('REDIS_CLUSTER_NODES names a Redis that is no cluster')
  const [code] = refusesUser.exec(reason) ?? []
  return code === undefined ? undefined : refusal(`it refuses the user or the password of REDIS_URL (${code})`)
}

const refusal = (reason: string): EngineRefusal => new EngineRefusal(`Redis cannot be used: ${reason}`)

/** @throws {EngineRefusal} when it is too old, or a node of a cluster that is taken for a server by itself */
export async function refuseUnfitRedis(redis: Pick<RedisClient, 'info'>, { clusterNodes }: RedisAddress): Promise<void> {
  const { version = 'unknown', mode } = await kindOfRedis(redis)
  refuseOld('Redis', version, oldestRedis)
  if (clusterNodes === undefined && mode === 'cluster')
    throw refusal('REDIS_URL leads to a node of a cluster; name some of its nodes in REDIS_CLUSTER_NODES, too')
}
