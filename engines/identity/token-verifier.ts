import { errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../foundation/clock.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault, Unauthenticated } from '../../foundation/fault.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import { KeySet, type KeySetOptions, type ReadKeys } from './key-set.ts'

/** Asymmetric algorithms only: with a symmetric one a public key would be a secret. `none` is none of them. */
const algorithms = ['RS256', 'ES256', 'PS256', 'EdDSA']
/** an access token by RFC 9068, or as most issuers have it */
const types = ['at+jwt', 'application/at+jwt', 'jwt']
const skewS = 30
/** no issuer's token is as long; what is longer is not looked at */
const maxTokenLength = 16_384

/** Names of claims; a dot goes into an object: `realm_access.roles`. */
export interface ClaimNames {
  readonly roles: string
  readonly groups: string
  readonly tenant: string
  readonly citizen: string
}

export interface TokenVerifierOptions {
  /** `iss` of every token, to the letter */
  readonly issuer: string
  /** must be among `aud` */
  readonly audience: string
  readonly claims: ClaimNames
  readonly readKeys: ReadKeys
  readonly clock: Clock
  readonly keys?: KeySetOptions
}

/** Checks access tokens of one issuer. */
export interface TokenVerifier {
  /**
   * @throws {Unauthenticated} for anything but a valid access token
   * @throws {EngineUnavailable} when the issuer's keys have never been read and cannot be read now
   */
  verify(token: string, signal: AbortSignal): Promise<UserPrincipal>
}

/** Names the session at the issuer in the platform. Not `sid`: other issuers have that, and their sessions are not known here. */
export const sessionClaim = 'civigraph_session'

/** of one token; each costs a look when it is held against what a field requires */
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
 * Verifies a JWT access token (RFC 7519, RFC 9068): signature by a key of the issuer and an allowed algorithm, `iss`, `aud`, `exp`, `nbf`
 * with 30 s of leeway. Keys come from the issuer alone: `jku`, `x5u`, `jwk` and `x5c` of a token's header are not looked at.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { issuer, audience, claims, clock } = options
  const keys = new KeySet(options.readKeys, clock, options.keys ?? { freshMs: minuteMs, againMs: minuteMs })

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
      throw new Unauthenticated('This is no access token')
    // made a text, null or an object would be the same caller for all who have it
    if (typeof payload.sub !== 'string' || payload.sub === '') throw new Unauthenticated('The subject of the access token is no text')
    return principalOf(payload, claims)
  }

  return {
    async verify(token, signal) {
      if (token.length > maxTokenLength) throw new Unauthenticated('The access token is not valid')
      try {
        return await withTimeout(verified(token), minuteMs, signal, () => signal.reason)
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new Unauthenticated('The access token has expired')
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw new Unauthenticated('The access token is not valid')
        if (error instanceof Fault) throw error
        throw new EngineUnavailable('identity service', error)
      }
    },
  }
}

/** Signed by the same keys, but for the client: it says who logged in, not what its bearer may do. */
function isIdToken({ typ, at_hash, c_hash, nonce }: JWTPayload): boolean {
  const keycloaksKind = typeof typ === 'string' && typ !== 'Bearer'
  return keycloaksKind || at_hash !== undefined || c_hash !== undefined || nonce !== undefined
}

function principalOf(payload: JWTPayload, names: ClaimNames): UserPrincipal {
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
 * `scope` (RFC 9068, section 2.2.3), or `scp` where an issuer calls it so; words between spaces, or a list.
 * @throws {Unauthenticated} for more than anybody needs
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
    // any member of an object may be looked at by its name
    here = (here as Readonly<Record<string, unknown>>)[step]
  }
  return here
}

/** each once: issuers may give the short names of nested groups */
function words(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? [...new Set(claim.filter((word) => typeof word === 'string'))] : []
}
