import { Cluster, type Redis } from 'ioredis'
import { kindOfRedis, oldestRedis, redisReasonOf } from '../../engines/key-value/redis-refusal.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import { openRedis } from '../../foundation/engine-start/redis-client.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

/** Settings of Redis; undefined if not reported, as by services that forbid CONFIG. */
export interface RedisReadings {
  readonly version: string
  readonly appendonly: string | undefined
  readonly appendfsync: string | undefined
  readonly 'maxmemory-policy': string | undefined
}

const settings = ['appendonly', 'appendfsync', 'maxmemory-policy'] as const

/** Examines a Redis server, or each master of a cluster. @throws {Error} if it is unreachable, rejects the credentials or does not respond in time */
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
    // would not settle for a cluster whose nodes report no addresses
    await withTimeout(redis.connect(), limitMs, undefined, () => new Error('no node reported the cluster nodes in time'))
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
  const values = await Promise.all(settings.map(async (name) => [name, await setting(redis, name)] as const))
  const { appendonly, appendfsync, 'maxmemory-policy': policy } = Object.fromEntries(values)
  return { version, appendonly, appendfsync, 'maxmemory-policy': policy }
}

/** Merges the findings of several servers; each finding is the worst. */
function worstOf(servers: readonly (readonly Finding[])[]): readonly Finding[] {
  const severity = { fine: 0, doubtful: 1, wrong: 2 }
  const [first = []] = servers
  return first.map((finding, index) =>
    servers
      .flatMap((findings) => findings[index] ?? [])
      .reduce((worst, each) => (severity[each.verdict] > severity[worst.verdict] ? each : worst), finding),
  )
}

/** Returns the number of replicas of the master with the fewest. */
const replicasIn = (cluster: Cluster): number => Math.min(...cluster.slots.filter(Boolean).map(({ length }) => length - 1))

/** @param fewest - replicas of the master with the fewest */
export function replicasFinding(fewest: number): Finding {
  if (fewest > 0) return fine('replicas', 'each master has one')
  const next = 'redis-cli --cluster add-node HOST:PORT HOST:PORT --cluster-slave'
  return doubtful('replicas', 'a master has none: if it fails, the whole cluster is unavailable', next)
}

async function setting(redis: Redis, name: string): Promise<string | undefined> {
  const answer: unknown = await redis.config('GET', name).catch(() => undefined)
  return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : undefined
}

/**
 * Only messages of external senders wait in Redis alone; data that the platform acknowledges does not. @see Redis documentation, "Persistence" and
 * "Key eviction"; BullMQ, "Going to production"
 */
export function redisFindings(readings: RedisReadings): readonly Finding[] {
  return [versionFinding(readings.version, oldestRedis, 'Redis'), eviction(readings['maxmemory-policy']), persistence(readings)]
}

function eviction(policy: string | undefined): Finding {
  const next = 'CONFIG SET maxmemory-policy noeviction; also in redis.conf.'
  if (policy === undefined) return unknown('maxmemory-policy', 'Required: noeviction.')
  if (policy === 'noeviction') return fine('maxmemory-policy', policy)
  return wrong('maxmemory-policy', `${policy}: a full Redis evicts queued jobs and messages`, next)
}

function persistence({ appendonly, appendfsync }: RedisReadings): Finding {
  if (appendonly === undefined || appendfsync === undefined) return unknown('appendonly', 'Recommended: yes, with appendfsync always.')
  const lost = 'delegation messages whose senders got an acknowledgement'
  const next = 'CONFIG SET appendonly yes; CONFIG SET appendfsync always; also in redis.conf. Jobs and expressions do not depend on it.'
  if (appendonly !== 'yes') return doubtful('appendonly', `${appendonly}: a crash loses ${lost} since the last snapshot`, next)
  if (appendfsync !== 'always')
    return doubtful('appendfsync', `${appendfsync}: a power failure loses ${lost} in the last second or more`, next)
  return fine('appendonly', 'yes, appendfsync always')
}

const unknown = (about: string, next: string): Finding => doubtful(about, 'not reported by the server (CONFIG is forbidden)', next)
