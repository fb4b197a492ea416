import type { Authorities } from './authorities.ts'

/** The address and credentials of Redis. */
export interface RedisAddress {
  /** of the server; with sentinels or a cluster, only its user, password and TLS apply, with sentinels also its database */
  readonly url: string
  /** CA certificates; those of the system if absent */
  readonly ca?: Authorities | undefined
  readonly sentinel?: RedisSentinel | undefined
  /** some cluster nodes, from which the others are discovered */
  readonly clusterNodes?: readonly RedisNode[] | undefined
}

export interface RedisNode {
  readonly host: string
  readonly port: number
}

/**
 * Processes that monitor Redis servers and promote a replica when the master fails. @see
 * https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/
 */
export interface RedisSentinel {
  readonly nodes: readonly RedisNode[]
  /** name of the master at the sentinels */
  readonly name: string
  /** password of the sentinels themselves */
  readonly password?: string | undefined
}
