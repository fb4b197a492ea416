import { describe, expect, it } from 'vitest'
import { currentProfiles } from '../../../engines/identity/current-profile.ts'
import { oidcIdentityProvider } from '../../../engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../../engines/identity/openid-issuer.ts'
import { createTokenVerifier } from '../../../engines/identity/token-verifier.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { audience, claimNames, people } from '../../support/engines/embedded-identity.ts'
import { realIssuer, skippedWithout } from '../../support/engines/engines.ts'
import { untilIssues } from '../../support/engines/keycloak.ts'
import { identityContract } from './identity.contract.ts'

const client = { id: 'administration', secret: undefined }
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

  const profiles = () => {
    const issuer = openIdIssuer(url)
    const checks = { audience, claims: claimNames, clock: systemClock }
    const tokens = createTokenVerifier({ issuer: url, readKeys: issuer.readKeys, ...checks })
    return {
      identity: oidcIdentityProvider(issuer.transport, client),
      verifier: currentProfiles({ tokens, issuer, issuerUrl: url, source: 'userinfo', ...checks }),
    }
  }
  identityContract('Keycloak, with UserInfo', async () => {
    await untilIssues(url)
    return { ...profiles(), issuer: url, people, [Symbol.asyncDispose]: async () => undefined }
  })

  describe('Keycloak', () => {
    it('refuses an access token of a session that has ended, within 10 s', async () => {
      await untilIssues(url)
      const { identity, verifier } = profiles()
      const signal = AbortSignal.timeout(60_000)
      const session = await identity.login(people.groupAdmin, signal)
      expect((await verifier.verify(session.accessToken, signal)).profile?.email).toBe(people.groupAdmin.email)
      await identity.logout(session.refreshToken, signal)
      await expect
        .poll(() => verifier.verify(session.accessToken, signal).then(String, ({ message }) => message), { timeout: 10_000, interval: 200 })
        .toBe('The identity provider no longer accepts this access token')
    })

    it('processes concurrent logins of one person at several copies of the platform one by one', async () => {
      await untilIssues(url)
      const store = memoryKeyValue()
      const copies = [0, 1, 2].map(() => oidcIdentityProvider(openIdIssuer(url, store).transport, client))
      const logins = [...copies, ...copies].map((copy) => copy.login(people.groupAdmin, AbortSignal.timeout(60_000)))
      expect((await Promise.allSettled(logins)).map(({ status }) => status)).toEqual(logins.map(() => 'fulfilled'))
    })
  })
}
