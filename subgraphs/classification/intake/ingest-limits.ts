import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import { countRequest, isLoopback, type RateLimitState } from '../../../engines/key-value/rate-limit.ts'
import { Unauthenticated } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'

export interface IngestLimits {
  /** required credentials: none, an access token, or a service key or access token */
  readonly auth: 'open' | 'token' | 'key'
  /** expressions per minute and address */
  readonly perMinute: number
  /** whether callers on this machine have no limit */
  readonly loopbackUnlimited: boolean
}

/**
 * Counts an expression against the caller's limit.
 * @returns the state of the limit; null when unlimited or not countable
 * @throws {Unauthenticated} when INGEST_AUTH requires credentials  @throws {Fault} RATE_LIMITED
 */
export async function admit(
  { principal, address }: RequestContext,
  limits: IngestLimits,
  keyValue: KeyValue,
): Promise<RateLimitState | null> {
  const isAdmitted = limits.auth === 'open' || principal.user !== undefined || (limits.auth === 'key' && principal.service !== undefined)
  if (!isAdmitted)
    throw new Unauthenticated(limits.auth === 'token' ? 'An access token is required' : 'A service key or an access token is required')
  if (address === undefined || (limits.loopbackUnlimited && isLoopback(address))) return null
  const policy = { name: 'expressions', quota: limits.perMinute, seconds: 60 }
  return countRequest(keyValue, { prefix: 'ingest', policy, refusal: 'Too many expressions from this address; try again' }, address)
}
