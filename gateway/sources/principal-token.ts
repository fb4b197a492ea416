import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Clock, systemClock } from '../../foundation/clock.ts'
import { Unauthenticated } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { keyIdOf } from '../../foundation/key-id.ts'
import type { Principal } from '../../foundation/principal.ts'

/** HTTP header of the token; on graphql-ws it is `extensions.principal` of each Subscribe message. */
export const principalHeader = 'x-civigraph-principal'

const lifetimeS = 60
/** tolerates a clock difference of a minute between machines */
const leewayS = 90
const protectedHeader = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')

const Claims = z.object({
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  /** id of the signing key; absent in tokens of earlier releases */
  kid: z.string().optional(),
  requestId: z.string(),
  address: z.string().optional(),
  interface: z.literal('rest').optional(),
  remainingMs: z.number().min(0).optional(),
  principal: z.object({
    accessLink: z.string().optional(),
    service: z.object({ name: z.string(), scopes: z.array(z.string()) }).optional(),
    user: z
      .object({
        issuer: z.string(),
        subject: z.string(),
        roles: z.array(z.string()),
        groups: z.array(z.string()),
        tenant: z.string().optional(),
        citizenCode: z.string().optional(),
        issuedAt: z.number().optional(),
        expiresAt: z.number(),
        session: z.string().optional(),
        isProfileStale: z.boolean().optional(),
        profile: z
          .object({
            email: z.string().nullable(),
            emailVerified: z.boolean(),
            name: z.string().nullable(),
            givenName: z.string().nullable(),
            familyName: z.string().nullable(),
            locale: z.string().nullable(),
          })
          .optional(),
      })
      .optional(),
  }),
})

/** Principal, request id, client address, kind of interface and deadline, sent by the gateway to a subgraph in another process. */
export interface PrincipalClaims {
  readonly principal: Principal
  readonly requestId: string
  readonly address?: string
  /** the REST adapters, or absent for clients of the graph */
  readonly interface?: 'rest'
  /** remaining ms of the request when this was signed (relative, since clocks may differ); absent without a limit */
  readonly remainingMs?: number
}

/** Returns the introduction of a request at this moment. */
export function principalClaimsOf({
  principal,
  requestId,
  address,
  interface: adapter,
  deadline: { remainingMs },
}: Pick<RequestContext, 'principal' | 'requestId' | 'address' | 'interface'> & {
  readonly deadline: Pick<RequestContext['deadline'], 'remainingMs'>
}): PrincipalClaims {
  return {
    principal,
    requestId,
    ...(address === undefined ? {} : { address }),
    ...(adapter === undefined ? {} : { interface: adapter }),
    ...(Number.isFinite(remainingMs) && { remainingMs: Math.floor(remainingMs) }),
  }
}

/** A valid token with a wrong time: it was replayed, or the clocks of the two processes differ by more than 90 s. */
export class ClockSkew extends Unauthenticated {
  /** @param seconds - age of the signature by the local clock */
  constructor(seconds: number) {
    const distance = `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? 'ago' : 'from now'}`
    super(`A token of the gateway was signed ${distance} by the clock of this subgraph: the clocks differ: synchronise both with NTP`)
  }
}

/** A token of another signing key. Names the setting and the ids of both keys, which reveal nothing of a random key. */
export class OtherSigningKey extends Unauthenticated {
  constructor(signedWith: string, accepted: readonly string[]) {
    super(
      `A token was signed with another PRINCIPAL_SIGNING_KEY (id ${signedWith}; this subgraph accepts ${accepted.join(', ')}): set the same key on both, or the new one as PRINCIPAL_SIGNING_KEY_PREVIOUS first`,
    )
  }
}

/** Signs and verifies introductions: a compact JWS (RFC 7515), HS256, for one subgraph, valid for 60 s plus the clock tolerance. */
export interface PrincipalTokens {
  sign(introduction: PrincipalClaims, subgraph: string): string
  /**
   * @throws {Unauthenticated} unless it is a valid, unexpired token for this subgraph
   * @throws {ClockSkew} for a wrong time
   * @throws {OtherSigningKey} if it names another key
   */
  verify(token: unknown, subgraph: string): PrincipalClaims
}

/**
 * @param key - PRINCIPAL_SIGNING_KEY, 32 bytes, the same in every process
 * @param previous - further accepted keys
 */
export function principalTokens(key: Uint8Array, clock: Clock = systemClock, previous: readonly Uint8Array[] = []): PrincipalTokens {
  const kid = keyIdOf(key)
  const accepted = [key, ...previous]
  const signature = (text: string, by: Uint8Array): Buffer => createHmac('sha256', by).update(text).digest()
  const isSigned = (text: string, actual: Buffer): boolean =>
    accepted.some((by) => {
      const expected = signature(text, by)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    })
  return {
    sign({ principal, remainingMs, ...introduction }, subgraph) {
      const iat = Math.floor(clock.now() / 1000)
      const claims = { aud: subgraph, iat, exp: iat + lifetimeS, kid, ...introduction, remainingMs, principal: withoutScopes(principal) }
      const signed = `${protectedHeader}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      return `${signed}.${signature(signed, key).toString('base64url')}`
    },
    verify(token, subgraph) {
      const [header, payload, signaturePart, more] = typeof token === 'string' ? token.split('.') : []
      // Only the fixed protected header is accepted, so there is no algorithm to choose ("none" included).
      if (header !== protectedHeader || payload === undefined || signaturePart === undefined || more !== undefined) throw refused()
      if (!isSigned(`${header}.${payload}`, Buffer.from(signaturePart, 'base64url'))) throw refusedSignature(payload, accepted.map(keyIdOf))
      const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
      if (!claims.success || claims.data.aud !== subgraph) throw refused()
      const now = clock.now() / 1000
      if (now > claims.data.exp + leewayS || now < claims.data.iat - leewayS) throw new ClockSkew(now - claims.data.iat)
      const { service, user, accessLink } = claims.data.principal
      const { requestId, address, interface: adapter, remainingMs } = claims.data
      return {
        requestId,
        ...(address === undefined ? {} : { address }),
        ...(adapter === undefined ? {} : { interface: adapter }),
        ...(remainingMs === undefined ? {} : { remainingMs }),
        // zod types an absent member as `tenant?: string | undefined`; here it is absent or a string.
        principal: {
          ...(service === undefined ? {} : { service }),
          ...(accessLink === undefined ? {} : { accessLink }),
          ...(user === undefined ? {} : { user: user as NonNullable<Principal['user']> }),
        },
      }
    },
  }
}

/** Removes scopes: the gateway enforces them, and header size is limited. */
function withoutScopes(principal: Principal): Principal {
  if (principal.user?.scopes === undefined) return principal
  const { scopes: _, ...user } = principal.user
  return { ...principal, user }
}

const SignedWith = z.object({ kid: z.string().regex(/^[0-9a-f]{16}$/) })

/** The payload is unverified: only the id of its key is read, for the operator. */
function refusedSignature(payload: string, accepted: readonly string[]): Unauthenticated {
  try {
    const { kid } = SignedWith.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    return accepted.includes(kid) ? refused() : new OtherSigningKey(kid, accepted)
  } catch {
    return refused()
  }
}

function refused(): Unauthenticated {
  return new Unauthenticated('This subgraph accepts only requests of its gateway')
}
