import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import { networkOf } from '../../foundation/network-address.ts'
import type { KeyValue } from './key-value.ts'

/** So many requests in a window of time. */
export interface RatePolicy {
  readonly name: string
  readonly quota: number
  readonly seconds: number
}

/** What a caller may still do before it is refused. */
export interface RateLimitStanding extends RatePolicy {
  readonly remaining: number
  /** until the window is over, at least 1 */
  readonly resetSeconds: number
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address)

/**
 * Counts a request of an address.
 * @param prefix - of the counters, one for each policy   @param refusal - what a caller is told beyond the quota
 * @returns how the caller stands; null: it could not be counted, which keeps no citizen from speaking
 * @throws {Fault} RATE_LIMITED
 */
export async function countRequest(
  keyValue: Pick<KeyValue, 'increment'>,
  { prefix, policy, refusal }: { readonly prefix: string; readonly policy: RatePolicy; readonly refusal: string },
  address: string,
): Promise<RateLimitStanding | null> {
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
