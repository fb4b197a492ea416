import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../foundation/clock.ts'
import { FairQueue, type Owner } from '../../foundation/concurrency/fair-queue.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Overloaded, Unauthenticated } from '../../foundation/fault.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import type { OpenIdIssuer } from './openid-issuer.ts'
import { type ClaimNames, type Claims, isIdToken, principalOf, type TokenVerifier, withClaims } from './token-verifier.ts'

/** What the profile, the roles and the validity of a user come from, besides the token. */
export const profileSources = ['userinfo', 'introspection', 'token'] as const
export type ProfileSource = (typeof profileSources)[number]

/** how long an answer of the issuer counts; open streams are checked every 5 s, so that a change takes effect within 10 s */
const freshMs = 4_000
/** how long the last answer counts while the issuer is unavailable */
const staleMs = 60_000
/** time limit of a request */
const answerMs = 5_000
/** how long a failed request is not repeated */
const failedMs = 2_000
const maxTokens = 10_000
/** Tokens that the issuer has accepted come first, so that made-up ones delay only each other. */
const maxRequests = { maxAtOnce: 16, maxPerOwner: 256, maxWaiting: 256, maxWaitMs: answerMs }
const ofAccepted: Owner = { name: 'accepted tokens', isPreferred: true }
const ofOthers: Owner = { name: 'other tokens' }

/** The claims of an accepted token, or undefined if the issuer no longer accepts it. */
type Answer = Claims | undefined

interface Check {
  /** time of the last answer, ms */
  at: number
  answer: Answer
  pending: Promise<Answer> | undefined
}

const Claimed = z.record(z.string(), z.unknown())
const Introspection = Claimed.and(z.object({ active: z.boolean() }))

/**
 * Verifies access tokens and asks the issuer for their current claims: UserInfo (OpenID Connect Core 1.0, section 5.3) or introspection (RFC 7662),
 * which also accepts opaque tokens. A user whom the issuer no longer accepts is refused within 10 s. While the issuer is unavailable, the last
 * answer counts for a minute, and `isProfileStale` is set.
 */
