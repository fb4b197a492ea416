import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidCredentials } from '../../../engines/identity/identity-provider.ts'
import { LoginGuard } from '../../../engines/identity/login-guard.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { silentLog } from '../../../foundation/log.ts'
import { type RestServer, restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'
import { type Administration, startAdministration } from '../../support/clients/administration.ts'
import { people } from '../../support/engines/embedded-identity.ts'
import { type Reply, send } from '../../support/rest/rest.ts'

let administration: Administration
let server: RestServer
const tokens = { superAdmin: '', groupAdmin: '', plain: '' }
beforeAll(async () => {
  administration = await startAdministration()
  const { executor, authentication, people: embedded } = administration
  const config = parseConfig({ NODE_ENV: 'test', TRUST_PROXY: '1' }, '/tmp')
  const routes = routesOf('administration', config)
  server = restServer({
    component: 'administration',
    routes,
    executor,
    authentication,
    config,
    log: silentLog,
    port: 0,
    mounts: [embedded.issuer],
  })
  await server.start(AbortSignal.timeout(60_000))
  const signal = AbortSignal.timeout(120_000)
  for (const role of ['superAdmin', 'groupAdmin', 'plain'] as const)
    tokens[role] = (await embedded.identity.login(people[role], signal)).accessToken
})
afterAll(async () => {
  await server?.stop()
  await administration?.[Symbol.asyncDispose]()
})

const get = (path: string, token?: string): Promise<Reply> =>
  send(server.address + path, 'GET', token === undefined ? {} : { Authorization: `Bearer ${token}` })
const post = (path: string, body: string, type = 'application/json'): Promise<Reply> =>
  send(server.address + path, 'POST', { 'Content-Type': type }, body)

describe('GET /auth/me', () => {
  it('returns the documented profile', async () => {
    const { status, headers, json } = await get('/auth/me', tokens.groupAdmin)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const body = json() as { iat: number; exp: number }
    expect(body).toEqual({
      sub: expect.any(String),
      email: people.groupAdmin.email,
      email_verified: true,
      name: 'Gil Group',
      given_name: 'Gil',
      family_name: 'Group',
      locale: null,
      roles: ['group_admin'],
      groups: ['default'],
      permissions: ['delegations:read', 'content:write'],
      iat: expect.any(Number),
      exp: expect.any(Number),
    })
    expect(body.exp - body.iat).toBe(300)
  })

  it('accepts the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect((await send(`${server.address}/auth/me`, 'GET', { Authorization: `${scheme} ${tokens.superAdmin}` })).status).toBe(200)
  })

  it.each([
    ['no credentials', {}, 'Bearer realm="civigraph"'],
    [
      'a malformed token',
      { Authorization: 'Bearer x.y.z' },
      'Bearer realm="civigraph", error="invalid_token", error_description="The access token is invalid"',
    ],
    ['another scheme', { Authorization: 'Basic YTpi' }, /^Bearer realm="civigraph", error="invalid_token"/],
    ['an empty token', { Authorization: 'Bearer ' }, /^Bearer realm="civigraph", error="invalid_token"/],
  ])('returns 401 with a challenge for %s', async (_, headers, challenge) => {
    const answer = await send(`${server.address}/auth/me`, 'GET', headers)
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toMatch(challenge)
    expect(Object.keys(answer.json() as object)).toEqual(['detail'])
  })

  it('accepts no token in the query, and no second Authorization header', async () => {
    expect((await get(`/auth/me?token=${tokens.superAdmin}&access_token=${tokens.superAdmin}`)).status).toBe(401)
    const twice = await send(`${server.address}/auth/me`, 'GET', {
      Authorization: [`Bearer ${tokens.superAdmin}`, `Bearer ${tokens.superAdmin}`] as unknown as string,
    })
    expect(twice.status).toBe(401)
  })

  it('refuses a token of a megabyte without a 500', async () => {
    expect([400, 401, 431]).toContain((await get('/auth/me', 'A'.repeat(1024 * 1024)).catch(() => ({ status: 431 }))).status)
    expect((await get('/auth/me', 'A'.repeat(15_000))).status).toBe(401)
  })

  it('is for administrators: a token of another user is 403 insufficient_scope', async () => {
    const { status, headers } = await get('/auth/me', tokens.plain)
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      expect.stringMatching(/^Bearer realm="civigraph", error="insufficient_scope"/),
    ])
  })
})

