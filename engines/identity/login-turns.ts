import { randomUUID } from 'node:crypto'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { Turns } from '../../foundation/concurrency/turns.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { KeyValue } from '../key-value/key-value.ts'
import { emailDigest } from './normal-email.ts'

/** an issuer that has not answered a login for so long is not expected to any more */
const usualLastsMs = 20_000
/** what the store may take to answer who has got the lease, which lasts longer than the login by that */
const leaseMarginMs = 2000
/** between two looks at a lease that another process holds */
const lookEveryMs = 100

/**
 * Lets one login of a person at a time through to an issuer. One that guards against guessing refuses a second beside it in the words of a wrong
 * password (Keycloak since 25, "Concurrent login requests are blocked by default when brute force is enabled"), and to it a login lasts until
 * it has answered, also when nobody waits for the answer any more.
 *
 * Within a process they come in their order; the processes of a platform agree by a lease in the key-value store. While that is away each agrees
 * with itself alone. The lease of a process that ends runs out.
 */
export class LoginTurns {
  readonly #turns = new Turns()
  readonly #store: KeyValue | undefined
  readonly #lastsMs: number

  /** @param store - shared with the other processes that ask this issuer   @param lastsMs - an issuer answers within it or not at all */
  constructor(store: KeyValue | undefined, lastsMs = usualLastsMs) {
    this.#store = store
    this.#lastsMs = lastsMs
  }

  /**
   * @param person - an e-mail address
   * @param ask - is not ended with the signal, but goes on to its answer, or to the end of the signal that it gets
   * @throws the reason of the signal   @throws {EngineUnavailable} when the logins before it are not answered in time
   */
  async hold<Answer>(person: string, ask: (signal: AbortSignal) => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const name = emailDigest(person)
    const over = await this.#turns.take(name, this.#lastsMs, signal, late)
    const giveBack = await this.#lease(`login:turn:${name}`, signal).catch((error: unknown) => {
      over()
      throw error
    })
    const asked = ask(AbortSignal.timeout(this.#lastsMs))
    const answered = asked.then(giveBack, giveBack)
    void answered.finally(over)
    return await withTimeout(asked, this.#lastsMs, signal, () => (signal.aborted ? signal.reason : late()))
  }

  /** @returns what gives it back, and never fails   @throws as `hold` does */
  async #lease(key: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const store = this.#store
    if (store === undefined) return async () => undefined
    const token = randomUUID()
    const giveBack = (): Promise<void> => store.deleteIf(key, token).catch(() => undefined)
    for (const until = performance.now() + this.#lastsMs; performance.now() < until; await pause(lookEveryMs, signal)) {
      signal.throwIfAborted()
      try {
        if (await store.setIfAbsent(key, token, this.#lastsMs + leaseMarginMs)) return giveBack
      } catch (error) {
        // what was asked for may have been done: it is given back all the same
        if (error instanceof EngineUnavailable) return giveBack
        throw error
      }
    }
    throw late()
  }
}

const late = (): Error => new EngineUnavailable('identity service', new Error('it has not answered an earlier login of this person'))
