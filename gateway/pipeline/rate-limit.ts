import { createHash } from 'node:crypto'
import { type Clock, systemClock } from '../../foundation/clock.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { Fault, messageOf } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { callerOf, type Principal } from '../../foundation/principal.ts'

/** Counts requests for all replicas of the gateway. */
export interface RequestCounter {
  /** @returns the new count, which restarts `ttlMs` after the first request */
  increment(key: string, ttlMs: number): Promise<number>
}

export interface RateRule {
  readonly counter: RequestCounter
  /** requests per caller and window */
  readonly requests: number
  readonly windowMs: number
}

/** The result of counting a request: headers for the caller, and the refusal beyond the limit. */
export interface CountedRequest {
  /** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
  readonly headers: Readonly<Record<string, string>>
  readonly refusal: Fault | undefined
}

/**
 * Counts a request of a user or service by its identity, of other callers by address. Forwarded credentials are not verified here and do not identify
 * a caller.
 */
export type RateLimit = (caller: { readonly principal: Principal; readonly address?: string | undefined }) => Promise<CountedRequest>

/** time limit for counting a request */
const countMs = 250
const uncounted: CountedRequest = { headers: {}, refusal: undefined }

/** @param rule - absent: no limit. While the counter does not respond, no caller is refused. */
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
      const timeoutError = (): Error => new Error(`no response of the counter within ${countMs} ms`)
      const count = await withTimeout(counter.increment(key, windowMs), countMs, undefined, timeoutError)
      const remaining = Math.max(0, requests - count)
      return {
        headers: { 'ratelimit-policy': policy, ratelimit: `"requests";r=${remaining};t=${Math.ceil(leftMs / 1000)}` },
        refusal: count > requests ? tooMany(leftMs) : undefined,
      }
    } catch (error) {
      log.warn({ cause: messageOf(error) }, 'cannot count requests')
      return uncounted
    }
  }
}

const tooMany = (retryAfterMs: number): Fault => new Fault('RATE_LIMITED', 'Too many requests; try again later', { retryAfterMs })

/** Digests keep callers' identities out of the store. */
const digestOf = (caller: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(caller)).digest('base64url')
