import { hkdfSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { JWK } from 'jose'
import Provider, { type Configuration, errors, type KoaContextWithOIDC, type TokenEndpointGrantContext } from 'oidc-provider'
import { Fault, retryAfterSeconds } from '../../foundation/fault.ts'
import type { Database } from '../relational/database.ts'
import { profileClaims, profileOf } from './account-profile.ts'
import type { Account, Accounts } from './accounts.ts'
import type { KnownDevices } from './known-devices.ts'
import { askAgain, isBrowser, type LoginDependencies, loginInteraction, maxLengths } from './login-interaction.ts'
import { oidcAdapter, tokenDigest } from './oidc-adapter.ts'
import type { OidcClient } from './oidc-identity-provider.ts'
import { introspectionPath, profileRoutes, userInfoPath } from './profile-routes.ts'
import { signingAlgorithm } from './signing-keys.ts'
import { sessionClaim, type TokenVerifier } from './token-verifier.ts'

/** seconds */
const lifetimes = {
  accessToken: 300,
  refreshTokenUnused: 1800,
  session: 36_000,
  /** lifetime of a cookie that grants nothing: no session is stored */
  browserSession: 60,
  authorizationCode: 60,
  loginPage: 900,
}
const scopes = ['openid', 'profile', 'email']

export interface IssuerDependencies {
  readonly url: string
  /** `aud` of access tokens */
  readonly audience: string
  readonly client: OidcClient
  /** exact redirect URIs of the client (RFC 9700, section 2.1) */
  readonly redirectUris: readonly string[]
  /** mount path without a trailing slash */
  readonly path: string
  /** source of the derived cookie key */
  readonly vaultKey: Uint8Array
  readonly database: Database
  readonly accounts: Accounts
  /** private keys, the signing key first */
  readonly keys: readonly JWK[]
  readonly checkPassword: LoginDependencies['checkPassword']
  /** refuses tokens of closed accounts and ended sessions */
  readonly verifier: TokenVerifier
  readonly devices: KnownDevices
  /** counts an authorization request, which is stored until it expires @throws {Fault} RATE_LIMITED */
  readonly countSignIn: (request: IncomingMessage) => Promise<void>
  /** called with unexpected errors while responding */
  readonly onError: (error: Error) => void
}

/** Creates an OpenID Connect issuer: discovery, JWKS, authorization, token (authorization_code with PKCE, password and refresh_token), revocation. */
export function createProvider(parts: IssuerDependencies): Provider {
  const provider = new Provider(parts.url, configurationOf(parts))
  // embedded-issuer.ts sets the host header to the configured address.
  provider.proxy = true
  const failures = new WeakMap<object, Error>()
  provider.on('server_error', (ctx, error) => {
    failures.set(ctx, error)
    parts.onError(error)
  })
  provider.registerGrantType('password', (ctx: Grant) => grantByPassword(ctx, parts), ['username', 'password', 'scope'])
  provider.use(limitForms)
  provider.use(loginInteraction(provider, parts))
  provider.use(profileRoutes(parts))
  provider.use(async (ctx, next) => {
    const refuse = ({ code, details, message }: Fault): void => {
      ctx.status = code === 'RATE_LIMITED' ? 429 : 503
      ctx.set('Retry-After', retryAfterSeconds(details.retryAfterMs))
      ctx.body = { error: 'temporarily_unavailable', error_description: message }
    }
    try {
      if (ctx.path === '/authorization') await parts.countSignIn(ctx.req)
    } catch (error) {
      if (error instanceof Fault) return refuse(error)
      throw error
    }
    await next()
    const failure = failures.get(ctx)
    if (failure instanceof Fault) refuse(failure)
    const refreshToken = ctx.oidc?.entities.RefreshToken
    // member of Keycloak's responses, so that clients know both lifetimes
    if (ctx.oidc?.route === 'token' && ctx.status === 200 && refreshToken !== undefined)
      Object.assign(ctx.body ?? {}, { refresh_expires_in: refreshToken.remainingTTL })
  })
  return provider
}

function configurationOf({
  url,
  audience,
  client,
  redirectUris,
  path,
  vaultKey,
  database,
  accounts,
  keys,
}: IssuerDependencies): Configuration {
  const find = async (id: string): Promise<Account | undefined> => {
    const account = await accounts.byId(id)
    return account?.disabledAt === null ? account : undefined
  }
  // a client with a secret is a server and gets no authorization codes, since browsers cannot keep secrets
  const isPublic = client.secret === undefined
  const cookieKey = Buffer.from(hkdfSync('sha256', vaultKey, '', 'cookies of the embedded issuer', 32)).toString('base64url')
  return {
    adapter: oidcAdapter(database),
    clients: [
      {
        client_id: client.id,
        ...(client.secret === undefined ? {} : { client_secret: client.secret }),
        token_endpoint_auth_method: client.secret === undefined ? 'none' : 'client_secret_post',
        grant_types: ['password', 'refresh_token', ...(isPublic ? ['authorization_code'] : [])],
        redirect_uris: isPublic ? [...redirectUris] : [],
        response_types: isPublic ? ['code'] : [],
        id_token_signed_response_alg: signingAlgorithm,
      },
    ],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    jwks: { keys: keys.map((key) => ({ ...key })) },
    scopes,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name', 'locale'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    cookies: { keys: [cookieKey], names: { interaction: 'login', resume: 'login_resume', session: 'login_session' } },
    interactions: { url: (_, { uid }) => `${path}/login/${uid}` },
    // the platform's own client needs no consent
    loadExistingGrant: (ctx) => grantOf(ctx, audience),
    expiresWithSession: () => false,
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
    discovery: {
      userinfo_endpoint: `${url}${userInfoPath}`,
      introspection_endpoint: `${url}${introspectionPath}`,
      introspection_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    },
    routes: { authorization: '/authorization', token: '/token', jwks: '/jwks', revocation: '/token/revocation' },
    async findAccount({ oidc }, id) {
      const account = await find(id)
      // the provider expects an account here, since the password was checked
      if (account === undefined && oidc.route === 'resume') throw new errors.AccessDenied('The account is disabled')
      return account && { accountId: account.id, claims: async () => ({ sub: account.id, ...profileClaims(profileOf(account)) }) }
    },
    async extraTokenClaims(_, token) {
      const account = 'accountId' in token ? await find(token.accountId) : undefined
      if (account === undefined) return undefined
      const { roles, groups, tenant } = account
      // the row of the session: ending it ends its access tokens
      const session = 'grantId' in token && token.grantId !== undefined ? { [sessionClaim]: tokenDigest(token.grantId) } : {}
      return { ...profileClaims(profileOf(account)), ...session, roles, groups, ...(tenant === null ? {} : { tenant }) }
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: lifetimes.accessToken,
      RefreshToken: (ctx) => {
        const grantEnds = ctx?.oidc?.entities.Grant?.exp
        const remaining = grantEnds === undefined ? lifetimes.session : grantEnds - Math.floor(Date.now() / 1000)
        return Math.max(1, Math.min(lifetimes.refreshTokenUnused, remaining))
      },
      Grant: lifetimes.session,
      IdToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.authorizationCode,
      Interaction: lifetimes.loginPage,
      Session: lifetimes.browserSession,
    },
    clientBasedCORS: (_, origin, { redirectUris: registered = [] }) => registered.some((uri) => new URL(uri).origin === origin),
    renderError: (ctx, out, error) => {
      if (error instanceof errors.SessionNotFound && isBrowser(ctx)) return askAgain(ctx)
      ctx.type = 'json'
      // the state may be any text of the client, which gets it only by a redirect
      ctx.body = { ...out, state: undefined }
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceOf(audience),
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer(audience),
      },
    },
  }
}

