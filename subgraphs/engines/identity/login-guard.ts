import { createHash } from 'node:crypto'
import type { Clock } from '../../foundation/clock.ts'
import { Fault } from '../../foundation/fault.ts'
import { networkOf } from '../../foundation/network-address.ts'
import type { KeyValue } from '../key-value/key-value.ts'
import { emailDigest } from './normal-email.ts'

const windowMs = 5 * 60_000
const lockMs = 15 * 60_000
const failuresOfAccount = 5
const failuresOfAddress = 50

/** Who tries to log in: the account that is named, whether there is one or not, and where the request comes from, if that is known. */
export interface Attempt {
  readonly email: string
  readonly address: string | undefined
}

/**
 * Counts failed logins: 5 in 5 minutes lock an account for 15, known or not; 50 lock an address (of IPv6
 * the network of a subscriber, a /64). Only digests of e-mail addresses are kept.
 * Its methods fail with EngineUnavailable when the key-value store does: without counting nobody may guess.
 */
export class LoginGuard {
  readonly #store: KeyValue
  readonly #clock: Clock

  constructor(store: KeyValue, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Runs an attempt between two looks at the locks. The second one is for guesses made side by side: whichever comes back after the fifth
   * failure is refused, right or wrong, so a thousand at once learn no more than five in a row.
   * @param failed - whether what `attempt` threw says that the credentials were wrong
   * @throws {Fault} RATE_LIMITED while the account or the address is locked
   */
  async watch<Result>(who: Attempt, attempt: () => Promise<Result>, failed: (error: unknown) => boolean): Promise<Result> {
    const subjects = subjectsOf(who)
    await this.#refuseLocked(subjects)
    try {
      const result = await attempt()
      await this.#refuseLocked(subjects)
      const [account] = subjects
      if (account !== undefined) await this.#store.delete(`${account.key}:failures`)
      return result
    } catch (error) {
      if (failed(error)) {
        await this.#refuseLocked(subjects)
        for (const subject of subjects) await this.#count(subject)
      }
      throw error
    }
  }

  async #refuseLocked(subjects: readonly Subject[]): Promise<void> {
    for (const { key, max } of subjects) {
      const until = Number(await this.#store.get(`${key}:lock`))
      const retryAfterMs = until - this.#clock.now()
      const policy = { name: 'failed-logins', quota: max, seconds: windowMs / 1000 }
      if (retryAfterMs > 0) throw new Fault('RATE_LIMITED', 'Too many failed logins; try again later', { retryAfterMs, policy })
    }
  }

  async #count({ key, max }: Subject): Promise<void> {
    const failures = await this.#store.increment(`${key}:failures`, windowMs)
    if (failures < max) return
    await this.#store.set(`${key}:lock`, String(this.#clock.now() + lockMs), lockMs)
    await this.#store.delete(`${key}:failures`)
  }
}

interface Subject {
  readonly key: string
  readonly max: number
}

function subjectsOf({ email, address }: Attempt): readonly Subject[] {
  const account = { key: `login:account:${emailDigest(email)}`, max: failuresOfAccount }
  return address === undefined ? [account] : [account, { key: `login:address:${digest(networkOf(address))}`, max: failuresOfAddress }]
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
