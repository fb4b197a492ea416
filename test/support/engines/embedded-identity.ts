import { type AuditNote, AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { accountVerifier } from '../../../engines/identity/account-status.ts'
import { createEmbeddedIssuer, type EmbeddedIssuer } from '../../../engines/identity/embedded-issuer.ts'
import type { IdentityProvider } from '../../../engines/identity/identity-provider.ts'
import { oidcIdentityProvider } from '../../../engines/identity/oidc-identity-provider.ts'
import { readPublicKeys } from '../../../engines/identity/signing-keys.ts'
import { createTokenVerifier, type TokenVerifier } from '../../../engines/identity/token-verifier.ts'
import type { PartitionedKeyValue } from '../../../engines/key-value/key-value.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { silentLog } from '../../../foundation/log.ts'

export const claimNames = { roles: 'roles', groups: 'groups', tenant: 'tenant', citizen: 'citizen_code' }
export const audience = 'civigraph'
export const embeddedIssuerUrl = 'http://127.0.0.1:4004/oidc'
export const people = {
  superAdmin: { email: 'admin@example.org', password: 'admin-Passw0rd' },
  groupAdmin: { email: 'group@example.org', password: 'group-Passw0rd' },
  plain: { email: 'plain@example.org', password: 'plain-Passw0rd' },
}

export interface EmbeddedIdentity extends AsyncDisposable {
  readonly issuer: EmbeddedIssuer
  readonly identity: IdentityProvider
  readonly verifier: TokenVerifier
}

/** The embedded issuer on a database, with the three accounts of every identity suite. */
export async function startEmbeddedIdentity(
  database: Database,
  options: {
    url?: string
    secret?: string
    clock?: { now(): number }
    keyValue?: PartitionedKeyValue
    auditNote?: AuditNote | undefined
  } = {},
): Promise<EmbeddedIdentity> {
  const { url = embeddedIssuerUrl, clock = systemClock, keyValue = memoryKeyValue(), auditNote } = options
  const client = { id: 'administration', secret: options.secret }
  const vaultKey = new Uint8Array(32).fill(7)
  const issuer = createEmbeddedIssuer({ url, audience, client, database, keyValue, vaultKey, clock, log: silentLog, auditNote })
  await issuer.start(AbortSignal.timeout(30_000))
  const { accounts } = issuer
  if ((await accounts.byEmail(people.plain.email)) === undefined) {
    await Promise.all([
      accounts.create({ ...people.superAdmin, roles: ['super_admin'], groups: [], givenName: 'Ada', familyName: 'Admin' }),
      accounts.create({ ...people.groupAdmin, roles: ['group_admin'], groups: ['default'], givenName: 'Gil', familyName: 'Group' }),
      accounts.create({ ...people.plain, roles: [], groups: [], givenName: 'Pia', familyName: 'Plain' }),
    ])
  }
  return {
    issuer,
    identity: oidcIdentityProvider(issuer.transport, client),
    verifier: accountVerifier({
      tokens: createTokenVerifier({ issuer: url, audience, claims: claimNames, readKeys: () => readPublicKeys(database), clock }),
      database,
      audit: new AuditTrail(database, auditNote),
      clock,
    }),
    [Symbol.asyncDispose]: () => issuer.stop(),
  }
}
