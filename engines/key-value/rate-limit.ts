import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import { networkOf } from '../../foundation/network-address.ts'
import type { KeyValue } from './key-value.ts'

/** A number of requests allowed per window. */
export interface RatePolicy {
  readonly name: string
  readonly quota: number
  readonly seconds: number
}

/** The remaining quota of a caller. */
export interface RateLimitState extends RatePolicy {
  readonly remaining: number
  /** until the window ends, at least 1 */
  readonly resetSeconds: number
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address)

/**
 * Counts a request of an address. @param prefix - of the counters, one per policy
 * @param refusal - message of the error
 * @returns the remaining quota; null if it could not be counted: the request is then allowed
 * @throws {Fault} RATE_LIMITED
 */
export async function countRequest(
  keyValue: Pick<KeyValue, 'increment'>,
  { prefix, policy, refusal }: { readonly prefix: string; readonly policy: RatePolicy; readonly refusal: string },
  address: string,
): Promise<RateLimitState | null> {
  const windowMs = policy.seconds * 1000
  try {
    const now = Date.now()
    const count = await keyValue.increment(`${prefix}:${networkOf(address)}:${Math.floor(now / windowMs)}`, windowMs)
    const retryAfterMs = windowMs - (now % windowMs)
    if (count > policy.quota) throw new Fault('RATE_LIMITED', refusal, { retryAfterMs, policy })
    return { ...policy, remaining: policy.quota - count, resetSeconds: Math.ceil(retryAfterMs / 1000) }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    return null
  }
}
