import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import type { Clock } from '../../foundation/clock.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'

export type ReadKeys = (signal: AbortSignal) => Promise<JSONWebKeySet>
type PublicKey = Awaited<ReturnType<ReturnType<typeof createLocalJWKSet>>>

export interface KeySetOptions {
  /** age up to which keys are not read again, ms */
  readonly freshMs: number
  /** minimum interval between reads caused by unknown keys, ms */
  readonly minIntervalMs: number
}

/** time limit of one read, ms */
const readLimitMs = 5000
const retryMs = 1000
/** multiple of `freshMs` beyond which keys are read before use */
const longStaleFactor = 5

/** The public keys of an issuer, cached. While the issuer is unavailable cached keys stay in use: it signs nothing new, and its tokens expire. */
export class KeySet {
  readonly #read: ReadKeys
  readonly #clock: Clock
  readonly #options: KeySetOptions
  #keys: { readonly find: ReturnType<typeof createLocalJWKSet>; readonly at: number } | undefined
  #reading: Promise<void> | undefined
  #requestedAt = Number.NEGATIVE_INFINITY
  #isUnavailable = false

  constructor(read: ReadKeys, clock: Clock, options: KeySetOptions) {
    this.#read = read
    this.#clock = clock
    this.#options = options
  }

  /**
   * Returns the key of a token header.
   * @throws {errors.JOSEError} if it is unknown even after reading the keys again
   * @throws {EngineUnavailable} if keys were never read
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<PublicKey> {
    const sinceRequest = this.#since(this.#requestedAt)
    if (this.#keys === undefined) {
      if (this.#reading === undefined && sinceRequest < retryMs) throw keysNotRead()
      await this.#refresh()
    } else if (this.#since(this.#keys.at) > this.#options.freshMs && sinceRequest > retryMs) {
      const { at } = this.#keys
      const isUnavailable = this.#isUnavailable
      const refreshed = this.#refresh().catch(() => undefined)
      // A request waits for a read only after a long idle time, so that a revoked key is not accepted once more; if the issuer does not answer, only
      // the first request waits.
      if (!isUnavailable && this.#since(at) > longStaleFactor * this.#options.freshMs) await refreshed
    }
    const used = this.#keys
    try {
      return await this.#findCached(header, token)
    } catch (error) {
      const unknown = error instanceof errors.JWKSNoMatchingKey
      if (!unknown) throw error
      const isNewer = this.#keys !== used
      const mayRefresh = this.#reading !== undefined || this.#since(this.#requestedAt) >= this.#options.minIntervalMs
      if (!isNewer && !mayRefresh) throw error
      if (!isNewer) await this.#refresh()
      return this.#findCached(header, token)
    }
  }

  async #findCached(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<PublicKey> {
    if (this.#keys === undefined) throw keysNotRead()
    return this.#keys.find(header, token)
  }

  /** Returns infinity if the clock was set back, since keys would otherwise stay fresh for that long. */
  #since(at: number): number {
    const ms = this.#clock.now() - at
    return ms < 0 ? Number.POSITIVE_INFINITY : ms
  }

  /** Runs one read at a time for all callers, independent of the deadline of the first one. */
  #refresh(): Promise<void> {
    this.#reading ??= (async () => {
      try {
        this.#requestedAt = this.#clock.now()
        const keys = await this.#read(AbortSignal.timeout(readLimitMs))
        this.#keys = { find: createLocalJWKSet(keys), at: this.#clock.now() }
        this.#isUnavailable = false
      } catch (error) {
        this.#isUnavailable = true
        throw error
      } finally {
        this.#reading = undefined
      }
    })()
    return this.#reading
  }
}

const keysNotRead = (): EngineUnavailable =>
  new EngineUnavailable(
    'identity service',
    new Error('the public keys of the issuer have not been read yet: check that the identity service is available'),
  )
