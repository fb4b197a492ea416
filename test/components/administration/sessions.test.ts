import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { type Administration, type Answer, startAdministration } from '../../support/clients/administration.ts'
import { people, startEmbeddedIdentity } from '../../support/engines/embedded-identity.ts'

const login =
  'mutation ($input: LoginInput!) { login(input: $input) { accessToken tokenType expiresIn refreshToken refreshExpiresIn scope administrator { id email roles groups { id } } } }'
const refresh = 'mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) { accessToken refreshToken } }'
const logout = 'mutation ($input: LogoutInput!) { logout(input: $input) { ended } }'
const me = '{ me { id email emailVerified name givenName familyName locale roles groups { id } permissions issuedAt expiresAt } }'
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

interface Session {
  readonly accessToken: string
  readonly refreshToken: string
}
const codeOf = ({ errors }: Answer): unknown => errors?.[0]?.extensions.code

describe('sessions of administrators', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.[Symbol.asyncDispose]())

  const logIn = async (account: { email: string; password: string }): Promise<Session> => {
    const { data, errors } = await administration.execute(login, { input: account })
    expect(errors).toBeUndefined()
    return data?.login as Session
  }
  const principalOf = ({ accessToken }: Session) =>
    administration.authentication.principalOf(
      { apiKey: undefined, authorization: [`bearer ${accessToken}`], named: () => undefined },
      signal(),
    )

  it('begin for an administrator while another address sends 70 wrong logins at once, most of which are rate limited', async () => {
    const guess = (n: number) =>
      administration.execute(login, { input: { email: `guess-${n}@example.org`, password: 'wrong' } }, undefined, '198.51.100.7')
    const guesses = Array.from({ length: 70 }, (_, n) => guess(n))
    const session = await administration.execute(login, { input: people.superAdmin }, undefined, '192.0.2.9')
    expect(session.errors).toBeUndefined()
    expect(session.data?.login).toMatchObject({ administrator: { email: people.superAdmin.email } })
    const codes = (await Promise.all(guesses)).map(codeOf)
    expect(codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThan(40)
  }, 60_000)

  it('begin with email address and password, and return the signed-in account', async () => {
    const session = await logIn(people.groupAdmin)
    expect(session).toMatchObject({ tokenType: 'Bearer', expiresIn: 300, refreshExpiresIn: 1800, scope: 'openid profile email' })
    expect(session).toMatchObject({
      administrator: { email: people.groupAdmin.email, roles: ['GROUP_ADMIN'], groups: [{ id: 'default' }] },
    })
    const { data } = await administration.execute(me, {}, await principalOf(session))
    expect(data?.me).toMatchObject({
      email: people.groupAdmin.email,
      emailVerified: true,
      name: 'Gil Group',
      locale: null,
      roles: ['GROUP_ADMIN'],
      groups: [{ id: 'default' }],
      permissions: ['DELEGATIONS_READ', 'CONTENT_WRITE'],
    })
  })

  it('continue with a refresh token, which works once; a second use ends the session', async () => {
    const first = await logIn(people.superAdmin)
    const second = (await administration.execute(refresh, { input: { refreshToken: first.refreshToken } })).data?.refreshSession as Session
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(codeOf(await administration.execute(refresh, { input: { refreshToken: first.refreshToken } }))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await administration.execute(refresh, { input: { refreshToken: second.refreshToken } }))).toBe('INVALID_CREDENTIALS')
  })

  it('accept one of many concurrent refreshes with one token', async () => {
    const { refreshToken } = await logIn(people.superAdmin)
    const answers = await Promise.all(Array.from({ length: 8 }, () => administration.execute(refresh, { input: { refreshToken } })))
    expect(answers.filter(({ errors }) => errors === undefined).length).toBeLessThanOrEqual(1)
  })

  it('end with a logout', async () => {
    const session = await logIn(people.superAdmin)
    const { refreshToken } = session
    expect((await principalOf(session)).user?.roles).toEqual(['super_admin'])
    expect((await administration.execute(logout, { input: { refreshToken } })).data).toEqual({ logout: { ended: true } })
    await expect(principalOf(session)).rejects.toThrow('The session of this access token has ended')
    expect(codeOf(await administration.execute(refresh, { input: { refreshToken } }))).toBe('INVALID_CREDENTIALS')
  })

  it('fill the audit trail with no more than 60 refused refreshes or logouts a minute of one address', async () => {
    const address = '203.0.113.9'
    const countRecords = async (): Promise<number> => {
      const { rows } = await administration.engines.database.orm.execute<{ n: number }>(sql`select count(*)::int as n from audit_record`)
      return rows[0]?.n ?? 0
    }
    for (const document of [refresh, logout]) {
      const before = await countRecords()
      let attempts = 0
      // a new minute may begin meanwhile
      for (let code: unknown; code !== 'RATE_LIMITED' && attempts < 150; attempts++)
        code = codeOf(await administration.execute(document, { input: { refreshToken: 'unknown' } }, undefined, address))
      expect(attempts).toBeLessThan(150)
      expect(await countRecords()).toBe(before + attempts - 1)
    }
  })

  it('are for administrators only: other users are FORBIDDEN, and no session remains', async () => {
    const before = await administration.engines.database.orm.execute(
      sql`select count(*)::int as n from identity_token where model = 'RefreshToken'`,
    )
    expect(codeOf(await administration.execute(login, { input: people.plain }))).toBe('FORBIDDEN')
    const after = await administration.engines.database.orm.execute(
      sql`select count(*)::int as n from identity_token where model = 'RefreshToken'`,
    )
    expect(after.rows).toEqual(before.rows)
  })

  it('that cannot be recorded in the audit trail are not created', async () => {
    const { orm } = administration.engines.database
    const tokenCount = async () => (await orm.execute(sql`select count(*)::int as n from identity_token where model = 'RefreshToken'`)).rows
    const before = await tokenCount()
    await orm.execute(sql`alter table audit_record rename to audit_record_away`)
    try {
      expect((await administration.execute(login, { input: people.superAdmin })).data).toEqual({ login: null })
    } finally {
      await orm.execute(sql`alter table audit_record_away rename to audit_record`)
    }
    expect(await tokenCount()).toEqual(before)
  })

  it('end when the account is disabled, and new ones are refused', async () => {
    const { accounts } = administration.people.issuer
    const leaver = { email: 'leaver@example.org', password: 'leaver-Passw0rd' }
    const { id } = await accounts.create({ ...leaver, roles: ['group_admin'], groups: ['north'] })
    const { refreshToken } = await logIn(leaver)
    await accounts.change(id, { disabledAt: new Date() })
    expect(codeOf(await administration.execute(refresh, { input: { refreshToken } }))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await administration.execute(login, { input: leaver }))).toBe('INVALID_CREDENTIALS')
  })

  it('end when an operator sets another password', async () => {
    const { accounts } = administration.people.issuer
    const robbed = { email: 'robbed@example.org', password: 'robbed-Passw0rd' }
    const { id } = await accounts.create({ ...robbed, roles: ['group_admin'], groups: ['north'] })
    const [stolen, others] = [await logIn(robbed), await logIn(people.superAdmin)]
    await accounts.setPassword(id, 'another-Passw0rd')
    expect(codeOf(await administration.execute(refresh, { input: { refreshToken: stolen.refreshToken } }))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await administration.execute(login, { input: robbed }))).toBe('INVALID_CREDENTIALS')
    await logIn({ ...robbed, password: 'another-Passw0rd' })
    expect(codeOf(await administration.execute(refresh, { input: { refreshToken: others.refreshToken } }))).toBeUndefined()
  })

  it('have the account’s groups as of the last refresh', async () => {
    const { accounts } = administration.people.issuer
    const mover = { email: 'mover@example.org', password: 'mover-Passw0rd' }
    const { id } = await accounts.create({ ...mover, roles: ['group_admin'], groups: ['north'] })
    const { refreshToken } = await logIn(mover)
    await accounts.change(id, { groups: ['south', 'east'] })
    const session = (await administration.execute(refresh, { input: { refreshToken } })).data?.refreshSession as Session
    expect((await principalOf(session)).user?.groups).toEqual(['south', 'east'])
  })

  it('are refused equally for a wrong password, an unknown account and malformed input, and never with a 500', async () => {
    const odd = [
      { email: people.superAdmin.email, password: 'wrong' },
      { email: 'unknown@example.org', password: people.superAdmin.password },
      { email: '', password: '' },
      { email: 'a\u0000b', password: 'x' },
      { email: '\ud800', password: '\udfff' },
      { email: "' or 1=1 --", password: "' or 1=1 --" },
    ]
    for (const input of odd) {
      const answer = await administration.execute(login, { input })
      expect(answer.errors?.[0]).toMatchObject({
        message: 'Invalid credentials',
        extensions: { code: 'INVALID_CREDENTIALS', error: 'invalid_grant' },
      })
    }
    const long = await administration.execute(login, { input: { email: 'a'.repeat(321), password: 'x'.repeat(1025) } })
    expect(long.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [
        { code: 'too_long', path: ['email'], constraint: { max: 320 } },
        { code: 'too_long', path: ['password'], constraint: { max: 1024 } },
      ],
    })
  })

  it('lock after five failures, for existing and unknown accounts, with the time to wait', async () => {
    for (const email of ['locked@example.org', people.plain.email]) {
      for (let tries = 0; tries < 5; tries++)
        expect(codeOf(await administration.execute(login, { input: { email, password: 'wrong' } }, undefined, '192.0.2.99'))).toBe(
          'INVALID_CREDENTIALS',
        )
      const { errors } = await administration.execute(login, { input: { email, password: people.plain.password } }, undefined, '192.0.2.99')
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) })
      expect(Number(errors?.[0]?.extensions.retryAfterMs)).toBeGreaterThan(14 * 60_000)
    }
  })

  it('leave audit records without a name, an email address or a token', async () => {
    const { rows } = await administration.engines.database.orm.execute(
      sql`select action, outcome, count(*)::int as times, bool_or(subject is not null) as "hasSubject" from audit_record group by 1, 2 order by 1, 2`,
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        { action: 'login', outcome: 'done', times: expect.any(Number), hasSubject: true },
        { action: 'login', outcome: 'refused', times: expect.any(Number), hasSubject: true },
        { action: 'logout', outcome: 'done', times: expect.any(Number), hasSubject: false },
        { action: 'session.refresh', outcome: 'refused', times: expect.any(Number), hasSubject: false },
      ]),
    )
    const { rows: whole } = await administration.engines.database.orm.execute(sql`select audit_record::text as line from audit_record`)
    const text = whole.map(({ line }) => String(line)).join('\n')
    expect(text).not.toContain('example.org')
    expect(text).not.toContain('eyJ')
  })

  it('survive a restart of the issuer: keys and sessions are stored in the database', async () => {
    const session = await logIn(people.superAdmin)
    await using again = await startEmbeddedIdentity(administration.engines.database)
    expect(await again.verifier.verify(session.accessToken, signal())).toMatchObject({ roles: ['super_admin'] })
    await expect(again.identity.refresh(session.refreshToken, signal())).resolves.toMatchObject({ expiresIn: 300 })
  })

  it('leave no passwords, refresh tokens or private keys in the tables', async () => {
    const session = await logIn(people.superAdmin)
    const { rows } = await administration.engines.database.orm.execute(
      sql`select identity_account::text as line from identity_account union all select identity_token::text from identity_token union all select identity_key::text from identity_key`,
    )
    const text = rows.map(({ line }) => String(line)).join('\n')
    for (const secret of [session.refreshToken, people.superAdmin.password, '"d"']) expect(text).not.toContain(secret)
    expect(text).toContain('scrypt$17$8$1$')
  })

  it('are ENGINE_UNAVAILABLE while the issuer is down, and health names the service', async () => {
    const down = async () => {
      throw new EngineUnavailable('identity service')
    }
    await using other = await startAdministration({
      with: { identity: { engine: 'elsewhere', login: down, refresh: down, logout: down, health: down } },
    })
    expect(codeOf(await other.execute(login, { input: people.superAdmin }))).toBe('ENGINE_UNAVAILABLE')
    const { data } = await other.execute('{ administrationHealth { status checks { name status } } }')
    expect(data?.administrationHealth).toEqual({
      status: 'DEGRADED',
      checks: [
        { name: 'message_broker', status: 'OK' },
        { name: 'analytics_database', status: 'OK' },
        { name: 'identity_service', status: 'DOWN' },
      ],
    })
  })
})
