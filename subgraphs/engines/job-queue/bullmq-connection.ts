import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { within } from '../../foundation/within.ts'

/** Where BullMQ keeps its queues and announcements. */
export type QueueConnection =
  | { readonly kind: 'postgres'; readonly url: () => string }
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string }

export const engineOf = (connection: QueueConnection): string => (connection.kind === 'postgres' ? 'postgresql' : 'redis')

const connectLimitMs = 2000
/** how long a start waits for the engine before it goes on without */
const patienceMs = 5000
const retryMs = 1000
const longestWaitMs = 3_600_000

/** @param connections - most at once, besides the one that listens */
export const postgresOptions = (url: string, connections: number) => ({
  connectionString: url,
  application_name: 'civigraph queue',
  max: connections,
  connectionTimeoutMillis: connectLimitMs,
  query_timeout: 5000,
  keepAlive: true,
  schema: 'bullmq',
  migrate: true,
})

/** Reconnects for ever, quickly at first. `patient` commands wait for the connection; the others fail at once without it, or after 2 s. */
export const redisOptions = (url: string, patient: boolean) => ({
  url,
  connectTimeout: connectLimitMs,
  retryStrategy: (times: number) => Math.min(times * 100, 1000),
  ...(patient ? { maxRetriesPerRequest: null } : { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 2000 }),
})

/** A BullMQ object, as far as its life is concerned. */
export interface Client {
  waitUntilReady(): Promise<unknown>
  close(): Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: EventEmitter's own type
  on(event: any, listener: (error: Error) => void): unknown
}

/**
 * Keeps one BullMQ object open. Once open it reconnects by itself, but one whose first connection fails half-way stays broken for ever;
 * such a one is closed and made anew, every second, until it works.
 */
export class KeptOpen<Kept extends Client> {
  readonly #name: string
  readonly #make: () => Kept
  readonly #log: Log
  readonly #stopping = new AbortController()
  #client: Kept | undefined
  #opening: Promise<void> | undefined
  #complained = false

  constructor(name: string, make: () => Kept, log: Log) {
    this.#name = name
    this.#make = make
    this.#log = log
  }

  /** @throws {EngineUnavailable} before it is open */
  get client(): Kept {
    if (this.#client === undefined) throw new EngineUnavailable(this.#name, new Error('not connected yet'))
    return this.#client
  }

  /** Resolves when it is open, or after 5 s: then it goes on trying. @param opened - called each time that a new one is open */
  async start(signal: AbortSignal, opened: (client: Kept) => Promise<void> = async () => undefined): Promise<void> {
    this.#opening = this.#open(opened)
    const patience = within(this.#opening, patienceMs, signal, () => new Error('no answer yet'))
    await patience.catch((error: unknown) => this.complain(error))
    signal.throwIfAborted()
  }

  /** Says once that the engine is away, until it is back. */
  complain(error: unknown): void {
    if (this.#complained || this.#stopping.signal.aborted) return
    this.#complained = true
    this.#log.warn({ engine: this.#name, reason: messageOf(error) }, 'an engine is not available; trying on')
  }

  /** Counterpart of `complain`: something has worked. */
  relieved(): void {
    if (this.#complained) this.#log.info({ engine: this.#name }, 'an engine is available again')
    this.#complained = false
  }

  /** @param limitMs - longest time that `close` may take */
  async stop(close: (client: Kept) => Promise<unknown> = (client) => client.close(), limitMs = patienceMs): Promise<void> {
    this.#stopping.abort()
    await this.#opening
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await within(close(client), limitMs, undefined, () => new Error(`the ${this.#name} does not close`))
  }

  async #open(opened: (client: Kept) => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const client = this.#make()
      client.on('error', (error) => this.complain(error))
      try {
        await within(client.waitUntilReady(), longestWaitMs, signal, () => new Error('no answer'))
        await opened(client)
        this.#client = client
        return this.relieved()
      } catch (error) {
        this.complain(error)
        await within(client.close(), connectLimitMs, undefined, () => undefined).catch(() => undefined)
        await pause(retryMs, signal)
      }
    }
  }
}
