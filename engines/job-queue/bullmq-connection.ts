import type { PgPool } from 'bullmq'
import { Cluster } from 'ioredis'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineRefusal } from '../../foundation/engine-start/engine-opening.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import { openRedis, type RedisClient, retryDelayMs } from '../../foundation/engine-start/redis-client.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { refusalByRedis, refuseUnfitRedis } from '../key-value/redis-refusal.ts'
import type { DatabaseServer } from '../relational/connections/database-server.ts'
import { openPool } from '../relational/connections/pool.ts'

/** The engine of BullMQ's queues and announcements. */
export type QueueConnection =
  | ({ readonly kind: 'postgres' } & DatabaseServer)
  | ({ readonly kind: 'redis'; readonly prefix: string } & RedisAddress)

export const engineOf = (connection: QueueConnection): string => (connection.kind === 'postgres' ? 'postgresql' : 'redis')

const connectLimitMs = 2000
/** how long a start waits for the engine before it continues without, and a stop for the close, ms */
const startTimeoutMs = 2000
const retryMs = 1000
const maxWaitMs = 3_600_000

/** PostgreSQL schema of BullMQ's tables */
export const bullmqSchemaName = 'bullmq'

export interface PostgresConnectionOptions {
  /** maximum number of connections in addition to the listening one */
  readonly connections: number
  readonly log: Log
  /**
   * For work that is redone if its record is lost: commits do not wait for the disk. A crash of PostgreSQL loses the last moments of these commits
   * and nothing committed durably (PostgreSQL manual, "Asynchronous Commit").
   */
  readonly isRelaxed?: boolean
}

/** Opens connections for BullMQ, which neither creates nor closes them. bullmq-schema.ts migrates its tables. */
export function connectPostgres(
  server: DatabaseServer,
  { connections, log, isRelaxed = false }: PostgresConnectionOptions,
): { readonly connection: PgPool } & Pick<EngineSide, 'end'> {
  const pool = openPool({
    ...server,
    log,
    settings: {
      application_name: clientName('queue'),
      max: connections + 1,
      connectionTimeoutMillis: connectLimitMs,
      query_timeout: 5000,
      keepAlive: true,
      options: `-c search_path=${bullmqSchemaName}${isRelaxed ? ' -c synchronous_commit=off' : ''}`,
    },
  })
  // BullMQ takes a pool of node-postgres, but its own type declares other overloads of `on`
  return { connection: pool as unknown as PgPool, end: () => void pool.end().catch(() => undefined) }
}

/**
 * Tracks a client with the duplicates that BullMQ makes of it, so that all can be closed: BullMQ's close waits for an absent server. @returns closes
 * them
 */
function ownedWithDuplicates(client: RedisClient): () => void {
  const all: RedisClient[] = []
  let isOver = false
  const own = (each: RedisClient): RedisClient => {
    each.on('error', () => undefined)
    // BullMQ reconnects a cluster client by ending it, and leaves it ended if no node is reachable at that moment
    if (each instanceof Cluster)
      each.on('end', () => setTimeout(() => void (isOver || each.connect().catch(() => undefined)), retryMs).unref())
    all.push(each)
    return each
  }
  const duplicate = client.duplicate as (...words: unknown[]) => RedisClient
  Object.assign(own(client), { duplicate: (...words: unknown[]) => own(duplicate.apply(client, words)) })
  return () => {
    isOver = true
    for (const each of all) each.disconnect()
  }
}

/** Connects with retries forever. With `waits` commands wait for the connection; otherwise they fail immediately, or after 2 s. */
export function connectRedis(address: RedisAddress, waits: boolean): { readonly connection: RedisClient } & EngineSide {
  const connection = openRedis(address, {
    connectTimeout: connectLimitMs,
    disconnectTimeout: 200,
    retry: retryDelayMs,
    ...(waits ? { maxRetriesPerRequest: null } : { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 2000 }),
  })
  return { connection, end: ownedWithDuplicates(connection), accept: () => refuseUnfitRedis(connection, address) }
}

/**
 * Returns the prefix of queues. BullMQ uses several keys of a queue in one command, which a cluster stores together only if they share a hash tag in
 * braces (Redis documentation, "Redis cluster specification", Hash tags).
 */
export const queuePrefix = ({ prefix, clusterNodes }: RedisAddress & { readonly prefix: string }): string =>
  clusterNodes === undefined || /\{[^{}]+\}/.test(prefix) ? prefix : `{${prefix}}`

