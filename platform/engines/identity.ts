import { type AuditNote, AuditTrail } from '../../engines/audit/audit-trail.ts'
import { accountVerifier } from '../../engines/identity/account-status.ts'
import { currentProfiles } from '../../engines/identity/current-profile.ts'
import { createEmbeddedIssuer, type EmbeddedIssuer } from '../../engines/identity/embedded-issuer.ts'
import type { IdentityProvider } from '../../engines/identity/identity-provider.ts'
import { oidcIdentityProvider } from '../../engines/identity/oidc-identity-provider.ts'
import { openIdIssuer } from '../../engines/identity/openid-issuer.ts'
import { readPublicKeys } from '../../engines/identity/signing-keys.ts'
import { createTokenVerifier, type TokenVerifier } from '../../engines/identity/token-verifier.ts'
import type { PartitionedKeyValue } from '../../engines/key-value/key-value.ts'
import type { Database } from '../../engines/relational/database.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Log } from '../../foundation/log.ts'

/** The identity provider and the verification of its tokens. */
export interface Identity {
  readonly provider: IdentityProvider
  readonly verifier: TokenVerifier
  /** undefined with OIDC_ISSUER_URL. Started only by processes that issue tokens or serve its address */
  readonly embedded: EmbeddedIssuer | undefined
}

/** share of the request timeout within which the issuer must respond */
const answerShare = 0.8

/** Returns the issuer of OIDC_ISSUER_URL, or the embedded one. */
export function openIdentity(
  config: Config,
  engines: { database: Database; keyValue: PartitionedKeyValue },
  vaultKey: Uint8Array,
  log: Log,
  auditNote?: AuditNote,
): Identity {
  const { issuerUrl, embeddedIssuerUrl, client, audience, claims, profile } = config.identity
  const answerLimitMs = Math.floor(answerShare * config.limits.requestTimeoutMs)
  const checks = { audience, claims, clock: systemClock }
  if (issuerUrl !== undefined) {
    const issuer = openIdIssuer(issuerUrl, engines.keyValue, client)
    const tokens = createTokenVerifier({ issuer: issuerUrl, readKeys: issuer.readKeys, ...checks })
    return {
      provider: oidcIdentityProvider(issuer.transport, client, answerLimitMs),
      verifier: currentProfiles({ tokens, issuer, issuerUrl, source: profile, ...checks }),
      embedded: undefined,
    }
  }
  const { database } = engines
  const embedded = createEmbeddedIssuer({
    ...engines,
    url: embeddedIssuerUrl,
    audience,
    client,
    vaultKey,
    previousVaultKeys: config.previousVaultKeys,
    clock: systemClock,
    auditNote,
    log,
  })
  return {
    provider: oidcIdentityProvider(embedded.transport, client, answerLimitMs),
    verifier: accountVerifier({
      tokens: createTokenVerifier({ issuer: embeddedIssuerUrl, readKeys: () => readPublicKeys(database), ...checks }),
      database,
      audit: new AuditTrail(database, auditNote),
      clock: systemClock,
    }),
    embedded,
  }
}
