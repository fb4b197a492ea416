import type { PgPool } from 'bullmq'
import { Cluster } from 'ioredis'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineRefusal } from '../../foundation/engine-start/engine-refusal.ts'
import type { RedisAddress } from '../../foundation/engine-start/redis-address.ts'
import { openRedis, type RedisClient, triesOn } from '../../foundation/engine-start/redis-client.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { refusalByRedis, refuseUnfitRedis } from '../key-value/redis-refusal.ts'
import { clientName } from '../relational/client-name.ts'
import type { DatabaseServer } from '../relational/connections/database-server.ts'
import { openPool } from '../relational/connections/pool.ts'

/** Where BullMQ keeps its queues and announcements. */
export type QueueConnection =
  | ({ readonly kind: 'postgres' } & DatabaseServer)
  | ({ readonly kind: 'redis'; readonly prefix: string } & RedisAddress)

export const engineOf = (connection: QueueConnection): string => (connection.kind === 'postgres' ? 'postgresql' : 'redis')

const connectLimitMs = 2000
/** how long a start waits for the engine before it goes on without, and a stop for its goodbye */
const startTimeoutMs = 2000
const retryMs = 1000
const maxWaitMs = 3_600_000

/** of PostgreSQL, in which BullMQ keeps its tables */
export const bullmqSchemaName = 'bullmq'

export interface PostgresConnectionOptions {
  /** at once, at most, besides the one that listens */
  readonly connections: number
  readonly log: Log
  /**
   * For what is done again when its record is lost: commits that do not wait for the disk. A PostgreSQL that is killed forgets those of the
   * last moments and nothing that others committed durably (PostgreSQL manual, "Asynchronous Commit").
   */
  readonly isRelaxed?: boolean
}

/** Connections for BullMQ, which neither makes nor ends them. Its tables are brought forward as all others are: see bullmq-schema.ts. */
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
  // a pool of node-postgres is what BullMQ takes; its own type of one says the overloads of `on` in another way
  return { connection: pool as unknown as PgPool, end: () => void pool.end().catch(() => undefined) }
}

/**
 * A client with the duplicates that BullMQ makes of it, so that all can be ended: its own close waits for an absent server.
 * @returns ends them
 */
