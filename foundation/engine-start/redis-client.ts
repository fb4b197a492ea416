import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { messageOf } from '../fault.ts'
import { trusting } from './authorities.ts'
import type { RedisAddress, RedisNode } from './redis-address.ts'

export type RedisClient = Redis | Cluster

/** Connection behaviour of a client, independent of the server. */
export interface RedisClientOptions
  extends Pick<
    RedisOptions,
    'lazyConnect' | 'connectTimeout' | 'commandTimeout' | 'disconnectTimeout' | 'maxRetriesPerRequest' | 'enableOfflineQueue'
  > {
  /** delay before the next connection attempt, ms, also to a sentinel or a cluster node; null: no further attempt */
  readonly retry: (times: number) => number | null
}

/** Retries forever, with a delay that grows to 1 s. */
export const retryDelayMs = (times: number): number => Math.min(times * 100, 1000)

/** Timeout after which an unresponsive connection is replaced, such as one dropped by a firewall; no command takes more than 11 s. */
const socketTimeout = 15_000

/** Creates a client of the server, of the master that sentinels report, or of a cluster. Connects immediately unless lazy. */
export function openRedis(address: RedisAddress, clientOptions: RedisClientOptions): RedisClient {
  const { url, clusterNodes } = address
  if (clusterNodes !== undefined) return openCluster(clusterNodes, address, clientOptions)
  const { retry, ...options } = clientOptions
  return keepingDatabase(
    new Redis(url, { ...options, socketTimeout, ...tlsOptions(address), ...sentinelOptions(address, retry), retryStrategy: retry }),
  )
}

/**
 * Ends a connection whose server lacks the database of the URL, at the start and at every reconnect: ioredis would use database 0. Duplicates too.
 */
function keepingDatabase(client: Redis): Redis {
  const { select, duplicate } = client
  return Object.assign(client, {
    select: async (...words: Parameters<Redis['select']>) => {
      try {
        return await select.apply(client, words)
      } catch (error) {
        if (noSuchDatabase.test(messageOf(error))) client.disconnect(true)
        throw error
      }
    },
    duplicate: (...words: Parameters<Redis['duplicate']>) => keepingDatabase(duplicate.apply(client, words)),
  })
}

export const noSuchDatabase = /DB index is out of range/

const tlsOptions = ({ url, ca }: RedisAddress) => (url.startsWith('rediss:') ? { tls: ca === undefined ? {} : trusting(ca) } : {})

/** Asks the sentinels for the master and disconnects from one that was demoted. */
function sentinelOptions(address: RedisAddress, retry: RedisClientOptions['retry']) {
  const { sentinel } = address
  if (sentinel === undefined) return {}
  const { tls } = tlsOptions(address)
  return {
    sentinels: [...sentinel.nodes],
    name: sentinel.name,
    role: 'master' as const,
    ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    ...(tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    sentinelRetryStrategy: retry,
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  } satisfies RedisOptions
}

/** Retries a command that fails because its master is down, every 100 ms for 1.6 s, until a replica has been promoted. */
function openCluster(
  nodes: readonly RedisNode[],
  address: RedisAddress,
  { retry, lazyConnect, enableOfflineQueue, ...options }: RedisClientOptions,
): Cluster {
  const { username, password } = new URL(address.url)
  return new Cluster([...nodes], {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retry,
    // keeps host names, which certificates are issued for
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: {
      ...options,
      socketTimeout,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...tlsOptions(address),
    },
  })
}
