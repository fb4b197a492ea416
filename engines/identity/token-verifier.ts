import { errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../foundation/clock.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault, Unauthenticated } from '../../foundation/fault.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import { KeySet, type KeySetOptions, type ReadKeys } from './key-set.ts'

/** Asymmetric algorithms only: with a symmetric one the public key would be the secret. Excludes `none`. */
const algorithms = ['RS256', 'ES256', 'PS256', 'EdDSA']
/** types of access tokens: RFC 9068, and the type that most issuers use */
const types = ['at+jwt', 'application/at+jwt', 'jwt']
const skewS = 30
/** longer tokens are refused unread; no issuer creates them */
const maxTokenLength = 16_384

/** Claim names; a dot selects a member of an object: `realm_access.roles`. */
export interface ClaimNames {
  readonly roles: string
  readonly groups: string
  readonly tenant: string
  readonly citizen: string
}

export interface TokenVerifierOptions {
  /** required `iss`, exact */
  readonly issuer: string
  /** required in `aud` */
  readonly audience: string
  readonly claims: ClaimNames
  readonly readKeys: ReadKeys
  readonly clock: Clock
  readonly keys?: KeySetOptions
}

/** Verifies access tokens of one issuer. */
export interface TokenVerifier {
  /**
   * @throws {Unauthenticated} unless the access token is valid
   * @throws {EngineUnavailable} if the issuer's keys have never been read and cannot be read now
   */
  verify(token: string, signal: AbortSignal): Promise<UserPrincipal>
}

/** Identifies the session at the embedded issuer. Not `sid`, which other issuers use for sessions that are unknown here. */
export const sessionClaim = 'civigraph_session'

/** limit per token, since each is compared with the requirements of a field */
const maxScopes = 1000

const minuteMs = 60_000
const Profile = z.object({
  email: z.string().nullable().catch(null),
  email_verified: z.boolean().catch(false),
  name: z.string().nullable().catch(null),
  given_name: z.string().nullable().catch(null),
  family_name: z.string().nullable().catch(null),
  locale: z.string().nullable().catch(null),
})

/**
 * Verifies JWT access tokens (RFC 7519, RFC 9068): signature with an allowed algorithm and a key of the issuer, `iss`, `aud`, `exp`, `nbf` with 30 s
 * of leeway. Keys come from the issuer only; `jku`, `x5u`, `jwk` and `x5c` of the header are ignored.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { issuer, audience, claims, clock } = options
  const keys = new KeySet(options.readKeys, clock, options.keys ?? { freshMs: minuteMs, minIntervalMs: minuteMs })

  const verified = async (token: string): Promise<UserPrincipal> => {
    const { payload, protectedHeader } = await jwtVerify(token, (header, jws) => keys.find(header, jws), {
      algorithms,
      issuer,
      audience,
      clockTolerance: skewS,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'exp'],
    })
    if (!types.includes(protectedHeader.typ?.toLowerCase() ?? '') || isIdToken(payload))
      throw new Unauthenticated('This token is not an access token')
    // as a string, null or an object would be the same caller for all tokens that have it
    if (typeof payload.sub !== 'string' || payload.sub === '') throw new Unauthenticated('The subject of the access token is not a string')
    return principalOf(payload, claims)
  }

  return {
    async verify(token, signal) {
      if (token.length > maxTokenLength) throw new Unauthenticated('The access token is invalid')
      try {
        return await withTimeout(verified(token), minuteMs, signal, () => signal.reason)
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new Unauthenticated('The access token has expired')
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw new Unauthenticated('The access token is invalid')
        if (error instanceof Fault) throw error
        throw new EngineUnavailable('identity service', error)
      }
    },
  }
}

/** Whether it is an ID token: signed with the same keys, but it identifies a user to the client and grants no access. Or a refresh token of Keycloak. */
export function isIdToken({ typ, at_hash, c_hash, nonce }: JWTPayload): boolean {
  const keycloaksKind = typeof typ === 'string' && typ !== 'Bearer'
  return keycloaksKind || at_hash !== undefined || c_hash !== undefined || nonce !== undefined
}

/** Claims of a user, unverified except by their source. */
export type Claims = Readonly<Record<string, unknown>>

/** Returns a user with the claims that the issuer names now; what it does not name stays as in the token. */
export function withClaims(user: UserPrincipal, claims: Claims, names: ClaimNames): UserPrincipal {
  const { roles, groups, tenant, citizenCode, profile } = principalOf({ ...claims, iss: user.issuer, sub: user.subject }, names)
  const hasProfile = Object.keys(Profile.shape).some((name) => claims[name] !== undefined)
  return {
    ...user,
    ...(claimAt(claims, names.roles) === undefined ? {} : { roles }),
    ...(claimAt(claims, names.groups) === undefined ? {} : { groups }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(citizenCode === undefined ? {} : { citizenCode }),
    ...(hasProfile && profile !== undefined ? { profile } : {}),
  }
}

/** Returns the user of verified claims. */
export function principalOf(payload: JWTPayload, names: ClaimNames): UserPrincipal {
  const tenant = claimAt(payload, names.tenant)
  const citizenCode = claimAt(payload, names.citizen)
  const scopes = scopesOf(payload)
  const { email, email_verified, name, given_name, family_name, locale } = Profile.parse(payload)
  return {
    // required and checked by jwtVerify
    issuer: String(payload.iss),
    subject: String(payload.sub),
    roles: words(claimAt(payload, names.roles)),
    groups: words(claimAt(payload, names.groups)),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(typeof tenant === 'string' && tenant !== '' ? { tenant } : {}),
    ...(typeof citizenCode === 'string' && citizenCode !== '' ? { citizenCode } : {}),
    issuedAt: payload.iat ?? 0,
    expiresAt: Number(payload.exp),
    ...(typeof payload[sessionClaim] === 'string' ? { session: payload[sessionClaim] } : {}),
    profile: { email, emailVerified: email_verified, name, givenName: given_name, familyName: family_name, locale },
  }
}

/**
 * Reads `scope` (RFC 9068, section 2.2.3), or `scp` of some issuers; a space-separated string or a list. @throws {Unauthenticated} for more than the
 * limit
 */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const scopes = words(scope ?? scp).flatMap((text) => text.split(' ').filter((word) => word !== ''))
  if (scopes.length > maxScopes) throw new Unauthenticated(`The access token has more than ${maxScopes} scopes`)
  return [...new Set(scopes)]
}

function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name]
  let here: unknown = payload
  for (const step of name.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    // reading any member of an object by name is safe
    here = (here as Readonly<Record<string, unknown>>)[step]
  }
  return here
}

/** Removes duplicates: issuers may send the short names of nested groups. */
function words(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? [...new Set(claim.filter((word) => typeof word === 'string'))] : []
}
