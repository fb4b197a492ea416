import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IdentityProvider, InvalidCredentials } from '../../../engines/identity/identity-provider.ts'
import type { TokenVerifier } from '../../../engines/identity/token-verifier.ts'

interface Person {
  readonly email: string
  readonly password: string
}

export interface OpenIdentity extends AsyncDisposable {
  readonly identity: IdentityProvider
  readonly verifier: TokenVerifier
  readonly issuer: string
  /** a super_admin; a group_admin of the group `default`; a person without a role */
  readonly people: { readonly superAdmin: Person; readonly groupAdmin: Person; readonly plain: Person }
}

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

/** The contract of an issuer for the platform. */
export function identityContract(name: string, open: () => Promise<OpenIdentity>): void {
  describe(`identity provider: ${name}`, () => {
    let opened: OpenIdentity
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.[Symbol.asyncDispose]())

    it('returns a session whose access token identifies the administrator', async () => {
      const { identity, verifier, people, issuer } = opened
      const session = await identity.login(people.superAdmin, signal())
      expect(session.expiresIn).toBeGreaterThan(30)
      expect(session.refreshExpiresIn).toBeGreaterThan(session.expiresIn)
      expect(session.scope.split(' ')).toEqual(expect.arrayContaining(['openid', 'email', 'profile']))
      const user = await verifier.verify(session.accessToken, signal())
      expect(user).toMatchObject({
        issuer,
        profile: { email: people.superAdmin.email, emailVerified: true, givenName: 'Ada', familyName: 'Admin' },
      })
      expect(user.roles).toContain('super_admin')
      expect(user.subject).not.toBe('')
      // Keycloak counts from its response, not from the signature
      expect(Math.abs(user.expiresAt - (user.issuedAt ?? 0) - session.expiresIn)).toBeLessThan(5)
    })

    it('returns the groups of a group_admin, and no role of the platform for others', async () => {
      const { identity, verifier, people } = opened
      const group = await verifier.verify((await identity.login(people.groupAdmin, signal())).accessToken, signal())
      expect(group).toMatchObject({ roles: expect.arrayContaining(['group_admin']), groups: ['default'] })
      const plain = await verifier.verify((await identity.login(people.plain, signal())).accessToken, signal())
      expect(plain.roles).not.toEqual(expect.arrayContaining(['super_admin']))
      expect(plain.roles).not.toEqual(expect.arrayContaining(['group_admin']))
    })

    it('accepts an e-mail address in any case', async () => {
      const { email, password } = opened.people.superAdmin
      await expect(opened.identity.login({ email: email.toUpperCase(), password }, signal())).resolves.toMatchObject({
        expiresIn: expect.any(Number),
      })
    })

    it('refreshes a session', async () => {
      const { identity, verifier, people } = opened
      const first = await identity.login(people.superAdmin, signal())
      const second = await identity.refresh(first.refreshToken, signal())
      expect(second.accessToken).not.toBe(first.accessToken)
      expect((await verifier.verify(second.accessToken, signal())).roles).toContain('super_admin')
      const third = await identity.refresh(second.refreshToken, signal())
      await expect(verifier.verify(third.accessToken, signal())).resolves.toMatchObject({ profile: { email: people.superAdmin.email } })
    })

    it('ends a session permanently at logout', async () => {
      const { identity, people } = opened
      const { refreshToken } = await identity.login(people.superAdmin, signal())
      await identity.logout(refreshToken, signal())
      await expect(identity.refresh(refreshToken, signal())).rejects.toThrow(InvalidCredentials)
      await identity.logout(refreshToken, signal())
    })

    it('refuses an invalid refresh token, and an access token in its place', async () => {
      const { identity, people } = opened
      const { accessToken } = await identity.login(people.superAdmin, signal())
      for (const token of ['', 'nonsense', '\u0000', accessToken])
        await expect(identity.refresh(token, signal())).rejects.toThrow(InvalidCredentials)
      await identity.logout('nonsense', signal())
    })

    it('is healthy', async () => {
      await opened.identity.health(signal())
    })

    it('refuses an unknown account and a wrong password with the same error', async () => {
      const { identity, people } = opened
      const refusals = await Promise.all(
        [
          { email: people.plain.email, password: 'not the password' },
          { email: 'unknown@example.org', password: people.plain.password },
        ].map((credentials) =>
          identity.login(credentials, signal()).then(
            () => undefined,
            (error: unknown) => error,
          ),
        ),
      )
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ code: 'INVALID_CREDENTIALS', message: 'Invalid credentials', details: { error: 'invalid_grant' } })
    })
  })
}
