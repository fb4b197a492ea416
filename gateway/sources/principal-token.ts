import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Clock, systemClock } from '../../foundation/clock.ts'
import { Unauthenticated } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Principal } from '../../foundation/principal.ts'

/** The header that carries the token over HTTP; on graphql-ws it is `extensions.principal` of each Subscribe message. */
export const principalHeader = 'x-civigraph-principal'

const lifetimeS = 60
/** the clocks of two machines may differ by a minute, and nobody is locked out */
const leewayS = 90
const protectedHeader = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')

const Claims = z.object({
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  requestId: z.string(),
  address: z.string().optional(),
  remainingMs: z.number().min(0).optional(),
  principal: z.object({
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

/** Who asks, under which id, from where and until when, told by the gateway to a subgraph in another process. */
export interface Introduction {
  readonly principal: Principal
  readonly requestId: string
  readonly address?: string
  /** ms of the request's time that were left when this was signed (clocks may differ, so no time of day); absent without an end */
  readonly remainingMs?: number
}

/** What a subgraph in another process is to know of a request, now. */
export function introductionOf({
  principal,
  requestId,
  address,
  deadline: { remainingMs },
}: Pick<RequestContext, 'principal' | 'requestId' | 'address'> & {
  readonly deadline: Pick<RequestContext['deadline'], 'remainingMs'>
}): Introduction {
  return {
    principal,
    requestId,
    ...(address === undefined ? {} : { address }),
    ...(Number.isFinite(remainingMs) && { remainingMs: Math.floor(remainingMs) }),
  }
}

/** A token of ours is not of this time: it was kept, or the clocks of the two processes differ by more than a minute and a half. */
export class ClocksApart extends Unauthenticated {
  /** @param seconds - since it was signed, by the clock here */
  constructor(seconds: number) {
    const apart = `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? 'ago' : 'from now'}`
    super(`A token of the gateway was signed ${apart} by the clock of this subgraph: the clocks differ; let NTP set both`)
  }
}

/** Signs and checks introductions: a JWS in compact form (RFC 7515), HS256, for one subgraph; over after 60 s, give or take what clocks may differ by. */
export interface PrincipalTokens {
  sign(introduction: Introduction, subgraph: string): string
  /** @throws {Unauthenticated} for anything but a token of ours, for this subgraph, not yet over   @throws {ClocksApart} for one of another time */
  verify(token: unknown, subgraph: string): Introduction
}

/** @param key - PRINCIPAL_SIGNING_KEY, 32 bytes, the same in every process */
export function principalTokens(key: Uint8Array, clock: Clock = systemClock): PrincipalTokens {
  const signature = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    sign({ principal, requestId, address, remainingMs }, subgraph) {
      const iat = Math.floor(clock.now() / 1000)
      const claims = { aud: subgraph, iat, exp: iat + lifetimeS, requestId, address, remainingMs, principal: withoutScopes(principal) }
      const signed = `${protectedHeader}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      return `${signed}.${signature(signed).toString('base64url')}`
    },
    verify(token, subgraph) {
      const [header, payload, given, more] = typeof token === 'string' ? token.split('.') : []
      // Only our own protected header is accepted, so there is no algorithm to choose ("none" included).
      if (header !== protectedHeader || payload === undefined || given === undefined || more !== undefined) throw refused()
      const expected = signature(`${header}.${payload}`)
      const actual = Buffer.from(given, 'base64url')
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw refused()
      const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
      if (!claims.success || claims.data.aud !== subgraph) throw refused()
      const now = clock.now() / 1000
      if (now > claims.data.exp + leewayS || now < claims.data.iat - leewayS) throw new ClocksApart(now - claims.data.iat)
      const { service, user } = claims.data.principal
      const { requestId, address, remainingMs } = claims.data
      return {
        requestId,
        ...(address === undefined ? {} : { address }),
        ...(remainingMs === undefined ? {} : { remainingMs }),
        // zod types an absent member as `tenant?: string | undefined`; ours is absent or a string, and JSON holds no undefined.
        principal: {
          ...(service === undefined ? {} : { service }),
          ...(user === undefined ? {} : { user: user as NonNullable<Principal['user']> }),
        },
      }
    },
  }
}

/** What a token was given for is held against the graph by the gateway; a subgraph need not know, and a header holds only so much. */
function withoutScopes(principal: Principal): Principal {
  if (principal.user?.scopes === undefined) return principal
  const { scopes: _, ...user } = principal.user
  return { ...principal, user }
}

function refused(): Unauthenticated {
  return new Unauthenticated('This subgraph answers only its gateway')
}
