import type { Authorities } from './authorities.ts'

/** Where Redis is. */
export interface RedisAddress {
  /** of the server; where sentinels or a cluster tell which that is, its user, password and TLS alone, and with sentinels the database */
  readonly url: string
  /** that it is trusted by; those of the system when absent */
  readonly ca?: Authorities | undefined
  readonly sentinel?: RedisSentinel | undefined
  /** some of its nodes, which know the others */
  readonly clusterNodes?: readonly RedisNode[] | undefined
}

export interface RedisNode {
  readonly host: string
  readonly port: number
}

/** Processes beside several servers that choose another master when one fails. @see https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/ */
export interface RedisSentinel {
  readonly nodes: readonly RedisNode[]
  /** what they call the master */
  readonly name: string
  /** of the sentinels themselves */
  readonly password?: string | undefined
}
