import { createHash } from 'node:crypto'
import type { Clock } from '../../foundation/clock.ts'
import { Fault } from '../../foundation/fault.ts'
import { networkOf } from '../../foundation/network-address.ts'
import type { KeyValue } from '../key-value/key-value.ts'
import { emailDigest } from './normal-email.ts'

const windowMs = 5 * 60_000
const lockMs = 15 * 60_000
const failuresOfPair = 5
const failuresOfAddress = 50
/**
 * Slowdown after failures of one account from all addresses, or of one known device: beyond `free` each attempt is delayed, twice as long each time.
 */
const slowdowns = {
  account: { windowMs: 60 * 60_000, free: 20, maxDelayMs: 60_000 },
  device: { windowMs: 60 * 60_000, free: 5, maxDelayMs: 60_000 },
}

/** The account that a login names, existing or not, and the client address, if known. */
export interface Attempt {
  readonly email: string
  readonly address: string | undefined
  /** id of a device from which this account has signed in before */
  readonly device?: string | undefined
}

/**
 * Limits failed logins. From an unknown device: 5 in 5 minutes lock an account for one address for 15 minutes; 50 lock an address (IPv6: /64) for all
 * accounts; beyond 20 an hour from all addresses the account admits one attempt after 1 s, then 2 s, up to 60 s. A known device is exempt: after 5
 * failures of its own it waits 1 s, then 2 s, up to 60 s. Unknown accounts are counted alike. Stores only digests of e-mail addresses. Its methods
 * throw EngineUnavailable when the key-value store does.
 */
export class LoginGuard {
  readonly #store: KeyValue
  readonly #clock: Clock

  constructor(store: KeyValue, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Runs an attempt between two checks of the limits. The second check covers concurrent guesses: an attempt that ends after the limit was reached is
   * refused whether right or wrong, so that a thousand at once reveal no more than in sequence.
   * @param failed - whether an error of `attempt` means wrong credentials
   * @throws {Fault} RATE_LIMITED while the account is locked for the address, the address is locked, or the account or device must wait
   */
  async watch<Result>(who: Attempt, attempt: () => Promise<Result>, failed: (error: unknown) => boolean): Promise<Result> {
    const { locks, slow } = subjectsOf(who)
    await this.#refuseLocked(locks)
    const admittedAt = await this.#admit(slow)
    const check = async (): Promise<void> => {
      await this.#refuseLocked(locks)
      await this.#refuseOvertaken(slow, admittedAt)
    }
    try {
      const result = await attempt()
      await check()
      // account failures are not reset: a periodic sign-in would allow more guesses from elsewhere
      for (const { key } of who.device === undefined ? locks.slice(0, 1) : [slow]) await this.#store.delete(`${key}:failures`)
      return result
    } catch (error) {
      if (failed(error)) {
        await check()
        for (const lock of locks) await this.#countLock(lock)
        await this.#store.increment(`${slow.key}:failures`, slow.windowMs)
      }
      throw error
    }
  }

  async #refuseLocked(locks: readonly Lock[]): Promise<void> {
    for (const { key, max } of locks) {
      const retryAfterMs = Number(await this.#store.get(`${key}:lock`)) - this.#clock.now()
      if (retryAfterMs > 0) throw refused(retryAfterMs, max, windowMs)
    }
  }

  /** @returns the number of failures before the attempt, when its turn has come */
  async #admit(slow: Slowdown): Promise<number> {
    const failures = Number((await this.#store.get(`${slow.key}:failures`)) ?? 0)
    const delayMs = delayOf(failures, slow)
    if (delayMs === 0) return failures
    const turn = `${slow.key}:turn`
    if (await this.#store.setIfAbsent(turn, String(this.#clock.now() + delayMs), delayMs)) return failures
    const leftMs = Number(await this.#store.get(turn)) - this.#clock.now()
    throw refused(Math.max(1000, leftMs), slow.free, slow.windowMs)
  }

  /** Refuses an attempt admitted without a delay if others have used up the free failures meanwhile. */
  async #refuseOvertaken(slow: Slowdown, failuresBefore: number): Promise<void> {
    if (delayOf(failuresBefore, slow) > 0) return
    const delayMs = delayOf(Number((await this.#store.get(`${slow.key}:failures`)) ?? 0), slow)
    if (delayMs > 0) throw refused(delayMs, slow.free, slow.windowMs)
  }

  async #countLock({ key, max }: Lock): Promise<void> {
    const failures = await this.#store.increment(`${key}:failures`, windowMs)
    if (failures < max) return
    await this.#store.set(`${key}:lock`, String(this.#clock.now() + lockMs), lockMs)
    await this.#store.delete(`${key}:failures`)
  }
}

interface Lock {
  readonly key: string
  readonly max: number
}

interface Slowdown {
  readonly key: string
  readonly windowMs: number
  readonly free: number
  readonly maxDelayMs: number
}

function subjectsOf({ email, address, device }: Attempt): { readonly locks: readonly Lock[]; readonly slow: Slowdown } {
  const account = emailDigest(email)
  if (device !== undefined) return { locks: [], slow: { key: `login:device:${digest(`${account} ${device}`)}`, ...slowdowns.device } }
  const network = digest(address === undefined ? '' : networkOf(address))
  const pair = { key: `login:pair:${account}:${network}`, max: failuresOfPair }
  const locks = address === undefined ? [pair] : [pair, { key: `login:address:${network}`, max: failuresOfAddress }]
  return { locks, slow: { key: `login:account:${account}`, ...slowdowns.account } }
}

const delayOf = (failures: number, { free, maxDelayMs }: Slowdown): number =>
  failures < free ? 0 : Math.min(maxDelayMs, 1000 * 2 ** Math.min(20, failures - free))

const refused = (retryAfterMs: number, quota: number, perMs: number): Fault =>
  new Fault('RATE_LIMITED', 'Too many failed logins; try again later', {
    retryAfterMs,
    policy: { name: 'failed-logins', quota, seconds: perMs / 1000 },
  })

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
