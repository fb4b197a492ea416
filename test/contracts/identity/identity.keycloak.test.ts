import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { currentProfiles, type ProfileSource } from '../../../engines/identity/current-profile.ts'
import { oidcIdentityProvider } from '../../../engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../../engines/identity/openid-issuer.ts'
import { createTokenVerifier } from '../../../engines/identity/token-verifier.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Unauthenticated } from '../../../foundation/fault.ts'
import { audience, claimNames, people } from '../../support/engines/embedded-identity.ts'
import { realIssuer, skippedWithout } from '../../support/engines/engines.ts'
import { lightweightClient, untilIssues } from '../../support/engines/keycloak.ts'
import { identityContract } from './identity.contract.ts'

const client = { id: 'administration', secret: undefined }
/** Keycloak introspects for confidential clients in the audience of the token. */
const introspecting = { id: 'backend', secret: 'backend-dev-secret' }
const url = realIssuer()
if (url === undefined) skippedWithout('OIDC_ISSUER_URL', 'identity provider: Keycloak')
else {
  identityContract('Keycloak', async () => {
    await untilIssues(url)
    const { transport, readKeys } = openIdIssuer(url)
    return {
      identity: oidcIdentityProvider(transport, client),
      verifier: createTokenVerifier({
        issuer: url,
        audience,
        claims: claimNames,
        readKeys: (signal) => readKeys(signal),
        clock: systemClock,
      }),
      issuer: url,
      people,
      [Symbol.asyncDispose]: async () => undefined,
    }
  })

  const profiles = (source: ProfileSource = 'userinfo') => {
    const issuer = openIdIssuer(url, undefined, introspecting)
    const checks = { audience, claims: claimNames, clock: systemClock }
    const tokens = createTokenVerifier({ issuer: url, readKeys: issuer.readKeys, ...checks })
    return {
      identity: oidcIdentityProvider(issuer.transport, client),
      verifier: currentProfiles({ tokens, issuer, issuerUrl: url, source, ...checks }),
    }
  }
  identityContract('Keycloak, with UserInfo', async () => {
    await untilIssues(url)
    return { ...profiles(), issuer: url, people, [Symbol.asyncDispose]: async () => undefined }
  })

  identityContract('Keycloak, with introspection', async () => {
    await untilIssues(url)
    return { ...profiles('introspection'), issuer: url, people, [Symbol.asyncDispose]: async () => undefined }
  })

  describe('Keycloak', () => {
    it('introspects a lightweight access token, which names neither user nor audience', async () => {
      await untilIssues(url)
      await using app = await lightweightClient(url)
      const signal = AbortSignal.timeout(60_000)
      const { accessToken } = await oidcIdentityProvider(openIdIssuer(url).transport, app.client).login(people.superAdmin, signal)
      expect(decodeJwt(accessToken)).not.toHaveProperty('aud')
      expect(await profiles('introspection').verifier.verify(accessToken, signal)).toMatchObject({
        ...{ issuer: url, roles: expect.arrayContaining(['super_admin']) },
        profile: { email: people.superAdmin.email, givenName: 'Ada' },
      })
      const session = await oidcIdentityProvider(openIdIssuer(url).transport, app.client).login(people.plain, signal)
      await expect(profiles('introspection').verifier.verify(session.refreshToken, signal)).rejects.toThrow(Unauthenticated)
      await expect(profiles('introspection').verifier.verify('nonsense', signal)).rejects.toThrow(Unauthenticated)
      await expect(profiles('userinfo').verifier.verify(accessToken, signal)).rejects.toThrow(Unauthenticated)
    })

    it.each(['userinfo', 'introspection'] as const)(
      'refuses an access token of a session that has ended, within 10 s, by %s',
      async (source) => {
        await untilIssues(url)
        const { identity, verifier } = profiles(source)
        const signal = AbortSignal.timeout(60_000)
        const session = await identity.login(people.groupAdmin, signal)
        expect((await verifier.verify(session.accessToken, signal)).profile?.email).toBe(people.groupAdmin.email)
        await identity.logout(session.refreshToken, signal)
        await expect
          .poll(() => verifier.verify(session.accessToken, signal).then(String, ({ message }) => message), {
            timeout: 10_000,
            interval: 200,
          })
          .toBe('The identity provider no longer accepts this access token')
      },
    )

    it('processes concurrent logins of one person at several copies of the platform one by one', async () => {
      await untilIssues(url)
      const store = memoryKeyValue()
      const copies = [0, 1, 2].map(() => oidcIdentityProvider(openIdIssuer(url, store).transport, client))
      const logins = [...copies, ...copies].map((copy) => copy.login(people.groupAdmin, AbortSignal.timeout(60_000)))
      expect((await Promise.allSettled(logins)).map(({ status }) => status)).toEqual(logins.map(() => 'fulfilled'))
    })
  })
}
