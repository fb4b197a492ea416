import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPostgresBackend, Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenOf } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { embeddedUrl } from '../../support/engines/databases.ts'
import { people } from '../../support/engines/embedded-identity.ts'
import { realIssuer, realPostgres, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { untilIssues } from '../../support/engines/keycloak.ts'
import { layouts, type System } from '../../support/processes/platform.ts'
import { startProcess } from '../../support/processes/platform-process.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { jobOf } from '../../support/samples/people.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}
interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const keycloak = realIssuer()
if (keycloak === undefined) skippedWithout('OIDC_ISSUER_URL', 'administration with Keycloak')
/** Components that delegations and citizens refer to; no job has to be completed. */
const concerned = { components: ['verification', 'exploration', 'classification', 'administration'], workers: [] } as const
/** Each issuer once; the journeys of components C and E sign in at an embedded issuer whose tokens other processes verify. */
const situations = (
  [
    { issuer: 'embedded issuer', layout: 'one' },
    { issuer: keycloak === undefined ? 'embedded issuer' : 'Keycloak', layout: 'split' },
  ] as const
).filter(({ layout }) => layouts.includes(layout))

describe.each(situations)('administration with the $issuer, in layout $layout', ({ issuer, layout }) => {
  const isEmbedded = issuer === 'embedded issuer'
  let system: System
  let admins: { readonly superAdmin: Credentials; readonly groupAdmin: Credentials }
  beforeAll(async () => {
    // the demonstration's delegations without its expressions: those are posted like any others
    const demonstration = { DEMO_DATA: 'on', INGEST_AUTH: 'token' }
    const env = isEmbedded || keycloak === undefined ? demonstration : { ...demonstration, OIDC_ISSUER_URL: keycloak }
    const issuing = isEmbedded || keycloak === undefined ? undefined : untilIssues(keycloak)
    system = await startSystem({ layout, env, ...(isEmbedded && layout === 'one' ? { workers: [] } : concerned) })
    await issuing
    const stored = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')) as Record<string, Credentials>
    admins = isEmbedded
      ? { superAdmin: stored.super_admin ?? people.superAdmin, groupAdmin: stored.group_admin ?? people.groupAdmin }
      : { superAdmin: people.superAdmin, groupAdmin: people.groupAdmin }
  })
  afterAll(() => system?.stop())

  const call = async (path: string, token?: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(system.rest.administration + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] }
  }
  const logIn = async (account: Credentials): Promise<Tokens> => {
    const { status, body } = await call('/auth/login', undefined, account)
    expect(status).toBe(200)
    return body as unknown as Tokens
  }
  const graphql = async (query: string, variables: object = {}, token?: string) => {
    const answer = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(60_000),
    })
    return (await answer.json()) as { data?: Record<string, unknown>; errors?: { extensions: Record<string, unknown> }[] }
  }

  it('returns the verifications of a citizen to a super_admin only, in pages, newest first, from every field that leads to the citizen', async () => {
    const client = new VerificationClient(system)
    const codes = ['WATCHED-1', 'WATCHED-2'].map((name) => `${name}-${crypto.randomUUID()}`)
    const submitted = new Map<string, string[]>()
    for (const code of [...codes, ...codes, ...codes]) {
      const { body } = await client.submit({ ...(await jobOf(5)), citizen_code: code, selfie_b64: '?' })
      submitted.set(code, [...(submitted.get(code) ?? []), body.job_id])
    }
    const query = `query ($one: String!, $two: String!, $after: String) {
      one: citizen(code: $one) { code verifications(first: 2) { nodes { id citizen { code } } pageInfo { hasNextPage endCursor } } }
      two: citizen(code: $two) { code verifications(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage } } }
    }`
    const [one = '', two = ''] = codes
    const newest = (code: string): string[] => submitted.get(code)?.toReversed() ?? []
    const { access_token: token } = await logIn(admins.superAdmin)
    const { data, errors } = await graphql(query, { one, two }, token)
    expect(errors).toBeUndefined()
    const page = (data as Record<'one', { verifications: { nodes: unknown[]; pageInfo: { endCursor: string } } }>).one.verifications
    expect(page.nodes).toEqual(
      newest(one)
        .slice(0, 2)
        .map((id) => ({ id, citizen: { code: one } })),
    )
    expect(data).toMatchObject({
      one: { verifications: { pageInfo: { hasNextPage: true } } },
      two: {
        verifications: {
          nodes: newest(two)
            .slice(0, 2)
            .map((id) => ({ id })),
        },
      },
    })
    const rest = await graphql(query, { one: two, two: one, after: page.pageInfo.endCursor }, token)
    expect(rest.data).toMatchObject({ two: { verifications: { nodes: [{ id: newest(one)[2] }], pageInfo: { hasNextPage: false } } } })

    const others = [undefined, (await logIn(admins.groupAdmin)).access_token]
    for (const other of others) {
      const refused = await graphql(query, { one, two }, other)
      expect(refused.data).toEqual({ one: { code: one, verifications: null }, two: { code: two, verifications: null } })
      expect(refused.errors?.map(({ extensions }) => extensions.code)).toEqual(
        Array(2).fill(other === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN'),
      )
    }
    for (const [limits, code] of [
      ['first: 0', 'BAD_USER_INPUT'],
      ['first: 101', 'BAD_USER_INPUT'],
      ['after: "x"', 'MALFORMED'],
      [`after: "${Buffer.from('["\\u0000"]').toString('base64url')}"`, 'MALFORMED'],
    ]) {
      const wrong = await graphql(`{ citizen(code: "x") { verifications(${limits}) { nodes { id } } } }`, {}, token)
      expect([limits, wrong.errors?.[0]?.extensions.code]).toEqual([limits, code])
    }
  })

  it('leads from login to profile to delegations to logout', async () => {
    const tokens = await logIn(admins.superAdmin)
    const me = await call('/auth/me', tokens.access_token)
    expect(me).toMatchObject({ status: 200, body: { email: admins.superAdmin.email, email_verified: true, roles: ['super_admin'] } })
    expect(Object.keys(me.body)).toEqual([
      'sub',
      'email',
      'email_verified',
      'name',
      'given_name',
      'family_name',
      'locale',
      'roles',
      'groups',
      'permissions',
      'iat',
      'exp',
    ])
    expect(me.headers.get('cache-control')).toBe('no-store')

    const { data } = await graphql(`{ me { id email } delegations(first: 1) { totalCount } }`, {}, tokens.access_token)
    expect(data?.me).toEqual({ id: me.body.sub, email: admins.superAdmin.email })

    const refreshing = 'mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) { accessToken refreshToken } }'
    const refreshed = await graphql(refreshing, { input: { refreshToken: tokens.refresh_token } })
    const session = refreshed.data?.refreshSession as { accessToken: string; refreshToken: string }
    expect((await call('/auth/me', session.accessToken)).body.sub).toBe(me.body.sub)
    const ended = await graphql('mutation ($input: LogoutInput!) { logout(input: $input) { ended } }', {
      input: { refreshToken: session.refreshToken },
    })
    expect(ended.data).toEqual({ logout: { ended: true } })
    expect((await graphql(refreshing, { input: { refreshToken: session.refreshToken } })).errors?.[0]?.extensions.code).toBe(
      'INVALID_CREDENTIALS',
    )
  })

  it('returns delegations page by page, in the documented shape', async () => {
    const { access_token: token } = await logIn(admins.superAdmin)
    // loaded in the background
    await expect.poll(async () => (await call('/delegations?size=7', token)).body.total).toBe(60)
    const first = await call('/delegations?size=7', token)
    expect(first.body).toMatchObject({ total: 60, page: 1, size: 7, pages: 9 })
    expect(first.headers.get('x-total-count')).toBe('60')
    expect(first.headers.get('link')).toContain('</delegations?size=7&page=2>; rel="next"')
    const [item] = first.body.items as Record<string, unknown>[]
    expect(Object.keys(item ?? {})).toEqual([
      'id',
      'delegator',
      'delegate',
      'group_id',
      'domain',
      'scope',
      'status',
      'starts_at',
      'ends_at',
      'created_at',
      'updated_at',
    ])
    const ids: unknown[] = []
    for (let page = 1; page <= 9; page++)
      ids.push(...((await call(`/delegations?size=7&page=${page}`, token)).body.items as { id: string }[]).map(({ id }) => id))
    expect(new Set(ids).size).toBe(60)
    expect((await call('/delegations?size=7&page=10', token)).body.items).toEqual([])
  })

  it('returns to a group_admin the delegations of its group only, over REST and GraphQL, with the domain of another component', async () => {
    const { access_token: token } = await logIn(admins.groupAdmin)
    const { body } = await call('/delegations?size=100', token)
    const items = body.items as { group_id: string }[]
    expect(items.length).toBe(30)
    expect(new Set(items.map(({ group_id }) => group_id))).toEqual(new Set(['default']))
    const { data, errors } = await graphql(
      `{ delegations(first: 5, filter: { domain: "health" }) { nodes { group { id } domain { id } delegator { code delegationsGiven { totalCount } } } } }`,
      {},
      token,
    )
    expect(errors).toBeUndefined()
    const { nodes } = (data?.delegations ?? {}) as {
      nodes: { group: { id: string }; domain: { id: string }; delegator: { delegationsGiven: { totalCount: number } } }[]
    }
    expect(nodes.length).toBeGreaterThan(0)
    for (const node of nodes) expect(node).toMatchObject({ group: { id: 'default' }, domain: { id: 'health' } })
    expect((await call('/delegations?group=north', token)).body.total).toBe(0)
  })

  it('returns the documented errors', async () => {
    expect(await call('/auth/me')).toMatchObject({ status: 401, body: { detail: expect.any(String) } })
    expect((await call('/auth/me')).headers.get('www-authenticate')).toBe('Bearer realm="civigraph"')
    const forged = await call('/delegations', 'eyJhbGciOiJub25lIn0.e30.')
    expect(forged.status).toBe(401)
    expect(forged.headers.get('www-authenticate')).toMatch(/^Bearer realm="civigraph", error="invalid_token"/)
    const wrong = await call('/auth/login', undefined, { email: 'unknown@example.org', password: 'wrong' })
    expect(wrong).toMatchObject({ status: 401, body: { detail: 'Invalid credentials', error: 'invalid_grant' } })
    expect(wrong.headers.get('cache-control')).toBe('no-store')
    const { access_token: token } = await logIn(admins.superAdmin)
    for (const query of ['page=0', 'size=101', 'size=abc', 'sort=name', 'status=gone']) {
      const { status, body } = await call(`/delegations?${query}`, token)
      expect([status, (body.detail as { loc: unknown[] }[])[0]?.loc]).toEqual([422, ['query', query.split('=')[0]]])
    }
    expect((await fetch(`${system.rest.administration}/delegations`, { method: 'DELETE' })).status).toBe(405)
  })

  it('reports the health of its three configured services', async () => {
    const checks = { message_broker: { status: 'ok' }, analytics_database: { status: 'ok' }, identity_service: { status: 'ok' } }
    await expect.poll(() => call('/health')).toMatchObject({ status: 200, body: { status: 'ok', checks } })
  })

  it('accepts a changed delegation from the broker', async () => {
    const connection = { connectionString: await embeddedUrl(system.dataDir), schema: 'bullmq' }
    await using queue = disposed(new Queue('delegations', { connection }, createPostgresBackend))
    await queue.add('delegation.changed', { delegator: 'B-9' })
    await queue.add('delegation.changed', changedDelegation())
    const { access_token: token } = await logIn(admins.superAdmin)
    await expect
      .poll(async () => (await call('/delegations?group=broker', token)).body.items)
      .toMatchObject([{ id: 'from-broker', delegator: { code: 'B-1' }, status: 'active' }])
    await leaveNoDeadLetter(system, () => call('/health'))
  })

  it.runIf(isEmbedded)(
    'lets an operator create an administrator at run time, who can log in at once; discovery and keys are public',
    async () => {
      const words = ['admin', 'create', 'new.admin@example.org', '--role', 'group_admin', '--group', 'south']
      const child = spawn(process.execPath, [new URL('../../../dist/platform/main.js', import.meta.url).pathname, ...words], {
        env: system.env,
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
      await new Promise((resolve) => child.once('close', resolve))
      const [, password = ''] = /password: (\S+)/.exec(output) ?? []
      const { access_token: token } = await logIn({ email: 'new.admin@example.org', password })
      expect((await call('/delegations', token)).body.total).toBe(15)

      const file = join(system.dataDir, 'delegations.csv')
      await writeFile(file, 'delegator,delegate,group_id,starts_at\nF-1,F-2,files,2026-01-01T00:00:00Z\nF-3,F-4,files,2026-0\n')
      const brought = startProcess(['delegations', 'import', file], system.env)
      expect(await brought.exited).toBe(1)
      expect(brought.output()).toContain('line 3: starts_at: ')
      expect(brought.output()).toContain('received 2, refused 1, created 1, updated 0, unchanged 0\n')

      const discovery = await call('/oidc/.well-known/openid-configuration')
      expect(discovery.body).toMatchObject({
        issuer: `${system.rest.administration}/oidc`,
        jwks_uri: `${system.rest.administration}/oidc/jwks`,
      })
      const keys = await call('/oidc/jwks')
      expect(keys.body).toMatchObject({ keys: [{ kty: 'EC', crv: 'P-256', use: 'sig' }] })
      expect(JSON.stringify(keys.body)).not.toContain('"d"')
    },
  )
})

const changedDelegation = () => ({
  id: 'from-broker',
  delegator: 'B-1',
  delegate: 'B-2',
  group_id: 'broker',
  starts_at: new Date(Date.now() - 1000).toISOString(),
})

/** The one unreadable delegation is listed as a dead letter, becomes one again after a retry, and is then discarded. */
async function leaveNoDeadLetter(system: Pick<System, 'env'>, health: () => Promise<unknown>): Promise<void> {
  const broker = (check: object) => ({ body: { checks: { message_broker: check } } })
  const run = async (...words: readonly string[]): Promise<string> => {
    const command = startProcess(['dead-letters', ...words], system.env)
    expect([words, await command.exited]).toEqual([words, 0])
    return command.output()
  }
  const letters = async () => [...(await run('list')).matchAll(/^message (\d+) {2}\S+ {2}delegations delegation\.changed: (.*)$/gm)]
  const error = 'messages of delegations that no worker could handle await an operator (dead-letters list): 1'
  await expect.poll(health).toMatchObject(broker({ status: 'degraded', error }))
  const [first, ...others] = await letters()
  expect(others).toEqual([])
  expect(first?.[2]).toMatch(/^delegate: .*; group_id: .*; starts_at: /)
  expect(first?.[2]).not.toContain('B-9')
  expect(await run('redrive')).toMatch(/^messages: [1-9]\d* queued again$/m)
  const again = async () => (await letters()).map(([, id]) => id)
  await expect.poll(again).toEqual([expect.stringMatching(/^\d+$/)])
  const [id = ''] = await again()
  expect(id).not.toBe(first?.[1])
  expect(await run('remove', id)).toContain(`message ${id} removed`)
  await expect.poll(health).toMatchObject(broker({ status: 'ok' }))
}

const disposed = <Closed extends { close(): Promise<void> }>(queue: Closed): Closed & AsyncDisposable =>
  Object.assign(queue, { [Symbol.asyncDispose]: () => queue.close() })

const redis = realRedis()
const onRealEngines = redis !== undefined && realPostgres() !== undefined
if (!onRealEngines) skippedWithout('DATABASE_URL and REDIS_URL', 'administration on real engines')

describe.runIf(onRealEngines)('administration on PostgreSQL and Redis dedicated to it', () => {
  it('accepts a changed delegation from the broker, and has no demonstration data', async () => {
    const system = await sharedPlatform('split')
    const connection = { url: String(redis) }
    await using queue = disposed(new Queue('delegations', { connection, prefix: system.env.REDIS_PREFIX ?? '' }))
    await queue.add('delegation.changed', { delegator: 'B-9' })
    await queue.add('delegation.changed', changedDelegation())
    const headers = { Authorization: `Bearer ${await tokenOf(system)}` }
    const call = async (path: string) => (await fetch(system.rest.administration + path, { headers })).json()
    await expect
      .poll(() => call('/delegations?group=broker'))
      .toMatchObject({ total: 1, items: [{ id: 'from-broker', delegator: { code: 'B-1' }, status: 'active' }] })
    expect(await call('/delegations?group=default')).toMatchObject({ total: 0 })
    await leaveNoDeadLetter(system, async () => ({ body: await call('/health') }))
    await expect.poll(() => call('/health')).toMatchObject({ status: 'ok', checks: { message_broker: { status: 'ok', engine: 'redis' } } })
  })
})
