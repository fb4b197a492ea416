import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedMutex } from '../../foundation/concurrency/keyed-mutex.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { KeyValue } from '../key-value/key-value.ts'
import { emailDigest } from './normal-email.ts'

/** time after which an unanswered login is considered lost, ms */
const defaultTimeoutMs = 20_000
/** the lease outlasts the login by this time, in which the store may respond */
const leaseMarginMs = 2000
/** an issuer may still count a login as in progress for a moment after its response, ms */
const settleMs = 100
/** poll interval of a lease that another process holds */
const pollEveryMs = 100

/**
 * Serialises the logins of a user at an issuer. Brute-force protection refuses a concurrent login as if the password were wrong (Keycloak since 25,
 * "Concurrent login requests are blocked by default when brute force is enabled"), and a login lasts until its response even if the client has
 * disconnected.
 *
 * Within a process logins run in order; processes coordinate by a lease in the key-value store, or not at all while it is unavailable. The lease of a
 * terminated process expires.
 */
export class LoginSerializer {
  readonly #turns = new KeyedMutex()
  readonly #store: KeyValue | undefined
  readonly #holdMs: number

  /**
   * @param store - shared by the processes that use this issuer
   * @param holdMs - time limit of a response of the issuer, and of the wait for an earlier login
   */
  constructor(store: KeyValue | undefined, holdMs = defaultTimeoutMs) {
    this.#store = store
    this.#holdMs = holdMs
  }

  /**
   * @param person - e-mail address
   * @param ask - not aborted by `signal`; runs to its response or to the end of its own signal
   * @throws the reason of the signal
   * @throws {EngineUnavailable} if earlier logins are not answered in time
   */
  async run<Answer>(person: string, ask: (signal: AbortSignal) => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const name = emailDigest(person)
    const release = await this.#turns.acquire(name, this.#holdMs + settleMs, signal, timeoutError)
    const releaseLease = await this.#lease(`login:turn:${name}`, signal).catch((error: unknown) => {
      release()
      throw error
    })
    const response = ask(AbortSignal.timeout(this.#holdMs))
    const settle = () => sleep(settleMs).then(releaseLease)
    void response.then(settle, settle).finally(release)
    return await withTimeout(response, this.#holdMs, signal, () => (signal.aborted ? signal.reason : timeoutError()))
  }

  /**
   * @returns a function that releases the lease and never rejects
   * @throws as `hold` does
   */
  async #lease(key: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const store = this.#store
    if (store === undefined) return async () => undefined
    const token = randomUUID()
    const releaseLease = (): Promise<void> => store.deleteIf(key, token).catch(() => undefined)
    for (const until = performance.now() + this.#holdMs + settleMs; performance.now() < until; await pause(pollEveryMs, signal)) {
      signal.throwIfAborted()
      try {
        if (await store.setIfAbsent(key, token, this.#holdMs + leaseMarginMs)) return releaseLease
      } catch (error) {
        // the lease may have been acquired, so it is released in any case
        if (error instanceof EngineUnavailable) return releaseLease
        throw error
      }
    }
    throw timeoutError()
  }
}

const timeoutError = (): Error => new EngineUnavailable('identity service', new Error('an earlier login of this user is still in progress'))
