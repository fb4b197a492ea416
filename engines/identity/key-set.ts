import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import type { Clock } from '../../foundation/clock.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'

export type ReadKeys = (signal: AbortSignal) => Promise<JSONWebKeySet>
type PublicKey = Awaited<ReturnType<ReturnType<typeof createLocalJWKSet>>>

export interface KeySetOptions {
  /** keys younger than this are not read again */
  readonly freshMs: number
  /** an unknown key makes them be read again, but not more often than this */
  readonly againMs: number
}

/** what a reader gets to come back with keys, whoever asked for them */
const readLimitMs = 5000
const retryMs = 1000
/** so many times older than fresh, they are read before they are used */
const longStale = 5

/**
 * An issuer's public keys, kept for a while. Keys that were read once go on being used while the issuer is away: it signs nothing new then,
 * and what it signed runs out by itself.
 */
export class KeySet {
  readonly #read: ReadKeys
  readonly #clock: Clock
  readonly #options: KeySetOptions
  #keys: { readonly find: ReturnType<typeof createLocalJWKSet>; readonly at: number } | undefined
  #reading: Promise<void> | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #isAway = false

  constructor(read: ReadKeys, clock: Clock, options: KeySetOptions) {
    this.#read = read
    this.#clock = clock
    this.#options = options
  }

  /**
   * The key that a token's header names.
   * @throws {errors.JOSEError} when there is none, also after reading the keys again  @throws {EngineUnavailable} when they were never read
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<PublicKey> {
    const sinceAsked = this.#since(this.#askedAt)
    if (this.#keys === undefined) {
      if (this.#reading === undefined && sinceAsked < retryMs)
        throw new EngineUnavailable('identity service', new Error('its keys are not known'))
      await this.#refresh()
    } else if (this.#since(this.#keys.at) > this.#options.freshMs && sinceAsked > retryMs) {
      const { at } = this.#keys
      const isAway = this.#isAway
      const refreshed = this.#refresh().catch(() => undefined)
      // A request waits for the keys only where nobody has asked for long, so that a key taken back is not believed once more; of an issuer
      // that does not answer only the first one does.
      if (!isAway && this.#since(at) > longStale * this.#options.freshMs) await refreshed
    }
    const used = this.#keys
    try {
      return await this.#now(header, token)
    } catch (error) {
      const unknown = error instanceof errors.JWKSNoMatchingKey
      if (!unknown) throw error
      const isNewer = this.#keys !== used
      const mayAsk = this.#reading !== undefined || this.#since(this.#askedAt) >= this.#options.againMs
      if (!isNewer && !mayAsk) throw error
      if (!isNewer) await this.#refresh()
      return this.#now(header, token)
    }
  }

  async #now(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<PublicKey> {
    if (this.#keys === undefined) throw new EngineUnavailable('identity service', new Error('its keys are not known'))
    return this.#keys.find(header, token)
  }

  /** Long ago where the clock was set back meanwhile: keys would be fresh, and not be read again, for as long as it was set back. */
  #since(at: number): number {
    const ms = this.#clock.now() - at
    return ms < 0 ? Number.POSITIVE_INFINITY : ms
  }

  /** One reading at a time, whoever asks; not bound to the time that the first one who asked has. */
  #refresh(): Promise<void> {
    this.#reading ??= (async () => {
      try {
        this.#askedAt = this.#clock.now()
        const keys = await this.#read(AbortSignal.timeout(readLimitMs))
        this.#keys = { find: createLocalJWKSet(keys), at: this.#clock.now() }
        this.#isAway = false
      } catch (error) {
        this.#isAway = true
        throw error
      } finally {
        this.#reading = undefined
      }
    })()
    return this.#reading
  }
}