describe('POST /auth/login', () => {
  it('returns tokens in the documented shape with Cache-Control: no-store', async () => {
    const { status, headers, json } = await post('/auth/login', JSON.stringify({ ...people.superAdmin, remember: true }))
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(json()).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      token_type: 'Bearer',
      expires_in: 300,
      refresh_token: expect.any(String),
      refresh_expires_in: 1800,
      scope: 'openid profile email',
    })
  })

  it.each([
    [
      '{}',
      [
        ['body', 'email'],
        ['body', 'password'],
      ],
    ],
    [
      '{"email":1,"password":null}',
      [
        ['body', 'email'],
        ['body', 'password'],
      ],
    ],
    ['', [['body']]],
    ['[]', [['body']]],
    [`{"email":"${'a'.repeat(400)}","password":"x"}`, [['body', 'email']]],
  ])('refuses %.40s with 422 naming the members', async (body, places) => {
    const { status, json } = await post('/auth/login', body)
    expect(status).toBe(422)
    expect((json() as { detail: { loc: unknown }[] }).detail.map(({ loc }) => loc)).toEqual(places)
  })

  it('refuses a large body with 413 and a broken one with 422', async () => {
    expect((await post('/auth/login', `{"email":"${'a'.repeat(20_000)}"}`)).status).toBe(413)
    expect((await post('/auth/login', '{"email":')).status).toBe(422)
  })

  it('returns 429 with Retry-After once an account is locked, also for the correct password', async () => {
    const guess = () => post('/auth/login', JSON.stringify({ email: people.plain.email, password: 'wrong' }))
    const answers = []
    for (let tries = 0; tries < 6; tries++) answers.push(await guess())
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers[0]?.json()).toEqual({ detail: 'Invalid credentials', error: 'invalid_grant' })
    const locked = await post('/auth/login', JSON.stringify(people.plain))
    expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(850)
  })
})

describe('GET /delegations', () => {
  it('returns an empty page without delegations', async () => {
    const { status, headers, json } = await get('/delegations', tokens.superAdmin)
    expect([status, json()]).toEqual([200, { items: [], total: 0, page: 1, size: 20, pages: 0 }])
    expect(headers['x-total-count']).toBe('0')
    expect(headers.link).toBe('</delegations?page=1>; rel="first", </delegations?page=1>; rel="last"')
  })

  it.each([
    ['page=0', 'greater_than_equal'],
    ['page=-1', 'greater_than_equal'],
    ['size=0', 'greater_than_equal'],
    ['size=101', 'less_than_equal'],
    ['size=abc', 'int_parsing'],
    ['size=', 'int_parsing'],
    ['sort=name', 'literal_error'],
    ['status=ACTIVE', 'literal_error'],
    ['delegator=a%00b', 'value_error'],
  ])('refuses %s with 422', async (query, type) => {
    const { status, json } = await get(`/delegations?${query}`, tokens.superAdmin)
    expect([status, (json() as { detail: object[] }).detail[0]]).toEqual([
      422,
      expect.objectContaining({ type, loc: ['query', query.split('=')[0]] }),
    ])
  })

  it('returns 401 without a token, 403 without the permission, 405 for other methods', async () => {
    expect((await get('/delegations')).status).toBe(401)
    expect((await get('/delegations', tokens.plain)).status).toBe(403)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await send(`${server.address}/delegations`, method, {})
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET'])
    }
  })
})

