import type { RedisOptions } from 'ioredis'

/** Where Redis is. */
export interface RedisAddress {
  /** of the server; where sentinels tell which that is, its user, password, database and TLS alone */
  readonly url: string
  readonly sentinel?: RedisSentinel | undefined
}

/** Processes beside several servers that choose another master when one fails. @see https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/ */
export interface RedisSentinel {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  /** what they call the master */
  readonly name: string
  /** of the sentinels themselves */
  readonly password?: string | undefined
}

/** What a connection is made with beside its URL: that it asks the sentinels for the master, and leaves one that has become a replica. */
export function sentinelOptions({ url, sentinel }: RedisAddress) {
  if (sentinel === undefined) return {}
  return {
    sentinels: [...sentinel.nodes],
    name: sentinel.name,
    role: 'master' as const,
    ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    enableTLSForSentinelMode: url.startsWith('rediss:'),
    sentinelRetryStrategy: (times: number) => Math.min(times * 100, 1000),
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  } satisfies RedisOptions
}