/** Bytes of a form: an authorization request, as of a pending login; any other, with the longest access token that it may have. */
const maxFormBytes = { authorization: 8 * 1024, other: 20 * 1024 }

/** Refuses long forms, and those of unknown length: the provider would parse 56 kB, in a time that grows with the square of some parameters. */
const limitForms: Parameters<Provider['use']>[0] = async (ctx, next) => {
  const length = ctx.get('content-length')
  const maxBytes = ctx.path === '/authorization' ? maxFormBytes.authorization : maxFormBytes.other
  if (ctx.get('transfer-encoding') === '' && Number(length) <= maxBytes) return next()
  ctx.status = length === '' ? 411 : 413
  ctx.set('Connection', 'close')
  ctx.body = { error: 'invalid_request', error_description: `A form has a Content-Length of at most ${maxBytes} bytes` }
}

type Grant = TokenEndpointGrantContext<{ username?: string; password?: string; scope?: string }>

/** Resource indicators are absolute URIs (RFC 8707); the audience is a word. */
const resourceOf = (audience: string): string => `urn:audience:${audience}`
const resourceServer = (audience: string) => ({
  scope: scopes.join(' '),
  audience,
  accessTokenTTL: lifetimes.accessToken,
  accessTokenFormat: 'jwt' as const,
  jwt: { sign: { alg: signingAlgorithm } as const },
})

/** Password grant (RFC 6749, section 4.3), for the platform's own client only. */
async function grantByPassword(ctx: Grant, { audience, checkPassword }: IssuerDependencies): Promise<void> {
  const { client, params, provider } = ctx.oidc
  if (params.username === undefined || params.password === undefined) throw new errors.InvalidRequest('username and password are required')
  const { username, password } = params
  const isPlausible = username.length <= maxLengths.email && password.length <= maxLengths.password
  const account = isPlausible ? await checkPassword(username, password, ctx.req) : undefined
  if (account === undefined) throw new errors.InvalidGrant('invalid credentials')

  const granted = scopes.filter((scope) => params.scope === undefined || params.scope.split(' ').includes(scope))
  const scope = granted.join(' ')
  const resource = resourceOf(audience)
  const grant = newGrant(provider, account.id, client.clientId, audience, scope)
  const grantId = await grant.save()
  ctx.oidc.entity('Grant', grant)

  const common = { accountId: account.id, client, grantId, gty: 'password', scope, expiresWithSession: false }
  const accessToken = new provider.AccessToken({
    ...common,
    resourceServer: new provider.ResourceServer(resource, resourceServer(audience)),
  })
  ctx.oidc.entity('AccessToken', accessToken)
  const refreshToken = new provider.RefreshToken({ ...common, resource, authTime: Math.floor(Date.now() / 1000) })
  ctx.oidc.entity('RefreshToken', refreshToken)
  ctx.body = {
    access_token: await accessToken.save(),
    token_type: 'Bearer',
    expires_in: accessToken.expiration,
    refresh_token: await refreshToken.save(),
    scope,
  }
}

function newGrant(provider: Provider, accountId: string, clientId: string, audience: string, scope: string) {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(resourceOf(audience), scope)
  return grant
}

/** Creates one grant per sign-in, so that replay of a code revokes only the tokens of that code. */
async function grantOf({ oidc }: KoaContextWithOIDC, audience: string) {
  const { provider, session, client } = oidc
  if (session?.accountId === undefined || client === undefined) return undefined
  const grant = newGrant(provider, session.accountId, client.clientId, audience, scopes.join(' '))
  await grant.save()
  return grant
}