function ownedWithDuplicates(client: RedisClient): () => void {
  const all: RedisClient[] = []
  let isOver = false
  const own = (each: RedisClient): RedisClient => {
    each.on('error', () => undefined)
    // BullMQ begins a cluster's client anew by ending it, and leaves it so when no node is there just then
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

/** Reconnects for ever, quickly at first. With `waits` commands wait for the connection; the others fail at once without it, or after 2 s. */
export function connectRedis(address: RedisAddress, waits: boolean): { readonly connection: RedisClient } & EngineSide {
  const connection = openRedis(address, {
    connectTimeout: connectLimitMs,
    disconnectTimeout: 200,
    retry: triesOn,
    ...(waits ? { maxRetriesPerRequest: null } : { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 2000 }),
  })
  return { connection, end: ownedWithDuplicates(connection), accept: () => refuseUnfitRedis(connection, address) }
}

/**
 * The prefix of queues: BullMQ works on several keys of a queue at once, which a cluster has together only when the same part of each, in braces,
 * decides where it is (Redis documentation, "Redis cluster specification", Hash tags).
 */
export const queuePrefix = ({ prefix, clusterNodes }: RedisAddress & { readonly prefix: string }): string =>
  clusterNodes === undefined || /\{[^{}]+\}/.test(prefix) ? prefix : `{${prefix}}`

/** A BullMQ object, as far as its life is concerned. */
export interface Client {
  waitUntilReady(): Promise<unknown>
  close(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** What is known of the engine behind such an object. */
interface EngineSide {
  /** ends the connections, those to Redis whether or not it answers */
  end(): void
  /** @throws {EngineRefusal} */
  accept(): Promise<void>
}

/** Such an object, with what there is to know of its engine. */
export type Opened<Kept extends Client> = { readonly client: Kept } & Partial<EngineSide>

/**
 * Keeps one BullMQ object open. Once open it reconnects by itself, but one whose first connection fails half-way stays broken for ever;
 * such a one is closed and made anew, every second, until it works.
 */
export class KeptOpen<Kept extends Client> {
  readonly #name: string
  readonly #make: () => Opened<Kept>
  readonly #log: Log
  readonly #stopping = new AbortController()
  #open: Opened<Kept> | undefined
  readonly #refused = Promise.withResolvers<never>()
  #opening: Promise<void> | undefined
  #opened: (client: Kept) => Promise<void> = async () => undefined
  #reason: string | undefined

  constructor(name: string, make: () => Opened<Kept>, log: Log) {
    this.#name = name
    this.#make = make
    this.#log = log
    this.#refused.promise.catch(() => undefined)
  }

  /** @throws {EngineUnavailable} before it is open */
  get client(): Kept {
    if (this.#open === undefined) throw new EngineUnavailable(this.#name, new Error('not connected yet'))
    return this.#open.client
  }

  /** a sentence while it is not open and its engine is away */
  get absence(): string | undefined {
    return this.#open === undefined && this.#reason !== undefined ? `The ${this.#name} cannot be used: ${this.#reason}` : undefined
  }

  /**
   * Resolves when it is open, or after 2 s: then it goes on trying.
   * @param opened - called each time that a new one is open
   * @throws {EngineRefusal} when the engine is there and of no use; later such a one is only tried again
   */
  async start(signal: AbortSignal, opened: (client: Kept) => Promise<void> = async () => undefined): Promise<void> {
    this.#opened = opened
    this.#opening = this.#keepTrying()
    const inTime = withTimeout(
      Promise.race([this.#opening, this.#refused.promise]),
      startTimeoutMs,
      signal,
      () => new Error('no answer yet'),
    )
    await inTime.catch((error: unknown) => {
      if (error instanceof EngineRefusal) throw error
      this.complain(error)
    })
    signal.throwIfAborted()
  }

  /** Closes the one that is open, which does not answer any longer, and makes it anew, as one whose first connection failed. */
  renew(close: (client: Kept) => Promise<unknown> = (client) => client.close()): void {
    const open = this.#open
    this.#open = undefined
    const closed = open === undefined ? Promise.resolve() : this.#end(open, close, connectLimitMs)
    this.#opening = closed.then(() => this.#keepTrying())
  }

  /** Says once that the engine is away, until it is back. */
  complain(error: unknown): void {
    if (this.#reason !== undefined || this.#stopping.signal.aborted) return
    this.#reason = messageOf(error)
    this.#log.warn({ engine: this.#name, reason: this.#reason }, 'an engine is not available; trying on')
  }

  /** Counterpart of `complain`: something has worked. */
  relieved(): void {
    if (this.#reason !== undefined) this.#log.info({ engine: this.#name }, 'an engine is available again')
    this.#reason = undefined
  }

  /** @param limitMs - how long `close` may take */
  async stop(close: (client: Kept) => Promise<unknown> = (client) => client.close(), limitMs = startTimeoutMs): Promise<void> {
    this.#stopping.abort()
    await this.#opening
    const open = this.#open
    this.#open = undefined
    if (open !== undefined) await this.#end(open, close, limitMs)
  }

  async #keepTrying(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const open = this.#make()
      const { client } = open
      client.on('error', (error) => {
        this.#refuse(error)
        this.complain(error)
      })
      try {
        await withTimeout(client.waitUntilReady(), maxWaitMs, signal, () => new Error('no answer'))
        await withTimeout(open.accept?.() ?? Promise.resolve(), connectLimitMs, signal, () => new Error('no answer'))
        await this.#opened(client)
        this.#open = open
        return this.relieved()
      } catch (error) {
        this.#refuse(error)
        this.complain(error)
        await this.#end(open, () => client.close(), connectLimitMs)
        await pause(retryMs, signal)
      }
    }
  }

  /** Ends the start, when it is still going on. */
  #refuse(error: unknown): void {
    const refusal = error instanceof EngineRefusal ? error : refusalByRedis(error)
    if (refusal !== undefined) this.#refused.reject(refusal)
  }

  async #end(open: Opened<Kept>, close: (client: Kept) => Promise<unknown>, limitMs: number): Promise<void> {
    try {
      await withTimeout(close(open.client), limitMs, undefined, () => new Error('no answer in time'))
    } catch (error) {
      this.#log.debug({ engine: this.#name, reason: messageOf(error) }, 'closed without the engine')
    } finally {
      open.end?.()
    }
  }
}
