import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { Turns } from '../../foundation/concurrency/turns.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'

/** an issuer that has not answered a login for so long is not expected to any more */
const lastsMs = 20_000

/**
 * Lets one login of a person at a time through to an issuer. One that guards against guessing refuses a second beside it in the words of a wrong
 * password (Keycloak since 25, "Concurrent login requests are blocked by default when brute force is enabled"), and to it a login lasts until
 * it has answered, also when nobody waits for the answer any more.
 */
export class LoginTurns {
  readonly #turns = new Turns()
  readonly #lastsMs: number

  constructor(limitMs = lastsMs) {
    this.#lastsMs = limitMs
  }

  /**
   * @param ask - is not ended with the signal, but goes on to its answer, or to the end of the signal that it gets
   * @throws the reason of the signal   @throws {EngineUnavailable} when the logins before it are not answered in time
   */
  async hold<Answer>(person: string, ask: (signal: AbortSignal) => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const late = (): Error => new EngineUnavailable('identity service', new Error('it has not answered an earlier login of this person'))
    const over = await this.#turns.take(person, this.#lastsMs, signal, late)
    const asked = ask(AbortSignal.timeout(this.#lastsMs)).finally(over)
    return await withTimeout(asked, this.#lastsMs, signal, () => (signal.aborted ? signal.reason : late()))
  }
}
