import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { type Administration, groupAdmin, startAdministration, superAdmin } from '../../support/clients/administration.ts'

const fields = 'id email givenName familyName locale roles groups { id } tenant { id } createdAt disabledAt'
const listing = `query ($filter: AccountFilterInput, $first: Int, $after: String) { accounts(filter: $filter, first: $first, after: $after) {
  totalCount pageInfo { endCursor hasNextPage } nodes { ${fields} } } }`
const creating = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) { password account { ${fields} } } }`
const updating = `mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { account { ${fields} } } }`
const resetting = `mutation ($input: ResetAccountPasswordInput!) { resetAccountPassword(input: $input) { password account { id } } }`
const logIn = 'mutation ($input: LoginInput!) { login(input: $input) { refreshToken administrator { id roles } } }'
const refreshing = 'mutation ($input: RefreshSessionInput!) { refreshSession(input: $input) { refreshToken } }'

interface Account {
  readonly id: string
  readonly email: string
}
interface CreatedAccount {
  readonly password: string
  readonly account: Account
}

describe('accounts of the issuer in the platform', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.[Symbol.asyncDispose]())
  const database = (): Database => administration.engines.database
  const send = (text: string, variables: Readonly<Record<string, unknown>>, principal = superAdmin) =>
    administration.execute(text, variables, principal)
  const change = (input: object) => send(updating, { input })
  const listed = async (filter: object, page: object = {}) =>
    (await send(listing, { filter, ...page })).data?.accounts as {
      totalCount: number
      nodes: readonly Account[]
      pageInfo: { endCursor: string; hasNextPage: boolean }
    }
  const created = async (email: string, more: object = {}): Promise<CreatedAccount> => {
    const { data, errors } = await send(creating, { input: { email, roles: ['GROUP_ADMIN'], ...more } })
    expect(errors).toBeUndefined()
    return data?.createAccount as CreatedAccount
  }
  const codeOf = async (answer: ReturnType<typeof send>) => (await answer).errors?.[0]?.extensions.code
  const signIn = (email: string, password: string) => administration.execute(logIn, { input: { email, password } })
  const superAdminOf = (subject: string) => ({ user: { issuer: 'i', subject, roles: ['super_admin'], groups: [], expiresAt: 4e9 } })
  /** Disables all other super administrators while `work` runs. */
  const withOnly = async (remaining: readonly CreatedAccount[], work: () => Promise<void>): Promise<void> => {
    const { rows } = await database().orm.execute<{ id: string }>(
      sql`update identity_account set disabled_at = now() where 'super_admin' = any(roles) and disabled_at is null
        and not id = any(${sql.param(remaining.map(({ account }) => account.id))}::text[]) returning id`,
    )
    await work()
    await database().orm.execute(
      sql`update identity_account set disabled_at = null where id = any(${sql.param(rows.map(({ id }) => id))}::text[])`,
    )
  }
  const sessionOf = async ({ account, password }: CreatedAccount): Promise<string> => {
    const { data } = await signIn(account.email, password)
    return (data as { readonly login: { readonly refreshToken: string } }).login.refreshToken
  }

  it('are reachable from the administrator, so that `me` follows a change', async () => {
    const { account } = await created('own@example.org', { roles: ['SUPER_ADMIN'], groupIds: ['north'] })
    const own = superAdminOf(account.id)
    const read = async () => (await send('{ me { id account { id givenName groups { id } } } }', {}, own)).data?.me
    expect(await read()).toEqual({ id: account.id, account: { id: account.id, givenName: null, groups: [{ id: 'north' }] } })
    await change({ id: account.id, givenName: 'Awa', groupIds: ['south'] })
    expect(await read()).toMatchObject({ account: { givenName: 'Awa', groups: [{ id: 'south' }] } })
    expect(await codeOf(send('{ me { account { id } } }', {}, groupAdmin('north')))).toBe('FORBIDDEN')
    // the former name still works, alone
    await change({ id: account.id, groups: ['west'] })
    expect(await listed({ groupId: 'west' })).toMatchObject({ totalCount: 1 })
    expect(await listed({ group: 'west' })).toMatchObject({ totalCount: 1 })
    const twice = await change({ id: account.id, groups: ['west'], groupIds: ['east'] })
    expect(twice.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', entries: [{ path: ['groups'] }] })
  })

  it('whose profile changes have the new one with the access token of before', async () => {
    const { account, password } = await created('aminata@example.org', { givenName: 'Ami', familyName: 'Sow' })
    const logInForToken = 'mutation ($input: LoginInput!) { login(input: $input) { accessToken } }'
    const { data } = await administration.execute(logInForToken, { input: { email: account.email, password } })
    const { accessToken } = (data as { readonly login: { readonly accessToken: string } }).login
    const profile = async () => (await administration.people.verifier.verify(accessToken, AbortSignal.timeout(10_000))).profile
    expect(await profile()).toMatchObject({ name: 'Ami Sow', givenName: 'Ami', locale: null })
    await change({ id: account.id, givenName: 'Aminata', locale: 'fr' })
    expect(await profile()).toEqual({
      ...{ email: account.email, emailVerified: true, name: 'Aminata Sow', givenName: 'Aminata', familyName: 'Sow', locale: 'fr' },
    })
  })

  it('are created with a password that is returned once and signs in, and can be changed', async () => {
    const more = { groups: ['north', 'north'], givenName: 'Awa', familyName: 'Diop', locale: 'fr', tenantId: 'city' }
    const { account, password } = await created('Awa.Diop@Example.org', more)
    expect(account).toMatchObject({
      email: 'awa.diop@example.org',
      roles: ['GROUP_ADMIN'],
      groups: [{ id: 'north' }],
      givenName: 'Awa',
      tenant: { id: 'city' },
      disabledAt: null,
    })
    const session = (await signIn(account.email, password)).data?.login
    expect(session).toMatchObject({ administrator: { id: account.id, roles: ['GROUP_ADMIN'] } })

    const changed = await change({ id: account.id, roles: ['REVIEWER'], groups: [], givenName: null })
    expect(changed.data?.updateAccount).toMatchObject({ account: { roles: ['REVIEWER'], groups: [], givenName: null, familyName: 'Diop' } })
    expect((await signIn(account.email, password)).data?.login).toMatchObject({ administrator: { roles: ['REVIEWER'] } })
    expect(await codeOf(send(creating, { input: { email: 'AWA.diop@example.org', roles: ['REVIEWER'] } }))).toBe('CONFLICT')
  })

  it('that are disabled refuse logins and sessions until they are enabled again', async () => {
    const { account, password } = await created('ama@example.org')
    const refreshToken = await sessionOf({ account, password })
    expect((await change({ id: account.id, disabled: true })).data?.updateAccount).toMatchObject({
      account: { disabledAt: expect.any(String) },
    })
    expect(await codeOf(signIn(account.email, password))).toBe('INVALID_CREDENTIALS')
    expect(await codeOf(administration.execute(refreshing, { input: { refreshToken } }))).toBe('INVALID_CREDENTIALS')
    expect((await listed({ disabled: true })).nodes).toMatchObject([{ id: account.id }])
    await change({ id: account.id, disabled: false })
    expect((await signIn(account.email, password)).errors).toBeUndefined()
    // sessions from before the disabling stay ended
    expect(await codeOf(administration.execute(refreshing, { input: { refreshToken } }))).toBe('INVALID_CREDENTIALS')
  })

  it('receive a new password, which ends their sessions', async () => {
    const { account, password } = await created('kofi@example.org')
    const refreshToken = await sessionOf({ account, password })
    const { data } = await send(resetting, { input: { id: account.id } })
    const again = data?.resetAccountPassword as CreatedAccount
    expect(again).toMatchObject({ account: { id: account.id } })
    expect(await codeOf(signIn(account.email, password))).toBe('INVALID_CREDENTIALS')
    expect(await codeOf(administration.execute(refreshing, { input: { refreshToken } }))).toBe('INVALID_CREDENTIALS')
    expect((await signIn(account.email, again.password)).errors).toBeUndefined()
  })

  it('are filtered by parts of their fields, and read page by page', async () => {
    for (const name of ['one', 'two', 'three']) await created(`${name}@paged.example`, { familyName: `O_%${name}`, groups: ['paged'] })
    const first = await listed({ group: 'paged' }, { first: 2 })
    expect([first.totalCount, first.nodes.map(({ email }) => email)]).toEqual([3, ['one@paged.example', 'three@paged.example']])
    const rest = await listed({ group: 'paged' }, { first: 2, after: first.pageInfo.endCursor })
    expect([rest.nodes.map(({ email }) => email), rest.pageInfo.hasNextPage]).toEqual([['two@paged.example'], false])
    expect((await listed({ text: 'o_%TW' })).nodes).toMatchObject([{ email: 'two@paged.example' }])
    expect((await listed({ text: '%', group: 'north' })).nodes).toEqual([])
    expect((await listed({ role: 'SUPER_ADMIN', group: 'paged' })).totalCount).toBe(0)
  })

  it('always include one that may change accounts, also when two are disabled at once', async () => {
    const [one, two] = [
      await created('one@top.example', { roles: ['SUPER_ADMIN'] }),
      await created('two@top.example', { roles: ['SUPER_ADMIN'] }),
    ]
    await withOnly([one, two], async () => {
      const both = [
        { id: one.account.id, roles: ['REVIEWER'] },
        { id: two.account.id, disabled: true },
      ]
      const codes = await Promise.all(both.map((input) => codeOf(send(updating, { input }, superAdminOf(input.id)))))
      expect(codes.toSorted()).toEqual(['CONFLICT', undefined])
      expect((await listed({ role: 'SUPER_ADMIN', disabled: false })).totalCount).toBe(1)
    })
  })

  it('that disable each other at once: one succeeds, the other is refused because it is disabled', async () => {
    const [one, two] = [
      await created('one@duel.example', { roles: ['SUPER_ADMIN'] }),
      await created('two@duel.example', { roles: ['SUPER_ADMIN'] }),
    ]
    await withOnly([one, two], async () => {
      const disable = ({ account: { id } }: CreatedAccount, by: CreatedAccount) =>
        codeOf(send(updating, { input: { id, disabled: true } }, superAdminOf(by.account.id)))
      expect((await Promise.all([disable(one, two), disable(two, one)])).toSorted()).toEqual(['UNAUTHENTICATED', undefined])
      expect((await listed({ role: 'SUPER_ADMIN', disabled: false })).totalCount).toBe(1)
    })
  })

  it('are not changed with a valid token of an account that was disabled or lost the role, and the audit trail records the attempts', async () => {
    const victim = await created('victim@example.org')
    const attempts = (id: string) =>
      [
        [creating, { input: { email: `by-${id}@example.org`, roles: ['SUPER_ADMIN'] } }],
        [updating, { input: { id, disabled: false } }],
        [updating, { input: { id, roles: ['SUPER_ADMIN'] } }],
        [resetting, { input: { id: victim.account.id } }],
      ] as const
    for (const [name, input, code] of [
      ['closed', { disabled: true }, 'UNAUTHENTICATED'],
      ['demoted', { roles: ['REVIEWER'] }, 'FORBIDDEN'],
    ] as const) {
      const { account } = await created(`${name}@fallen.example`, { roles: ['SUPER_ADMIN'] })
      await change({ id: account.id, ...input })
      for (const [text, variables] of attempts(account.id))
        expect(await codeOf(send(text, variables, superAdminOf(account.id))), `${name}: ${text}`).toBe(code)
      const { rows } = await database().orm.execute(
        sql`select action, details->>'reason' as reason from audit_record where subject = ${account.id} and outcome = 'refused' order by id`,
      )
      expect(rows.map(({ action }) => action)).toEqual(['account.create', 'account.update', 'account.update', 'account.reset-password'])
      expect(rows[0]?.reason).toMatch(/^The account of this access token /)
    }
    expect((await listed({ text: 'fallen.example', role: 'SUPER_ADMIN', disabled: false })).totalCount).toBe(0)
    expect((await listed({ text: 'by-' })).totalCount).toBe(0)
    expect((await signIn(victim.account.email, victim.password)).errors).toBeUndefined()
  })

  it('revoke every access token and session when they are disabled or receive a new password, and roles at once', async () => {
    const leaver = await created('leaver@example.org', { roles: ['SUPER_ADMIN'] })
    const tokenOf = async (password: string): Promise<string> => {
      const { data } = await administration.execute('mutation ($input: LoginInput!) { login(input: $input) { accessToken } }', {
        input: { email: leaver.account.email, password },
      })
      return (data as { readonly login: { readonly accessToken: string } }).login.accessToken
    }
    const principalOf = (token: string) =>
      administration.authentication.principalOf(
        { apiKey: undefined, authorization: [`Bearer ${token}`], named: () => undefined },
        AbortSignal.timeout(60_000),
      )
    const first = await tokenOf(leaver.password)
    expect((await principalOf(first)).user?.roles).toEqual(['super_admin'])
    await change({ id: leaver.account.id, roles: ['REVIEWER'], groups: ['north'] })
    expect((await principalOf(first)).user).toMatchObject({ roles: ['reviewer'], groups: ['north'] })
    const { data } = await send(resetting, { input: { id: leaver.account.id } })
    const { password } = (data as { readonly resetAccountPassword: CreatedAccount }).resetAccountPassword
    await expect(principalOf(first)).rejects.toThrow('The session of this access token has ended')
    const second = await tokenOf(password)
    await change({ id: leaver.account.id, disabled: true })
    await expect(principalOf(second)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'The account of this access token is closed',
    })
    const { rows } = await database().orm.execute(
      sql`select outcome, details from audit_record where action = 'token.use' and target = ${leaver.account.id}`,
    )
    expect(rows).toEqual([{ outcome: 'refused', details: { reason: 'account closed' } }])
    await change({ id: leaver.account.id, disabled: false })
    await expect(principalOf(second)).rejects.toThrow('The session of this access token has ended')
  })

  it('are refused with one error per invalid field', async () => {
    const entriesOf = async (input: object) =>
      (await send(creating, { input: { email: 'a@b', roles: ['REVIEWER'], ...input } })).errors?.[0]?.extensions
    for (const [member, input] of [
      ['email', { email: 'no-at-sign' }],
      ['email', { email: `${'a'.repeat(250)}@example.org` }],
      ['roles', { roles: [] }],
      ['groups', { groups: Array.from({ length: 101 }, (_, at) => `g${at}`) }],
      ['groups', { groups: ['\u200b'] }],
      ['givenName', { givenName: ' ' }],
      ['familyName', { familyName: 'a\u0000' }],
      ['locale', { locale: 'not a language' }],
      ['tenantId', { tenantId: 'Not One' }],
    ] as const)
      expect(await entriesOf(input), member).toMatchObject({
        code: 'BAD_USER_INPUT',
        entries: [{ path: expect.arrayContaining([member]) }],
      })
    for (const id of ['no such', 'a\u0000']) {
      expect(await codeOf(change({ id, disabled: true }))).toBe('NOT_FOUND')
      expect(await codeOf(send(resetting, { input: { id } }))).toBe('NOT_FOUND')
    }
  })

  it('are visible to a super_admin only, and the audit trail records every action without a name, an email address or a password', async () => {
    const { account, password } = await created('watched@example.org', { familyName: 'Seen' })
    await change({ id: account.id, roles: ['REVIEWER'], familyName: 'Unseen' })
    const refusedReaders = [
      [listing, {}],
      [creating, { input: { email: 'x@example.org', roles: ['REVIEWER'] } }],
      [updating, { input: { id: account.id, disabled: true } }],
      [resetting, { input: { id: account.id } }],
    ] as const
    for (const [text, variables] of refusedReaders) expect(await codeOf(send(text, variables, groupAdmin('north')))).toBe('FORBIDDEN')
    const { rows } = await database().orm.execute(
      sql`select action, target, details from audit_record where target = ${account.id} order by id`,
    )
    expect(rows).toEqual([
      { action: 'account.create', target: account.id, details: { roles: ['group_admin'] } },
      { action: 'account.update', target: account.id, details: { members: ['familyName', 'roles'], roles: ['reviewer'] } },
    ])
    const trail = JSON.stringify((await database().orm.execute(sql`select * from audit_record`)).rows)
    for (const secret of [password, 'watched@', 'Seen']) expect(trail).not.toContain(secret)
  })

  it('change their own password with the current one, which ends their sessions; wrong ones are refused and limited', async () => {
    const changing = 'mutation ($input: ChangeOwnPasswordInput!) { changeOwnPassword(input: $input) { sessionsEnded } }'
    const made = await created('myself@example.org')
    const self = { user: { issuer: 'i', subject: made.account.id, roles: ['group_admin'], groups: [], expiresAt: 4e9 } }
    const changeOwn = (currentPassword: string, next: string) => send(changing, { input: { currentPassword, newPassword: next } }, self)
    expect(await codeOf(changeOwn('not this one', 'a long new password'))).toBe('INVALID_CREDENTIALS')
    expect((await changeOwn('a'.repeat(1025), 'a long new password')).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [{ path: ['currentPassword'], code: 'too_long' }],
    })
    expect((await changeOwn(made.password, 'short')).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      entries: [{ path: ['newPassword'], code: 'too_short' }],
    })
    const before = await sessionOf(made)
    expect((await changeOwn(made.password, 'a long new password')).data).toEqual({ changeOwnPassword: { sessionsEnded: true } })
    expect(await codeOf(send(refreshing, { input: { refreshToken: before } }))).toBe('INVALID_CREDENTIALS')
    expect(await codeOf(signIn('myself@example.org', made.password))).toBe('INVALID_CREDENTIALS')
    expect((await signIn('myself@example.org', 'a long new password')).errors).toBeUndefined()
    const { rows } = await database().orm.execute(
      sql`select outcome, target, details::text as details from audit_record where action = 'account.change-password' order by id`,
    )
    expect(rows).toEqual([
      { outcome: 'refused', target: made.account.id, details: '{}' },
      { outcome: 'done', target: made.account.id, details: '{}' },
    ])
  })
})

it('accounts of an external issuer are refused with an error that names the issuer', async () => {
  await using administration = await startAdministration({ with: { accounts: undefined } })
  const { data, errors } = await administration.execute(listing, {}, superAdmin)
  expect([data, errors]).toEqual([{ accounts: null }, undefined])
  const refused = await administration.execute(creating, { input: { email: 'a@b.example', roles: ['REVIEWER'] } }, superAdmin)
  expect(refused.errors?.[0]).toMatchObject({ message: expect.stringContaining('OIDC_ISSUER_URL'), extensions: { code: 'CONFLICT' } })
})
