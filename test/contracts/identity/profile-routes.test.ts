import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { currentProfiles, type ProfileSource } from '../../../engines/identity/current-profile.ts'
import { openIdIssuer } from '../../../engines/identity/openid-issuer.ts'
import { createTokenVerifier, type TokenVerifier } from '../../../engines/identity/token-verifier.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { audience, claimNames, type EmbeddedIdentity, people, startEmbeddedIdentity } from '../../support/engines/embedded-identity.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

const client = { id: 'administration', secret: 'secret:with space' }
const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const [engine] = relationalEngines()

describe('profile of a user at the embedded issuer', () => {
  let opened: Awaited<ReturnType<typeof openMigrated>>
  let running: EmbeddedIdentity
  let server: Server
  let url: string
  beforeAll(async () => {
    if (engine === undefined) throw new Error('there is no relational engine')
    opened = await openMigrated(engine)
    server = createServer((request, response) => running.issuer.handle(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `${listenerUrl(server, '127.0.0.1')}/oidc`
    running = await startEmbeddedIdentity(opened.database, { url, secret: client.secret })
  })
  afterAll(async () => {
    server?.close()
    await running?.[Symbol.asyncDispose]()
    await opened?.[Symbol.asyncDispose]()
  })

  /** Another platform, for which this issuer is an external one. */
  function verifierOf(source: ProfileSource): TokenVerifier {
    const issuer = openIdIssuer(url, undefined, client)
    const checks = { audience, claims: claimNames, clock: systemClock }
    const tokens = createTokenVerifier({ issuer: url, readKeys: issuer.readKeys, ...checks })
    return currentProfiles({ tokens, issuer, issuerUrl: url, source, ...checks })
  }
  const signIn = (person: keyof typeof people) => running.identity.login(people[person], signal())

  it.each(['userinfo', 'introspection'] as const)('follows a change and a closed account, by %s', async (source) => {
    const verifier = verifierOf(source)
    const email = `${source}@example.org`
    const { accounts } = running.issuer
    await accounts.create({
      email,
      password: 'some-Passw0rd',
      roles: ['group_admin'],
      groups: ['north'],
      givenName: 'Kim',
      familyName: 'One',
    })
    const { accessToken } = await running.identity.login({ email, password: 'some-Passw0rd' }, signal())
    const user = await verifier.verify(accessToken, signal())
    expect(user).toMatchObject({ roles: ['group_admin'], groups: ['north'], profile: { email, name: 'Kim One', emailVerified: true } })
    await accounts.change(user.subject, { roles: ['reviewer'], familyName: 'Two' })
    await expect
      .poll(() => verifier.verify(accessToken, signal()), { timeout: 10_000 })
      .toMatchObject({ roles: ['reviewer'], profile: { name: 'Kim Two' } })
    await accounts.change(user.subject, { disabledAt: new Date() })
    await expect
      .poll(() => verifier.verify(accessToken, signal()).then(String, ({ message }) => message), { timeout: 10_000 })
      .toBe('The identity provider no longer accepts this access token')
  })

  it('answers UserInfo by RFC 6750, and is not cached', async () => {
    const { accessToken } = await signIn('superAdmin')
    const read = (headers: Record<string, string>, method = 'GET') => fetch(`${url}/userinfo`, { method, headers })
    const answer = await read({ authorization: `bearer ${accessToken}` })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await answer.json()).toMatchObject({ sub: expect.any(String), email: people.superAdmin.email, roles: ['super_admin'] })
    const [none, wrong] = [await read({}), await read({ authorization: 'Bearer a.b.c' })]
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
    expect((await read({}, 'DELETE')).status).toBe(405)
  })

  it('introspects for its client only', async () => {
    const { accessToken } = await signIn('groupAdmin')
    const introspect = (form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${url}/token/introspection`, { method: 'POST', headers, body: new URLSearchParams(form) })
    const named = { client_id: client.id, client_secret: client.secret }
    expect(await (await introspect({ token: accessToken, ...named })).json()).toMatchObject({
      ...{ active: true, iss: url, aud: audience, groups: ['default'], token_type: 'Bearer' },
      exp: expect.any(Number),
    })
    const basic = `Basic ${Buffer.from(`${client.id}:${encodeURIComponent(client.secret)}`).toString('base64')}`
    expect(await (await introspect({ token: accessToken }, { authorization: basic })).json()).toMatchObject({ active: true })
    expect(await (await introspect({ token: 'a.b.c', ...named })).json()).toEqual({ active: false })
    expect(await (await introspect(named)).json()).toEqual({ active: false })
    for (const form of [{}, { ...named, client_secret: 'wrong' }, { ...named, client_id: 'other' }])
      expect((await introspect({ token: accessToken, ...form })).status).toBe(401)
    expect((await introspect({ token: 'x'.repeat(20_000), ...named })).status).toBe(401)
  })
})