describe('the embedded issuer at /oidc', () => {
  const form = (fields: Record<string, string>) =>
    post('/oidc/token', new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded')
  const password = { grant_type: 'password', client_id: 'administration' }

  it('issues tokens by password, refreshes with rotation and revokes', async () => {
    const first = (
      await form({ ...password, username: people.superAdmin.email, password: people.superAdmin.password, scope: 'openid' })
    ).json() as Record<string, string>
    expect(first).toMatchObject({ token_type: 'Bearer', scope: 'openid', refresh_expires_in: 1800 })
    const second = (
      await form({ grant_type: 'refresh_token', client_id: 'administration', refresh_token: first.refresh_token ?? '' })
    ).json() as Record<string, string>
    expect((await get('/auth/me', second.access_token)).status).toBe(200)
    await post('/oidc/token/revocation', `token=${second.refresh_token}&client_id=administration`, 'application/x-www-form-urlencoded')
    expect(
      (await form({ grant_type: 'refresh_token', client_id: 'administration', refresh_token: second.refresh_token ?? '' })).status,
    ).toBe(400)
  })

  it('does not accept its id token as an access token', async () => {
    const first = (
      await form({ ...password, username: people.superAdmin.email, password: people.superAdmin.password, scope: 'openid' })
    ).json() as Record<string, string>
    const { id_token } = (
      await form({ grant_type: 'refresh_token', client_id: 'administration', refresh_token: first.refresh_token ?? '' })
    ).json() as Record<string, string>
    expect(id_token).toMatch(/^eyJ/)
    expect((await get('/auth/me', id_token)).status).toBe(401)
  })

  it('refuses other clients, other grants and wrong passwords, and locks accounts like the login', async () => {
    expect((await form({ ...password, client_id: 'another', username: 'a', password: 'b' })).status).toBe(401)
    expect((await form({ ...password, grant_type: 'client_credentials' })).status).toBe(400)
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++)
      statuses.push((await form({ ...password, username: 'unknown@example.org', password: 'x' })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })

  it('publishes its own address, whatever Host and X-Forwarded-* a caller sends', async () => {
    const headers = { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' }
    const { text } = await send(`${server.address}/oidc/.well-known/openid-configuration`, 'GET', headers)
    expect(text).not.toContain('evil')
    expect(JSON.parse(text)).toMatchObject({ token_endpoint: 'http://127.0.0.1:4004/oidc/token' })
  })

  it('has no registration, and no login page of the library', async () => {
    for (const path of ['/oidc/auth?client_id=administration&response_type=code', '/oidc/reg', '/oidc/interaction/x', '/oidc/nothing'])
      expect([400, 404]).toContain((await get(path)).status)
  })
})

describe('the issuer behind the platform’s proxy', () => {
  it('counts failures by the forwarded client address, so that no client locks out the others', async () => {
    const { keyValue, clock } = administration.engines
    const guard = new LoginGuard(keyValue, clock)
    const failed = () => Promise.reject(new InvalidCredentials())
    for (let attempt = 0; attempt < 50; attempt++)
      await guard.watch({ email: `guess-${attempt}@example.org`, address: '198.51.100.7' }, failed, () => true).catch(() => undefined)
    const logIn = (forwarded: string, password: string) =>
      send(
        `${server.address}/oidc/token`,
        'POST',
        { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': forwarded },
        new URLSearchParams({
          grant_type: 'password',
          client_id: 'administration',
          username: people.superAdmin.email,
          password,
        }).toString(),
      )
    expect((await logIn('198.51.100.7', people.superAdmin.password)).status).toBe(429)
    expect((await logIn('198.51.100.8, 198.51.100.7', people.superAdmin.password)).status).toBe(429)
    expect((await logIn('198.51.100.7, 198.51.100.8', people.superAdmin.password)).status).toBe(200)
    // a client cannot present itself as an internal address, whose failures are counted separately
    for (let tries = 0; tries < 5; tries++) expect((await logIn('inside', 'wrong')).status).toBe(400)
    expect((await logIn('inside', people.superAdmin.password)).status).toBe(429)
  })
})
