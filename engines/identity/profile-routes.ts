import { timingSafeEqual } from 'node:crypto'
import type Provider from 'oidc-provider'
import { Fault, Unauthenticated } from '../../foundation/fault.ts'
import { bearerToken } from '../../foundation/http/authentication.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import { profileClaims } from './account-profile.ts'
import { formOf } from './login-interaction.ts'
import type { OidcClient } from './oidc-identity-provider.ts'
import type { TokenVerifier } from './token-verifier.ts'

type Middleware = Parameters<Provider['use']>[0]
type Context = Parameters<Middleware>[0]

export const userInfoPath = '/userinfo'
export const introspectionPath = '/token/introspection'

interface ProfileRoutes {
  /** returns the current account of a token; refuses tokens of closed accounts and ended sessions */
  readonly verifier: TokenVerifier
  readonly client: OidcClient
  readonly url: string
  readonly audience: string
}

/**
 * UserInfo (OpenID Connect Core 1.0, section 5.3) and introspection (RFC 7662) of the embedded issuer. oidc-provider offers both for opaque tokens
 * only; these read the account and the session of a JWT. Introspection requires the secret of the client.
 */
export function profileRoutes(options: ProfileRoutes): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== userInfoPath && ctx.path !== introspectionPath) return next()
    ctx.set('Cache-Control', 'no-store')
    try {
      await (ctx.path === userInfoPath ? userInfo(ctx, options) : introspection(ctx, options))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      ctx.status = 503
      ctx.set('Retry-After', '1')
      ctx.body = { error: 'temporarily_unavailable', error_description: error.message }
    }
  }
}

async function userInfo(ctx: Context, options: ProfileRoutes): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'POST') return refuseMethod(ctx, 'GET, POST')
  const token = bearerToken(ctx.get('authorization'))
  const claims = token === undefined ? undefined : await claimsOf(token, options)
  if (claims !== undefined) {
    ctx.body = claims
    return
  }
  ctx.status = 401
  // RFC 6750, section 3.1: no error code for a request without credentials
  ctx.set('WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"')
  ctx.body = token === undefined ? { error: 'invalid_request' } : { error: 'invalid_token' }
}

async function introspection(ctx: Context, options: ProfileRoutes): Promise<void> {
  if (ctx.method !== 'POST') return refuseMethod(ctx, 'POST')
  const form = await formOf(ctx.req)
  if (!isClient(ctx.get('authorization'), form, options.client)) {
    ctx.status = 401
    ctx.set('WWW-Authenticate', 'Basic realm="introspection"')
    ctx.body = { error: 'invalid_client', error_description: 'Introspection requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET' }
    return
  }
  const token = form?.get('token') ?? ''
  const claims = token === '' ? undefined : await claimsOf(token, options)
  const { url: iss, audience: aud, client } = options
  ctx.body = claims === undefined ? { active: false } : { active: true, iss, aud, client_id: client.id, token_type: 'Bearer', ...claims }
}

/** Returns the current claims of a user, or undefined for a token that is not valid any more. @throws {EngineUnavailable} */
async function claimsOf(token: string, { verifier }: ProfileRoutes): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const user = await verifier.verify(token, AbortSignal.timeout(verifyMs))
    const { subject: sub, profile, expiresAt: exp, issuedAt: iat } = user
    return { sub, ...(profile && profileClaims(profile)), ...rightsOf(user), exp, iat }
  } catch (error) {
    if (error instanceof Unauthenticated) return undefined
    throw error
  }
}
const verifyMs = 5_000

const rightsOf = ({ roles, groups, tenant, scopes = [] }: UserPrincipal) => ({
  ...{ roles, groups },
  ...(tenant === undefined ? {} : { tenant }),
  ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
})

/** Whether a request has the id and the secret of the client, in its form or its Authorization header (RFC 6749, section 2.3.1). */
function isClient(authorization: string, form: URLSearchParams | undefined, { id, secret }: OidcClient): boolean {
  if (secret === undefined) return false
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization) ?? []
  const [name = '', ...password] = encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString('utf8').split(':').map(decoded)
  const [presentedId, presentedSecret] =
    encoded === undefined ? [form?.get('client_id') ?? '', form?.get('client_secret') ?? ''] : [name, password.join(':')]
  const [actual, expected] = [Buffer.from(presentedSecret), Buffer.from(secret)]
  return presentedId === id && actual.length === expected.length && timingSafeEqual(actual, expected)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function refuseMethod(ctx: Context, allowed: string): void {
  ctx.status = 405
  ctx.set('Allow', allowed)
  ctx.body = { error: 'invalid_request', error_description: `The method must be ${allowed}` }
}
