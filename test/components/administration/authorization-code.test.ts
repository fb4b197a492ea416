import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditCounter } from '../../../engines/audit/audit-trail.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { type Administration, startAdministration, superAdmin } from '../../support/clients/administration.ts'
import { embeddedIssuerUrl, people } from '../../support/engines/embedded-identity.ts'

const redirectUri = `${new URL(embeddedIssuerUrl).origin}/`
const registry = new Registry()
let administration: Administration
let server: Server
let address: string
beforeAll(async () => {
  administration = await startAdministration({ with: { auditNote: auditCounter(registry) } })
  const { issuer } = administration.people
  server = createServer((request, response) => issuer.handle(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server?.close()
  await administration?.[Symbol.asyncDispose]()
})

/** Follows redirects and stores cookies like a browser, one step at a time. */
class Visitor {
  readonly attributes = new Map<string, string>()
  readonly #cookies = new Map<string, string>()

  async go(to: string, form?: Readonly<Record<string, string>>): Promise<{ status: number; location: string; text: string }> {
    const { pathname, search } = new URL(to, embeddedIssuerUrl)
    const answer = await fetch(address + pathname + search, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
      this.attributes.set(name, cookie.slice(name.length + value.length + 2).toLowerCase())
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
  }
}

const newVerifier = (): string => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
const authorization = (more: Readonly<Record<string, string>>): string =>
  `/oidc/authorization?${new URLSearchParams({
    client_id: 'administration',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: 'state of the console',
    prompt: 'login',
    code_challenge_method: 'S256',
    ...more,
  })}`

async function signIn(verifier: string, { email, password } = people.superAdmin, visitor = new Visitor()): Promise<URLSearchParams> {
  const { location: loginPage } = await visitor.go(authorization({ code_challenge: challengeOf(verifier) }))
  const { location: resume } = await visitor.go(loginPage, { email, password })
  const { location } = await visitor.go(resume)
  expect(location.startsWith(`${redirectUri}?`), location).toBe(true)
  return new URL(location).searchParams
}

async function exchange(fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'administration', redirect_uri: redirectUri, ...fields })
  const answer = await fetch(`${address}/oidc/token`, { method: 'POST', body, headers: { origin: new URL(redirectUri).origin } })
  return { status: answer.status, json: (await answer.json()) as Record<string, string> }
}

describe('signing in at the embedded issuer by authorization code with PKCE', () => {
  it('shows the sign-in form again in a browser with an earlier session', async () => {
    const visitor = new Visitor()
    const emails: unknown[] = []
    for (const person of [people.superAdmin, people.superAdmin, people.groupAdmin]) {
      const verifier = newVerifier()
      const code = (await signIn(verifier, person, visitor)).get('code') ?? ''
      const { json } = await exchange({ code, code_verifier: verifier })
      emails.push(JSON.parse(Buffer.from(json.access_token?.split('.')[1] ?? '', 'base64url').toString()).sub)
    }
    expect(emails[1]).toBe(emails[0])
    expect(emails[2]).not.toBe(emails[0])
  })

  it('issues a token for the signed-in account, and returns state and issuer with the code', async () => {
    const verifier = newVerifier()
    const answer = await signIn(verifier)
    expect(answer.get('state')).toBe('state of the console')
    expect(answer.get('iss')).toBe(embeddedIssuerUrl)
    const { status, json } = await exchange({ code: answer.get('code') ?? '', code_verifier: verifier })
    expect(status, JSON.stringify(json)).toBe(200)
    const user = await administration.people.verifier.verify(json.access_token ?? '', AbortSignal.timeout(5000))
    expect(user).toMatchObject({ roles: ['super_admin'], profile: { email: people.superAdmin.email } })
    const renewed = await administration.people.identity.refresh(json.refresh_token ?? '', AbortSignal.timeout(5000))
    expect(renewed.accessToken).not.toBe(json.access_token)
  })

  it('lists the supported methods in its discovery document', async () => {
    const answer = await fetch(`${address}/oidc/.well-known/openid-configuration`)
    expect(await answer.json()).toMatchObject({
      authorization_endpoint: `${embeddedIssuerUrl}/authorization`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
  })

  it('repeats no long header of a cross-origin request', async () => {
    const { origin } = new URL(redirectUri)
    const preflight = await fetch(`${address}/oidc/token`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a,'.repeat(30) },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, *')
    const keys = await fetch(`${address}/oidc/jwks`, { headers: { origin: `https://${'x'.repeat(300)}` } })
    expect([keys.status, keys.headers.get('access-control-allow-origin')]).toEqual([200, 'null'])
  })

  it('refuses long forms, and those of unknown length, before it reads them', async () => {
    const post = (body: string | ReadableStream<Uint8Array>) =>
      fetch(`${address}/oidc/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
        ...(typeof body !== 'string' && { duplex: 'half' }),
      })
    const form = 'grant_type=password&client_id=administration&password=a&username='
    expect((await post(form + 'a'.repeat(20 * 1024))).status).toBe(413)
    expect((await post(new Blob([form]).stream())).status).toBe(411)
    const started = performance.now()
    const marks = '\u0301'.repeat(4900) + '\u0316'.repeat(4900)
    expect((await post(form + marks)).status).toBe(400)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('accepts a code once: a second use is refused and revokes the tokens of the first', async () => {
    const verifier = newVerifier()
    const fields = { code: (await signIn(verifier)).get('code') ?? '', code_verifier: verifier }
    const first = await exchange(fields)
    expect(await exchange(fields)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    await expect(administration.people.identity.refresh(first.json.refresh_token ?? '', AbortSignal.timeout(5000))).rejects.toThrow()
  })

  it('issues no code for a sign-in that passed the password check before the password was reset', async () => {
    const created = await administration.execute(
      'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { password account { id email } } }',
      { input: { email: 'robbed@example.org', roles: ['REVIEWER'] } },
      superAdmin,
    )
    const { createAccount } = created.data as { readonly createAccount: { password: string; account: { id: string; email: string } } }
    const { password, account } = createAccount
    const visitor = new Visitor()
    const { location: loginPage } = await visitor.go(authorization({ code_challenge: challengeOf(newVerifier()) }))
    const { location: resume } = await visitor.go(loginPage, { email: account.email, password })
    const reset = 'mutation ($input: ResetAccountPasswordInput!) { resetAccountPassword(input: $input) { account { id } } }'
    expect((await administration.execute(reset, { input: { id: account.id } }, superAdmin)).errors).toBeUndefined()
    const { status, location } = await visitor.go(resume)
    expect([status, location]).toEqual([400, ''])
  })

  it('refuses an account that is disabled while its sign-in is on the way, with access_denied', async () => {
    const { accounts } = administration.people.issuer
    const person = { email: 'leaving@example.org', password: 'leaving-Passw0rd' }
    const { id } = await accounts.create({ ...person, roles: ['group_admin'], groups: ['north'] })
    const visitor = new Visitor()
    const { location: loginPage } = await visitor.go(authorization({ code_challenge: challengeOf(newVerifier()) }))
    const { location: resume } = await visitor.go(loginPage, person)
    // as another transaction disables it between the password check and the storage of its result
    await administration.engines.database.orm.execute(sql`update identity_account set disabled_at = now() where id = ${id}`)
    const { status, location } = await visitor.go(resume)
    expect(status, location).toBe(303)
    const answer = new URL(location).searchParams
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'access_denied', error_description: 'The account is disabled' })
    expect(answer.get('state')).toBe('state of the console')
    expect(answer.get('code')).toBeNull()
  })

  it('shows a browser whose sign-in has ended the sign-in page with the reason', async () => {
    const ended = await fetch(`${address}/oidc/authorization/${'u'.repeat(21)}`, { redirect: 'manual', headers: { accept: 'text/html' } })
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/sign-in?problem=over'])
    await ended.body?.cancel()
  })

  it('limits the sign-ins that an address starts, and the length of each', async () => {
    const { issuer } = administration.people
    const remote = createServer((request, response) => issuer.handle(request, response, '203.0.113.7'))
    await new Promise<void>((listening) => remote.listen(0, '127.0.0.1', listening))
    const start = (more: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(
        `http://127.0.0.1:${(remote.address() as AddressInfo).port}${authorization({ code_challenge: challengeOf(newVerifier()), ...more })}`,
        { redirect: 'manual' },
      )
    const long = await start({ state: 's'.repeat(9000) })
    expect([long.status, new URL(long.headers.get('location') ?? '').searchParams.get('error')]).toEqual([303, 'invalid_request'])
    let refused = await start()
    let accepted = 0
    // a new minute may begin meanwhile
    for (; refused.status === 303 && accepted < 130; accepted++) refused = await start()
    expect(accepted).toBeGreaterThan(50)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
    remote.close()
  })

  it('refuses an expired code', async () => {
    const verifier = newVerifier()
    const code = (await signIn(verifier)).get('code') ?? ''
    await administration.engines.database.orm.execute(
      sql`update identity_token set payload = jsonb_set(payload, '{exp}', '1') where model = 'AuthorizationCode'`,
    )
    const { status, json } = await exchange({ code, code_verifier: verifier })
    expect({ status, error: json.error }).toEqual({ status: 400, error: 'invalid_grant' })
    expect(JSON.stringify(json)).not.toContain(code)
  })

  it('accepts one of two concurrent uses of a code', async () => {
    const verifier = newVerifier()
    const fields = { code: (await signIn(verifier)).get('code') ?? '', code_verifier: verifier }
    const statuses = (await Promise.all([exchange(fields), exchange(fields)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['another verifier', { code_verifier: newVerifier() }],
    ['no verifier', {}],
    ['another redirect_uri', { redirect_uri: `${redirectUri}other` }],
  ])('refuses a code with %s', async (_, fields) => {
    const verifier = newVerifier()
    const code = (await signIn(verifier)).get('code') ?? ''
    const form = 'redirect_uri' in fields ? { code_verifier: verifier, ...fields } : fields
    expect(await exchange({ code, ...form })).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  })

  it('refuses a code after its expiry time', async () => {
    const verifier = newVerifier()
    const code = (await signIn(verifier)).get('code') ?? ''
    const past = Math.floor(Date.now() / 1000) - 1
    await administration.engines.database.orm.execute(
      sql`update identity_token set expires_at = to_timestamp(${past}), payload = payload || jsonb_build_object('exp', ${past}::int) where model = 'AuthorizationCode'`,
    )
    expect(await exchange({ code, code_verifier: verifier })).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  })

  it('counts each login attempt in the metrics, accepted or refused', async () => {
    const counted = async (outcome: string): Promise<number> =>
      Number(new RegExp(`action="login",outcome="${outcome}"} (\\d+)`).exec(await registry.metrics())?.[1] ?? 0)
    const before = [await counted('done'), await counted('refused')]
    await signIn(newVerifier())
    const visitor = new Visitor()
    const { location } = await visitor.go(authorization({ code_challenge: challengeOf(newVerifier()) }))
    await visitor.go(location, { email: people.superAdmin.email, password: 'not this one' })
    expect([await counted('done'), await counted('refused')]).toEqual(before.map((count) => count + 1))
  })

  it('recognises a browser that has signed in before: failures of other clients at its address do not lock it out', async () => {
    const { accounts } = administration.people.issuer
    const owner = { email: 'owner@example.org', password: 'owner-Passw0rd' }
    await accounts.create({ ...owner, roles: ['group_admin'], groups: ['north'] })
    const [signedIn, stranger] = [new Visitor(), new Visitor()]
    const answerOf = async (visitor: Visitor, account: { email: string; password: string }): Promise<string> => {
      const { location } = await visitor.go(authorization({ code_challenge: challengeOf(newVerifier()) }))
      const answer = await visitor.go(location, account)
      return new URL(answer.location, embeddedIssuerUrl).searchParams.get('problem') ?? 'signed in'
    }
    expect(await answerOf(stranger, { ...owner, password: 'wrong' })).toBe('credentials')
    expect(stranger.attributes.has('civigraph_devices')).toBe(false)
    expect(await answerOf(signedIn, owner)).toBe('signed in')
    expect(signedIn.attributes.get('civigraph_devices')).toMatch(/path=\/oidc\/login;.*samesite=strict; httponly/)
    for (let tries = 0; tries < 5; tries++) await answerOf(stranger, { ...owner, password: 'wrong' })
    expect(await answerOf(stranger, owner)).toBe('locked')
    expect(await answerOf(signedIn, owner)).toBe('signed in')
    // the cookie is valid for its own account only
    for (let tries = 0; tries < 5; tries++) await answerOf(stranger, { email: 'other@example.org', password: 'wrong' })
    expect(await answerOf(signedIn, { email: 'other@example.org', password: 'wrong' })).toBe('locked')
  })

  it.each(['https://elsewhere.example/', `${redirectUri}?next=//elsewhere.example`, 'javascript:alert(1)'])(
    'does not redirect to %s, which is not registered',
    async (elsewhere) => {
      const state = 's'.repeat(5000)
      const { status, location, text } = await new Visitor().go(
        authorization({ redirect_uri: elsewhere, code_challenge: challengeOf(newVerifier()), state }),
      )
      expect({ status, location }).toEqual({ status: 400, location: '' })
      expect(JSON.parse(text)).toMatchObject({ error: 'invalid_redirect_uri' })
      expect(text).not.toContain('sss')
    },
  )

  it.each([
    ['without a challenge', {}],
    ['with a challenge that is the verifier', { code_challenge: newVerifier(), code_challenge_method: 'plain' }],
  ])('issues no code %s', async (_, more) => {
    const { location } = await new Visitor().go(authorization(more))
    const answer = new URL(location).searchParams
    expect(answer.get('error')).toBe('invalid_request')
    expect(answer.get('code')).toBeNull()
  })

  it('is recorded in the audit trail, accepted or refused, with a digest of the account', async () => {
    const { database } = administration.engines
    const visitor = new Visitor()
    const { location: loginPage } = await visitor.go(authorization({ code_challenge: challengeOf(newVerifier()) }))
    registry.resetMetrics()
    await visitor.go(loginPage, { email: people.superAdmin.email, password: 'not this one' })
    await signIn(newVerifier())
    const { rows } = await database.orm.execute<{ outcome: string; subject: string | null; target: string }>(
      sql`select outcome, subject, target from audit_record where action = 'login' order by id desc limit 2`,
    )
    expect(rows.map(({ outcome, subject }) => [outcome, subject !== null])).toEqual([
      ['done', true],
      ['refused', false],
    ])
    expect(new Set(rows.map(({ target }) => target)).size).toBe(1)
    expect(rows[0]?.target).toMatch(/^account:[\w-]{43}$/)
    const counted = await registry.metrics()
    expect(counted).toContain('civigraph_audit_records_total{action="login",outcome="done"} 1')
    expect(counted).toContain('civigraph_audit_records_total{action="login",outcome="refused"} 1')
  })

  it('shows the form again after a wrong password, and locks an account after five', async () => {
    const visitor = new Visitor()
    const { location: loginPage } = await visitor.go(authorization({ code_challenge: challengeOf(newVerifier()) }))
    const response = await visitor.go(loginPage)
    expect(response.location).toBe(`/sign-in?${new URLSearchParams({ to: new URL(loginPage, embeddedIssuerUrl).pathname })}`)
    const wrong = { email: 'unknown@example.org', password: 'not this one' }
    const problems: (string | null)[] = []
    for (let times = 0; times < 6; times++) {
      const { status, location } = await visitor.go(loginPage, wrong)
      expect(status).toBe(303)
      problems.push(new URL(location, embeddedIssuerUrl).searchParams.get('problem'))
    }
    expect(problems).toEqual([...Array(5).fill('credentials'), 'locked'])
  })

  it('refuses a form from a browser that did not begin the sign-in', async () => {
    const { location: loginPage } = await new Visitor().go(authorization({ code_challenge: challengeOf(newVerifier()) }))
    const { status, text } = await new Visitor().go(loginPage, people.superAdmin)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' })
  })
})
