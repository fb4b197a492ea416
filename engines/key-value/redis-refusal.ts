import { EngineRefusal, refuseOld } from '../../foundation/engine-start/engine-opening.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import { noSuchDatabase, type RedisClient } from '../../foundation/engine-start/redis-client.ts'
import { messageOf } from '../../foundation/fault.ts'

/** oldest supported major version of Redis */
export const oldestRedis = 7

/** Returns version and mode of a server; undefined if unknown, as with services that forbid INFO or after a disconnect. */
export async function kindOfRedis(redis: Pick<RedisClient, 'info'>): Promise<{
  readonly version: string | undefined
  /** standalone, sentinel or cluster */
  readonly mode: string | undefined
}> {
  const info = await redis.info('server').catch(() => '')
  // linear: reads INFO of our Redis
  const infoField = (name: string): string | undefined => new RegExp(`^${name}:(.+)$`, 'm').exec(info)?.[1]?.trim()
  return { version: infoField('redis_version'), mode: infoField('redis_mode') }
}

/** Returns the error of the last node; a cluster client reports only that no node could be used. */
export const redisReasonOf = (error: unknown): string =>
  messageOf(error instanceof Error && 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error)

/** Error codes for a wrong or missing user or password, or insufficient rights (Redis documentation, "ACL"). */
const refusesUser = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/
const isNoCluster = /cluster support disabled/

/** @returns undefined for other errors */
export function refusalByRedis(error: unknown): EngineRefusal | undefined {
  const reason = redisReasonOf(error)
  if (isNoCluster.test(reason)) return refusal('REDIS_CLUSTER_NODES names a Redis that is not a cluster')
  if (noSuchDatabase.test(reason))
    return refusal('it does not have the database that REDIS_URL names after the port (see its setting "databases")')
  const [code] = refusesUser.exec(reason) ?? []
  return code === undefined ? undefined : refusal(`it rejects the user or the password of REDIS_URL (${code})`)
}

const refusal = (reason: string): EngineRefusal => new EngineRefusal(`Redis cannot be used: ${reason}`)

/** @throws {EngineRefusal} if it is too old, or a cluster node is configured as a single server */
export async function refuseUnfitRedis(redis: Pick<RedisClient, 'info'>, { clusterNodes }: RedisAddress): Promise<void> {
  const { version = 'unknown', mode } = await kindOfRedis(redis)
  refuseOld('Redis', version, oldestRedis)
  if (clusterNodes === undefined && mode === 'cluster') throw refusal('REDIS_URL points to a cluster node: set REDIS_CLUSTER_NODES, too')
}
