import { openIdIssuer } from '../../engines/identity/openid-issuer.ts'
import { createTokenVerifier } from '../../engines/identity/token-verifier.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import {
  type Authentication,
  bothAuthentications,
  createAuthentication,
  forwardingAuthentication,
} from '../../gateway/http/authentication.ts'

/** Who calls a gateway over a supergraph that is not ours. */
export interface ForeignCallers {
  readonly authentication: Authentication
  /** whether anybody is known here; else all that callers show is for the subgraphs */
  readonly areKnown: boolean
}

/**
 * Callers are known by access tokens of the issuer that OIDC_ISSUER_URL names and by the keys of VERIFICATION_API_KEYS, as far as these
 * are set; the headers that PROPAGATE_HEADERS names reach the subgraphs in any case.
 */
export function foreignCallers({ identity, propagateHeaders, verification }: Config): ForeignCallers {
  const { issuerUrl, audience, claims } = identity
  const shown = forwardingAuthentication(propagateHeaders)
  const { apiKeys } = verification
  if (issuerUrl === undefined && apiKeys === undefined) return { authentication: shown, areKnown: false }
  const issuer = issuerUrl === undefined ? undefined : openIdIssuer(issuerUrl)
  const known = createAuthentication({
    apiKeys: apiKeys ?? [],
    ...(issuer === undefined || issuerUrl === undefined
      ? {}
      : { tokenVerifier: createTokenVerifier({ issuer: issuerUrl, readKeys: issuer.readKeys, audience, claims, clock: systemClock }) }),
  })
  const looking: Authentication = {
    // what nothing here is compared with is for the subgraphs
    principalOf: ({ apiKey, authorization, named }, signal) =>
      known.principalOf(
        {
          named,
          apiKey: apiKeys === undefined ? undefined : apiKey,
          authorization: issuer === undefined ? undefined : authorization,
        },
        signal,
      ),
  }
  return { authentication: bothAuthentications(looking, shown), areKnown: true }
}
