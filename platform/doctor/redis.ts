import { Redis } from 'ioredis'
import { oldestRedis, versionOfRedis } from '../../subgraphs/engines/key-value/redis-refusal.ts'
import { type RedisAddress, sentinelOptions } from '../../subgraphs/foundation/engine-start/redis-address.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

/** What Redis says of itself; undefined what it does not tell, as services that forbid CONFIG. */
export interface RedisReadings {
  readonly version: string
  readonly appendonly: string | undefined
  readonly appendfsync: string | undefined
  readonly 'maxmemory-policy': string | undefined
}

const settings = ['appendonly', 'appendfsync', 'maxmemory-policy'] as const

/**
 * Asks the Redis at an address.
 * @throws {Error} when it cannot be reached, refuses the password or does not answer in time
 */
export async function examineRedis(address: RedisAddress, limitMs: number): Promise<Examination> {
  const redis = new Redis(address.url, {
    ...sentinelOptions(address),
    sentinelRetryStrategy: () => null,
    lazyConnect: true,
    connectTimeout: limitMs,
    commandTimeout: limitMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let reason: Error | undefined
  redis.on('error', (error) => (reason ??= error))
  try {
    await redis.connect()
    const { tookMs } = await timed(() => redis.ping())
    const version = (await versionOfRedis(redis)) ?? 'unknown'
    const told = await Promise.all(settings.map(async (name) => [name, await setting(redis, name)] as const))
    const { appendonly, appendfsync, 'maxmemory-policy': policy } = Object.fromEntries(told)
    const findings = redisFindings({ version, appendonly, appendfsync, 'maxmemory-policy': policy })
    return { engine: `Redis ${version}`, answeredInMs: tookMs, findings }
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

async function setting(redis: Redis, name: string): Promise<string | undefined> {
  const answer: unknown = await redis.config('GET', name).catch(() => undefined)
  return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : undefined
}

/**
 * Nothing that the platform itself acknowledges waits in Redis alone; the messages that others send there do.
 * @see Redis documentation, "Persistence" and "Key eviction"; BullMQ, "Going to production"
 */
export function redisFindings(readings: RedisReadings): readonly Finding[] {
  return [versionFinding(readings.version, oldestRedis, 'Redis'), eviction(readings['maxmemory-policy']), persistence(readings)]
}

function eviction(policy: string | undefined): Finding {
  const next = 'CONFIG SET maxmemory-policy noeviction; and in redis.conf.'
  if (policy === undefined) return unknown('maxmemory-policy', 'It has to be noeviction.')
  if (policy === 'noeviction') return fine('maxmemory-policy', policy)
  return wrong('maxmemory-policy', `${policy}: a full Redis drops jobs and messages of the queues`, next)
}

function persistence({ appendonly, appendfsync }: RedisReadings): Finding {
  if (appendonly === undefined || appendfsync === undefined) return unknown('appendonly', 'It should be yes, with appendfsync always.')
  const lost = 'messages of delegations that their sender was told are queued'
  const next = 'CONFIG SET appendonly yes; CONFIG SET appendfsync always; and in redis.conf. Jobs and expressions do not depend on it.'
  if (appendonly !== 'yes') return doubtful('appendonly', `${appendonly}: a crash loses ${lost} since the last snapshot`, next)
  if (appendfsync !== 'always')
    return doubtful('appendfsync', `${appendfsync}: a loss of power loses ${lost} in the last second or more`, next)
  return fine('appendonly', 'yes, appendfsync always')
}

const unknown = (about: string, next: string): Finding => doubtful(about, 'the server does not tell (CONFIG is forbidden)', next)