export function currentProfiles(options: {
  readonly tokens: TokenVerifier
  readonly issuer: Pick<OpenIdIssuer, 'userInfo' | 'introspect'>
  readonly issuerUrl: string
  readonly audience: string
  readonly claims: ClaimNames
  readonly source: ProfileSource
  readonly clock: Clock
}): TokenVerifier {
  const { tokens, issuer, claims: names, source, clock } = options
  if (source === 'token') return tokens
  const accepted = new LRUCache<string, Check>({ max: maxTokens })
  /** apart, so that made-up tokens do not displace accepted ones */
  const others = new LRUCache<string, Check>({ max: maxTokens })
  const turns = new FairQueue(maxRequests)
  let failedAt = Number.NEGATIVE_INFINITY

  const ask = async (token: string, signal: AbortSignal): Promise<Answer> => {
    try {
      return source === 'introspection' ? await introspected(token, signal) : await informed(token, signal)
    } catch (error) {
      failedAt = clock.now()
      throw error
    }
  }

  const informed = async (token: string, signal: AbortSignal): Promise<Answer> => {
    const answer = await issuer.userInfo(token, signal)
    // the issuer offers no UserInfo: the token counts
    if (answer === undefined) return {}
    // RFC 6750, section 3.1
    if (answer.status === 401 || answer.status === 403) return undefined
    return claimsOf(answer.status, answer.body, Claimed, 'UserInfo')
  }

  const introspected = async (token: string, signal: AbortSignal): Promise<Answer> => {
    const answer = await issuer.introspect(token, signal)
    if (answer === undefined)
      throw unavailable('its discovery document has no introspection_endpoint: set OIDC_PROFILE to userinfo or token')
    if (answer.status === 401 || answer.status === 403)
      throw unavailable('it refuses introspection by this client: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
    // some issuers answer so for what cannot be a token; it says nothing about other tokens
    if (answer.status === 400) return undefined
    const claims = claimsOf(answer.status, answer.body, Introspection, 'introspection')
    return claims.active ? claims : undefined
  }

  /** Returns the current answer; concurrent requests with one token share a request. @param key - digest of the token */
  const current = async (
    token: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ readonly answer: Answer; readonly isStale: boolean }> => {
    const known = accepted.get(key)
    const check: Check = known ?? others.get(key) ?? { at: Number.NEGATIVE_INFINITY, answer: undefined, pending: undefined }
    if (known === undefined) others.set(key, check)
    const age = (): number => clock.now() - check.at
    if (age() < freshMs) return { answer: check.answer, isStale: false }
    try {
      if (check.pending === undefined && clock.now() - failedAt < failedMs) throw unavailable('it did not respond to the previous request')
      check.pending ??= turns
        .run(
          known === undefined ? ofOthers : ofAccepted,
          () => ask(token, AbortSignal.timeout(answerMs)),
          () => new Overloaded(),
        )
        .finally(() => {
          check.pending = undefined
        })
      // the request may be another caller's
      const answer = await withTimeout(check.pending, 2 * answerMs, signal, () => signal.reason)
      Object.assign(check, { at: clock.now(), answer })
      if (answer !== undefined) {
        others.delete(key)
        accepted.set(key, check)
      }
      return { answer, isStale: false }
    } catch (error) {
      // what was refused stays refused
      if (age() < staleMs) return { answer: check.answer, isStale: true }
      throw error
    }
  }

  return {
    async verify(token, signal) {
      const isOpaque = source === 'introspection' && !describesUser(token)
      const user = isOpaque ? undefined : await tokens.verify(token, signal)
      if (user !== undefined && source === 'userinfo' && user.scopes?.includes('openid') !== true) return user
      const key = createHash('sha256').update(token).digest('base64url')
      const { answer, isStale } = await current(token, key, signal)
      if (answer === undefined) throw new Unauthenticated('The identity provider no longer accepts this access token')
      const described = user === undefined ? opaqueUser(answer, options) : withClaims(sameSubject(user, answer), answer, names)
      // lets open connections check the token again
      const session = described.session ?? key
      return { ...described, session, ...(isStale ? { isProfileStale: true } : {}) }
    },
  }
}

/** Whether a token has claims that identify its user and audience; opaque tokens and lightweight ones of Keycloak have not. */
function describesUser(token: string): boolean {
  if (token.split('.').length !== 3) return false
  try {
    const { sub, aud } = decodeJwt(token)
    return sub !== undefined && aud !== undefined
  } catch {
    // refused as invalid
    return true
  }
}

/** @throws {Unauthenticated} for claims of another user (OpenID Connect Core 1.0, section 5.3.2) */
function sameSubject(user: UserPrincipal, { sub }: Claims): UserPrincipal {
  if (sub !== undefined && sub !== user.subject) throw new Unauthenticated('The identity provider answered for another subject')
  return user
}

/** Returns the user of an opaque token. @throws {Unauthenticated} for a token of another issuer, for another audience or of another kind */
function opaqueUser(
  claims: Claims,
  { issuerUrl, audience, claims: names, clock }: Pick<Parameters<typeof currentProfiles>[0], 'issuerUrl' | 'audience' | 'claims' | 'clock'>,
): UserPrincipal {
  const { sub, exp, iss = issuerUrl, aud } = claims
  if (isIdToken(claims)) throw new Unauthenticated('This token is not an access token')
  if (typeof sub !== 'string' || sub === '') throw new Unauthenticated('The access token has no subject')
  if (iss !== issuerUrl) throw new Unauthenticated('The access token is of another issuer')
  if (![aud].flat().includes(audience)) throw new Unauthenticated('The access token is for another audience')
  if (typeof exp !== 'number' || exp * 1000 <= clock.now()) throw new Unauthenticated('The access token has expired')
  return principalOf({ ...claims, iss }, names)
}

function claimsOf<Value>(status: number, body: unknown, schema: z.ZodType<Value>, from: string): Value {
  const read = schema.safeParse(body)
  if (status !== 200 || !read.success)
    throw unavailable(`its response to ${from} has status ${status} and is not a JSON object as documented`)
  return read.data
}

const unavailable = (reason: string): EngineUnavailable => new EngineUnavailable('identity service', new Error(reason))
