import { describe, expect, it } from 'vitest'
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

  describe('Keycloak', () => {
    it('processes concurrent logins of one person at several copies of the platform one by one', async () => {
      await untilIssues(url)
      const store = memoryKeyValue()
      const copies = [0, 1, 2].map(() => oidcIdentityProvider(openIdIssuer(url, store).transport, client))
      const logins = [...copies, ...copies].map((copy) => copy.login(people.groupAdmin, AbortSignal.timeout(60_000)))
      expect((await Promise.allSettled(logins)).map(({ status }) => status)).toEqual(logins.map(() => 'fulfilled'))
    })
  })
}
