import { isIPv6 } from 'node:net'
import type { KeyValue } from '../../engines/key-value/key-value.ts'
import { EngineUnavailable, Fault, Unauthenticated } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'

export interface IngestLimits {
  /** who may ingest: everybody, whoever has a token, whoever has a key or a token */
  readonly auth: 'open' | 'token' | 'key'
  /** expressions a minute and address */
  readonly perMinute: number
  /** whether callers on this machine are unlimited */
  readonly loopbackUnlimited: boolean
}

const minuteMs = 60_000
const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address)

/** Whose limit an address is of: of IPv6 the /64, since that is what one subscriber is given at least (RFC 6177). */
function holderOf(address: string): string {
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

/** What a caller may still do before it is refused. */
export interface RateLimitStanding {
  readonly name: string
  /** requests in a window */
  readonly quota: number
  /** of the window */
  readonly seconds: number
  readonly remaining: number
  /** until the window is over, at least 1 */
  readonly resetSeconds: number
}

/**
 * Counts an expression of a caller.
 * @returns how the caller stands; null: unlimited, or it could not be counted
 * @throws {Unauthenticated} when INGEST_AUTH asks for credentials   @throws {Fault} RATE_LIMITED
 */
export async function admit(
  { principal, address }: RequestContext,
  limits: IngestLimits,
  keyValue: KeyValue,
): Promise<RateLimitStanding | null> {
  const known = limits.auth === 'open' || principal.user !== undefined || (limits.auth === 'key' && principal.service !== undefined)
  if (!known)
    throw new Unauthenticated(limits.auth === 'token' ? 'This needs an access token' : 'This needs a service key or an access token')
  if (address === undefined || (limits.loopbackUnlimited && isLoopback(address))) return null
  try {
    const now = Date.now()
    const count = await keyValue.increment(`ingest:${holderOf(address)}:${Math.floor(now / minuteMs)}`, minuteMs)
    const retryAfterMs = minuteMs - (now % minuteMs)
    const policy = { name: 'expressions', quota: limits.perMinute, seconds: minuteMs / 1000 }
    if (count > limits.perMinute)
      throw new Fault('RATE_LIMITED', 'Too many expressions from this address; try again', { retryAfterMs, policy })
    return { ...policy, remaining: limits.perMinute - count, resetSeconds: Math.ceil(retryAfterMs / 1000) }
  } catch (error) {
    // a limit that cannot be counted does not keep citizens from speaking
    if (!(error instanceof EngineUnavailable)) throw error
    return null
  }
}
