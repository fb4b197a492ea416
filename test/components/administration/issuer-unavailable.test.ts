import { once } from 'node:events'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oidcIdentityProvider } from '../../../engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../../engines/identity/openid-issuer.ts'
import { createTokenVerifier } from '../../../engines/identity/token-verifier.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { silentLog } from '../../../foundation/log.ts'
import { type RestServer, restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'
import { type Administration, startAdministration } from '../../support/clients/administration.ts'
import { StubServer, sendJson } from '../../support/engines/stub-server.ts'
import { type Reply, send } from '../../support/rest/rest.ts'

const audience = 'civigraph'
const secret = 'not-the-one-of-the-issuer'
const minuteMs = 60_000
let issuer: StubServer
let administration: Administration
let server: RestServer
let state: 'available' | 'unavailable' | 'frozen' | 'refusing'
let aheadMs = 0
/** Requests that the frozen issuer has received. */
let held = 0
let thawed = Promise.withResolvers<void>()
/** Maximum of concurrent logins at the issuer. */
let maxConcurrent = 0
let atOnce = 0

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }]
  issuer = await StubServer.open(async ({ url }, response) => {
    if (state === 'unavailable') return response.destroy()
    if (url === '/token') maxConcurrent = Math.max(maxConcurrent, ++atOnce)
    response.once('close', () => url === '/token' && atOnce--)
    if (state === 'frozen') {
      held++
      await Promise.race([once(response, 'close'), thawed.promise])
      held--
      if (response.destroyed) return
    }
    if (url.endsWith('/openid-configuration'))
      return sendJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, token_endpoint: `${issuer.url}/token` })
    if (url === '/jwks') return sendJson(response, { keys })
    // the response of Keycloak
    if (state === 'refusing')
      return sendJson(response, { error: 'unauthorized_client', error_description: 'Invalid client or Invalid client credentials' }, 401)
    const token = new SignJWT({ email: 'ada@example.org', roles: ['super_admin'] })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
      .setSubject('ada')
      .setIssuer(issuer.url)
      .setAudience(audience)
      .setExpirationTime('1h')
    sendJson(response, { access_token: await token.sign(privateKey), token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' })
  })
  const { transport, readKeys } = openIdIssuer(issuer.url)
  const clock = { now: () => Date.now() + aheadMs }
  const claims = { roles: 'roles', groups: 'groups', tenant: 'tenant', citizen: 'citizen_code' }
  const verifier = createTokenVerifier({ issuer: issuer.url, audience, claims, readKeys, clock })
  const identity = oidcIdentityProvider(transport, { id: 'administration', secret })
  administration = await startAdministration({ with: { identity, verifier, accounts: undefined } })
  const config = parseConfig({ NODE_ENV: 'test' }, '/tmp')
  server = restServer({
    component: 'administration',
    routes: routesOf('administration', config),
    executor: administration.executor,
    authentication: createAuthentication({ apiKeys: [], tokenVerifier: verifier }),
    config,
    log: silentLog,
    port: 0,
  })
  await server.start(AbortSignal.timeout(minuteMs))
})
afterAll(async () => {
  await server?.stop()
  await administration?.[Symbol.asyncDispose]()
  await issuer?.[Symbol.asyncDispose]()
})
beforeEach(() => comeBack())

/** Responses that a frozen process sends when it continues. */
function comeBack(): void {
  state = 'available'
  thawed.resolve()
  thawed = Promise.withResolvers()
}

const logIn = (): Promise<Reply> =>
  send(
    `${server.address}/auth/login`,
    'POST',
    { 'Content-Type': 'application/json' },
    '{"email": "ada@example.org", "password": "correct"}',
  )
const whoAmI = (token: string): Promise<Reply> => send(`${server.address}/auth/me`, 'GET', { Authorization: `Bearer ${token}` })
const tokenOf = (reply: Reply): string => String((reply.json() as { access_token: string }).access_token)
const health = async () => (await send(`${server.address}/health`, 'GET', {})).json()

describe.each(['unavailable', 'frozen'] as const)('while the issuer is %s', (outage) => {
  it('logins return 503 with Retry-After, tokens are verified with the cached keys, and logins work once it is available', async () => {
    const session = await logIn()
    expect(session.status).toBe(200)
    const token = tokenOf(session)
    expect((await whoAmI(token)).status).toBe(200)
    expect(await health()).toMatchObject({ status: 'ok', checks: { identity_service: { status: 'ok' } } })

    state = outage
    const refused = await logIn()
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)])
    expect(await health()).toMatchObject({ status: 'degraded', checks: { identity_service: { status: 'down' } } })
    // also when the cached keys are past their refresh time
    for (const minutes of [0, 2, 20]) {
      aheadMs += minutes * minuteMs
      expect((await whoAmI(token)).status).toBe(200)
    }
    comeBack()
    expect((await logIn()).status).toBe(200)
    expect((await whoAmI(token)).status).toBe(200)
    expect(await health()).toMatchObject({ status: 'ok' })
    // otherwise a second login of the same person beside the abandoned one would count as guessing
    expect(maxConcurrent).toBe(1)
  })
})

it('logins return 503 while the issuer refuses the secret of the platform, and health names the setting until it is corrected', async () => {
  state = 'refusing'
  const refused = await logIn()
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60'])
  const error =
    'It rejects the platform’s client (unauthorized_client): check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and that the issuer allows that client the password grant'
  const report = await health()
  expect(report).toMatchObject({ status: 'degraded', checks: { identity_service: { status: 'down', error } } })
  expect(JSON.stringify([refused.json(), report])).not.toContain(secret)
  comeBack()
  // before the next login
  expect(await health()).toMatchObject({ status: 'ok' })
  expect((await logIn()).status).toBe(200)
})

it('refreshes the keys of a frozen issuer in the background while tokens are verified', async () => {
  const token = tokenOf(await logIn())
  expect((await whoAmI(token)).status).toBe(200)
  state = 'frozen'
  aheadMs += 10 * minuteMs
  // the first verification waits for the response
  expect((await whoAmI(token)).status).toBe(200)
  await expect.poll(() => held).toBe(0)
  aheadMs += minuteMs
  expect((await whoAmI(token)).status).toBe(200)
  // verified while the key request is pending
  await expect.poll(() => held).toBe(1)
})
