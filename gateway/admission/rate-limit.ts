import { createHash } from 'node:crypto'
import { type Clock, systemClock } from '../../foundation/clock.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { Fault, messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { networkOf } from '../../foundation/network-address.ts'
import type { Principal } from '../../foundation/principal.ts'

/** Where requests are counted for all replicas of the gateway. */
export interface RequestCounter {
  /** @returns the count after this one; it begins anew `ttlMs` after the first */
  increment(key: string, ttlMs: number): Promise<number>
}

export interface RateRule {
  readonly counter: RequestCounter
  /** of one caller in a window */
  readonly requests: number
  readonly windowMs: number
}

/** How a request stands with its rule: as headers for its caller, and the refusal where there have been too many. */
export interface CountedRequest {
  /** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
  readonly headers: Readonly<Record<string, string>>
  readonly refusal: Fault | undefined
}

/**
 * Counts a request of a caller: a person or a service by who it is, anybody else by the address. What callers only hand on to subgraphs
 * is proved by nobody here, and makes nobody another caller.
 */
export type RateLimit = (caller: { readonly principal: Principal; readonly address?: string | undefined }) => Promise<CountedRequest>

/** longest time that a request waits to be counted */
const countMs = 250
const uncounted: CountedRequest = { headers: {}, refusal: undefined }

/** @param rule - none: everybody may ask as often as they like. While the counter does not answer, nobody is refused. */
export function rateLimit(rule: RateRule | undefined, log: Log, clock: Clock = systemClock): RateLimit {
  if (rule === undefined) return async () => uncounted
  const { counter, requests, windowMs } = rule
  const policy = `"requests";q=${requests};w=${Math.ceil(windowMs / 1000)}`
  return async ({ principal, address }) => {
    const now = clock.now()
    const window = Math.floor(now / windowMs)
    const leftMs = (window + 1) * windowMs - now
    const key = `rate:${window}:${digestOf(callerOf(principal, address))}`
    try {
      const late = (): Error => new Error(`the counter did not answer in ${countMs} ms`)
      const count = await withTimeout(counter.increment(key, windowMs), countMs, undefined, late)
      const remaining = Math.max(0, requests - count)
      return {
        headers: { 'ratelimit-policy': policy, ratelimit: `"requests";r=${remaining};t=${Math.ceil(leftMs / 1000)}` },
        refusal: count > requests ? tooMany(leftMs) : undefined,
      }
    } catch (error) {
      log.warn({ cause: messageOf(error) }, 'requests cannot be counted')
      return uncounted
    }
  }
}

const tooMany = (retryAfterMs: number): Fault => new Fault('RATE_LIMITED', 'Too many requests; try again later', { retryAfterMs })

function callerOf({ user, service }: Principal, address = ''): readonly unknown[] {
  if (user === undefined && service === undefined) return ['address', networkOf(address)]
  return ['principal', user?.issuer, user?.subject, service?.name]
}

/** The store need not know who asks. */
const digestOf = (caller: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(caller)).digest('base64url')
