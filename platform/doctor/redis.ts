import { Cluster, type Redis } from 'ioredis'
import { kindOfRedis, oldestRedis, redisReasonOf } from '../../engines/key-value/redis-refusal.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import { openRedis } from '../../foundation/engine-start/redis-client.ts'
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
 * Asks the Redis at an address; of a cluster each master.
 * @throws {Error} when it cannot be reached, refuses the password or does not answer in time
 */
export async function examineRedis(address: RedisAddress, limitMs: number): Promise<Examination> {
  const redis = openRedis(address, {
    lazyConnect: true,
    connectTimeout: limitMs,
    commandTimeout: limitMs,
    maxRetriesPerRequest: 0,
    retry: () => null,
  })
  let reason: string | undefined
  redis.on('error', (error) => (reason ??= redisReasonOf(error)))
  try {
    // of a cluster whose nodes tell no addresses it would not end
    await withTimeout(redis.connect(), limitMs, undefined, () => new Error('no node tells in time which nodes there are'))
    const { tookMs } = await timed(() => redis.ping())
    const masters = redis instanceof Cluster ? redis.nodes('master') : [redis]
    const readings = await Promise.all(masters.map(readingsOf))
    const version = readings[0]?.version ?? 'unknown'
    const findings = worstOf(readings.map(redisFindings))
    if (!(redis instanceof Cluster)) return { engine: `Redis ${version}`, answeredInMs: tookMs, findings }
    const engine = `Redis ${version}, a cluster with ${masters.length} masters`
    return { engine, answeredInMs: tookMs, findings: [...findings, replicasFinding(replicasIn(redis))] }
  } catch (error) {
    throw reason === undefined ? error : new Error(reason, { cause: error })
  } finally {
    redis.disconnect()
  }
}

async function readingsOf(redis: Redis): Promise<RedisReadings> {
  const { version = 'unknown' } = await kindOfRedis(redis)
  const told = await Promise.all(settings.map(async (name) => [name, await setting(redis, name)] as const))
  const { appendonly, appendfsync, 'maxmemory-policy': policy } = Object.fromEntries(told)
  return { version, appendonly, appendfsync, 'maxmemory-policy': policy }
}

/** What is found of several servers, each finding as it is where it is worst. */
function worstOf(servers: readonly (readonly Finding[])[]): readonly Finding[] {
  const severity = { fine: 0, doubtful: 1, wrong: 2 }
  const [first = []] = servers
  return first.map((finding, index) =>
    servers
      .flatMap((findings) => findings[index] ?? [])
      .reduce((worst, each) => (severity[each.verdict] > severity[worst.verdict] ? each : worst), finding),
  )
}

/** How many replicas the master with the fewest has. */
const replicasIn = (cluster: Cluster): number => Math.min(...cluster.slots.filter(Boolean).map(({ length }) => length - 1))

/** @param fewest - replicas of the master that has the fewest */
export function replicasFinding(fewest: number): Finding {
  if (fewest > 0) return fine('replicas', 'each master has one')
  const next = 'redis-cli --cluster add-node HOST:PORT HOST:PORT --cluster-slave'
  return doubtful('replicas', 'a master has none: while it is away the cluster answers nobody', next)
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
