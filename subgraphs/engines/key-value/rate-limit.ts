import { isIPv6 } from 'node:net'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
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

/** Whose limit an address is of: of IPv6 the /64, since that is what one subscriber is given at least (RFC 6177). */
export function holderOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const absent = 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: Math.max(0, absent) }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

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
    const count = await keyValue.increment(`${prefix}:${holderOf(address)}:${Math.floor(now / windowMs)}`, windowMs)
    const retryAfterMs = windowMs - (now % windowMs)
    if (count > policy.quota) throw new Fault('RATE_LIMITED', refusal, { retryAfterMs, policy })
    return { ...policy, remaining: policy.quota - count, resetSeconds: Math.ceil(retryAfterMs / 1000) }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    return null
  }
}
