import { openIdIssuer } from '../../engines/identity/openid-issuer.ts'
import { createTokenVerifier } from '../../engines/identity/token-verifier.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import {
  type Authentication,
  combinedAuthentication,
  createAuthentication,
  forwardingAuthentication,
} from '../../foundation/http/authentication.ts'

/** Authenticates callers of a gateway over another supergraph. */
export interface ForeignCallers {
  readonly authentication: Authentication
  /** whether callers are authenticated here; otherwise their credentials are for the subgraphs */
  readonly areVerified: boolean
}

/**
 * Authenticates by access tokens of OIDC_ISSUER_URL and by keys of VERIFICATION_API_KEYS, if set; the headers of PROPAGATE_HEADERS reach the
 * subgraphs in any case.
 */
export function foreignCallers({ identity, propagateHeaders, verification }: Config): ForeignCallers {
  const { issuerUrl, audience, claims } = identity
  const forwarding = forwardingAuthentication(propagateHeaders)
  const { apiKeys } = verification
  if (issuerUrl === undefined && apiKeys === undefined) return { authentication: forwarding, areVerified: false }
  const issuer = issuerUrl === undefined ? undefined : openIdIssuer(issuerUrl)
  const authentication = createAuthentication({
    apiKeys: apiKeys ?? [],
    ...(issuer === undefined || issuerUrl === undefined
      ? {}
      : { tokenVerifier: createTokenVerifier({ issuer: issuerUrl, readKeys: issuer.readKeys, audience, claims, clock: systemClock }) }),
  })
  const verifying: Authentication = {
    // credentials that are not checked here are for the subgraphs
    principalOf: ({ apiKey, authorization, named }, signal) =>
      authentication.principalOf(
        {
          named,
          apiKey: apiKeys === undefined ? undefined : apiKey,
          authorization: issuer === undefined ? undefined : authorization,
        },
        signal,
      ),
  }
  return { authentication: combinedAuthentication(verifying, forwarding), areVerified: true }
}
