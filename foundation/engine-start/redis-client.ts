import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { trusting } from './authorities.ts'
import type { RedisAddress, RedisNode } from './redis-address.ts'

export type RedisClient = Redis | Cluster

/** How a client behaves, whatever it finds at the other end. */
export interface RedisManners
  extends Pick<
    RedisOptions,
    'lazyConnect' | 'connectTimeout' | 'commandTimeout' | 'disconnectTimeout' | 'maxRetriesPerRequest' | 'enableOfflineQueue'
  > {
  /** how long it waits before the next try to connect, also to ask a sentinel or a node; null: there is none */
  readonly retry: (times: number) => number | null
}

/** Quickly at first, and for ever. */
export const triesOn = (times: number): number => Math.min(times * 100, 1000)

/** A connection that is asked and says nothing for so long is made anew, as one that a firewall has forgotten; no question of ours takes over 11 s. */
const socketTimeout = 15_000

/** A client of the server, of the master that sentinels name, or of a cluster. Unless it is lazy it begins to connect. */
export function openRedis(address: RedisAddress, manners: RedisManners): RedisClient {
  const { url, clusterNodes } = address
  if (clusterNodes !== undefined) return openCluster(clusterNodes, address, manners)
  const { retry, ...options } = manners
  return new Redis(url, { ...options, socketTimeout, ...tlsOptions(address), ...sentinelOptions(address, retry), retryStrategy: retry })
}

const tlsOptions = ({ url, ca }: RedisAddress) => (url.startsWith('rediss:') ? { tls: ca === undefined ? {} : trusting(ca) } : {})

/** It asks the sentinels for the master, and leaves one that has become a replica. */
function sentinelOptions(address: RedisAddress, retry: RedisManners['retry']) {
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

/** A command that meets a master that has gone is sent again, every 100 ms for 1.6 s, until a replica has taken its place. */
function openCluster(
  nodes: readonly RedisNode[],
  address: RedisAddress,
  { retry, lazyConnect, enableOfflineQueue, ...options }: RedisManners,
): Cluster {
  const { username, password } = new URL(address.url)
  return new Cluster([...nodes], {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retry,
    // names stay names: a certificate is of a name
    dnsLookup: (host, found) => found(null, host),
    redisOptions: {
      ...options,
      socketTimeout,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...tlsOptions(address),
    },
  })
}
