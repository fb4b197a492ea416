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

/**
 * @throws {Unauthenticated} when INGEST_AUTH asks for credentials   @throws {Fault} RATE_LIMITED
 */
export async function admit({ principal, address }: RequestContext, limits: IngestLimits, keyValue: KeyValue): Promise<void> {
  const known = limits.auth === 'open' || principal.user !== undefined || (limits.auth === 'key' && principal.service !== undefined)
  if (!known)
    throw new Unauthenticated(limits.auth === 'token' ? 'This needs an access token' : 'This needs a service key or an access token')
  if (address === undefined || (limits.loopbackUnlimited && isLoopback(address))) return
  try {
    const count = await keyValue.increment(`ingest:${holderOf(address)}:${Math.floor(Date.now() / minuteMs)}`, minuteMs)
    if (count > limits.perMinute)
      throw new Fault('RATE_LIMITED', 'Too many expressions from this address; try again', {
        retryAfterMs: minuteMs - (Date.now() % minuteMs),
        policy: { name: 'expressions', quota: limits.perMinute, seconds: minuteMs / 1000 },
      })
  } catch (error) {
    // a limit that cannot be counted does not keep citizens from speaking
    if (!(error instanceof EngineUnavailable)) throw error
  }
}
