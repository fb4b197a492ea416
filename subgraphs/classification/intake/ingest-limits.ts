import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import { countRequest, isLoopback, type RateLimitStanding } from '../../../engines/key-value/rate-limit.ts'
import { Unauthenticated } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'

export interface IngestLimits {
  /** who may ingest: everybody, whoever has a token, whoever has a key or a token */
  readonly auth: 'open' | 'token' | 'key'
  /** expressions a minute and address */
  readonly perMinute: number
  /** whether callers on this machine are unlimited */
  readonly loopbackUnlimited: boolean
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
    throw new Unauthenticated(limits.auth === 'token' ? 'An access token is required' : 'A service key or an access token is required')
  if (address === undefined || (limits.loopbackUnlimited && isLoopback(address))) return null
  const policy = { name: 'expressions', quota: limits.perMinute, seconds: 60 }
  return countRequest(keyValue, { prefix: 'ingest', policy, refusal: 'Too many expressions from this address; try again' }, address)
}
