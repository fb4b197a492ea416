import { oidcIdentityProvider } from '../../../subgraphs/engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../../subgraphs/engines/identity/openid-issuer.ts'
import { createTokenVerifier } from '../../../subgraphs/engines/identity/token-verifier.ts'
import { systemClock } from '../../../subgraphs/foundation/clock.ts'
import { audience, claimNames, people } from '../../support/engines/embedded-identity.ts'
import { realIssuer, skippedWithout } from '../../support/engines/engines.ts'
import { untilIssues } from '../../support/engines/keycloak.ts'
import { identityContract } from './identity.contract.ts'

const url = realIssuer()
if (url === undefined) skippedWithout('OIDC_ISSUER_URL', 'identity provider: Keycloak')
else
  identityContract('Keycloak', async () => {
    await untilIssues(url)
    const { transport, readKeys } = openIdIssuer(url)
    return {
      identity: oidcIdentityProvider(transport, { id: 'administration', secret: undefined }),
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