/** The lifecycle methods of a BullMQ object. */
export interface Client {
  waitUntilReady(): Promise<unknown>
  close(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Controls the engine behind such an object. */
interface EngineSide {
  /** closes the connections, even if Redis does not respond */
  end(): void
  /** @throws {EngineRefusal} */
  accept(): Promise<void>
}

/** A BullMQ object with the controls of its engine. */
export type OpenClient<Connected extends Client> = { readonly client: Connected } & Partial<EngineSide>

/**
 * Keeps one BullMQ object open. An open one reconnects by itself, but one whose first connection fails halfway stays broken; it is closed and
 * recreated every second until it works.
 */
export class PersistentConnection<Connected extends Client> {
  readonly #name: string
  readonly #make: () => OpenClient<Connected>
  readonly #log: Log
  readonly #stopping = new AbortController()
  #open: OpenClient<Connected> | undefined
  readonly #refused = Promise.withResolvers<never>()
  #opening: Promise<void> | undefined
  #opened: (client: Connected) => Promise<void> = async () => undefined
  #reason: string | undefined

  constructor(name: string, make: () => OpenClient<Connected>, log: Log) {
    this.#name = name
    this.#make = make
    this.#log = log
    this.#refused.promise.catch(() => undefined)
  }

  /** @throws {EngineUnavailable} before it is open */
  get client(): Connected {
    if (this.#open === undefined) throw new EngineUnavailable(this.#name, new Error('not connected yet'))
    return this.#open.client
  }

  /** why it is not open; undefined if it is */
  get absence(): string | undefined {
    return this.#open === undefined && this.#reason !== undefined ? `The ${this.#name} cannot be used: ${this.#reason}` : undefined
  }

  /**
   * Resolves when it is open, or after 2 s, and continues trying in the background.
   * @param opened - called for each new object
   * @throws {EngineRefusal} if the engine is available but unusable at the start; later refusals are retried
   */
  async start(signal: AbortSignal, opened: (client: Connected) => Promise<void> = async () => undefined): Promise<void> {
    this.#opened = opened
    this.#opening = this.#retry()
    const inTime = withTimeout(
      Promise.race([this.#opening, this.#refused.promise]),
      startTimeoutMs,
      signal,
      () => new Error('no response yet'),
    )
    await inTime.catch((error: unknown) => {
      if (error instanceof EngineRefusal) throw error
      this.reportFailure(error)
    })
    signal.throwIfAborted()
  }

  /** Closes an unresponsive object and creates a new one. */
  renew(close: (client: Connected) => Promise<unknown> = (client) => client.close()): void {
    const open = this.#open
    this.#open = undefined
    const closed = open === undefined ? Promise.resolve() : this.#end(open, close, connectLimitMs)
    this.#opening = closed.then(() => this.#retry())
  }

  /** Logs once that the engine is unavailable, until it is available again. */
  reportFailure(error: unknown): void {
    if (this.#reason !== undefined || this.#stopping.signal.aborted) return
    this.#reason = messageOf(error)
    this.#log.warn({ engine: this.#name, reason: this.#reason }, 'engine unavailable, retrying')
  }

  /** Counterpart of `reportFailure`: a call succeeded. */
  reportSuccess(): void {
    if (this.#reason !== undefined) this.#log.info({ engine: this.#name }, 'engine available')
    this.#reason = undefined
  }

  /** @param limitMs - time limit of `close` */
  async stop(close: (client: Connected) => Promise<unknown> = (client) => client.close(), limitMs = startTimeoutMs): Promise<void> {
    this.#stopping.abort()
    await this.#opening
    const open = this.#open
    this.#open = undefined
    if (open !== undefined) await this.#end(open, close, limitMs)
  }

  async #retry(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const open = this.#make()
      const { client } = open
      client.on('error', (error) => {
        this.#refuse(error)
        this.reportFailure(error)
      })
      try {
        await withTimeout(client.waitUntilReady(), maxWaitMs, signal, () => new Error('no answer'))
        await withTimeout(open.accept?.() ?? Promise.resolve(), connectLimitMs, signal, () => new Error('no answer'))
        await this.#opened(client)
        this.#open = open
        return this.reportSuccess()
      } catch (error) {
        this.#refuse(error)
        this.reportFailure(error)
        await this.#end(open, () => client.close(), connectLimitMs)
        await pause(retryMs, signal)
      }
    }
  }

  /** Rejects the start if it is still in progress. */
  #refuse(error: unknown): void {
    const refusal = error instanceof EngineRefusal ? error : refusalByRedis(error)
    if (refusal !== undefined) this.#refused.reject(refusal)
  }

  async #end(open: OpenClient<Connected>, close: (client: Connected) => Promise<unknown>, limitMs: number): Promise<void> {
    try {
      await withTimeout(close(open.client), limitMs, undefined, () => new Error(`no response within ${limitMs} ms`))
    } catch (error) {
      this.#log.debug({ engine: this.#name, reason: messageOf(error) }, 'closed while the engine was unreachable')
    } finally {
      open.end?.()
    }
  }
}
