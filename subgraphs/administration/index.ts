import { AuditTrail } from '../engines/audit/audit-trail.ts'
import type { Accounts } from '../engines/identity/accounts.ts'
import type { IdentityProvider } from '../engines/identity/identity-provider.ts'
import { LoginGuard } from '../engines/identity/login-guard.ts'
import type { TokenVerifier } from '../engines/identity/token-verifier.ts'
import type { KeyValue } from '../engines/key-value/key-value.ts'
import type { Database } from '../engines/relational/database.ts'
import type { Clock } from '../foundation/clock.ts'
import type { HealthProbe } from '../foundation/graphql/health.ts'
import type { RequestContext } from '../foundation/graphql/request-context.ts'
import { buildSubgraph, type Subgraph } from '../foundation/graphql/subgraph.ts'
import { Administrator } from './graphql/administrator.type.ts'
import { CitizenDelegationsResolver, DelegationResolver } from './graphql/delegation.resolver.ts'
import { AdministeredCitizen } from './graphql/delegation.type.ts'
import { administratorOf, SessionResolver } from './graphql/session.resolver.ts'
import { permissionsWith, rolesOf } from './rules.ts'
import { Sessions } from './session/sessions.ts'

export interface AdministrationEngines {
  readonly database: Database
  readonly keyValue: KeyValue
  readonly identity: IdentityProvider
  readonly verifier: TokenVerifier
  /** undefined with an issuer of somebody else's, which cannot be asked */
  readonly accounts: Accounts | undefined
  readonly clock: Clock
  /** the queue that brings delegations */
  readonly broker: { readonly engine: string; health(signal: AbortSignal): Promise<void> }
}

export { removeDemonstrationDelegations } from './delegations/demonstration.ts'
export { importDelegations } from './delegations/import-delegations.ts'
export type { DevelopmentAdministrators } from './session/development-administrators.ts'
export { createAdministrationUpkeep } from './upkeep.ts'

/** Component D as a subgraph: sessions of administrators, and the delegations in their scope. */
export function createAdministration(engines: AdministrationEngines, version: string): Promise<Subgraph> {
  const { database, keyValue, identity, verifier, clock } = engines
  const audit = new AuditTrail(database)
  const sessions = new Sessions({ identity, verifier, audit, guard: new LoginGuard(keyValue, clock) })
  const delegations = new DelegationResolver(database, audit)
  return buildSubgraph('administration', {
    version,
    probes: probesOf(engines),
    resolvers: [new SessionResolver(sessions), delegations, new CitizenDelegationsResolver(delegations)],
    entities: {
      Citizen: ({ code }) => ({ code }),
      Delegation: ({ id }, context) => delegations.delegation(String(id), context),
      Administrator: ({ id }, context) => findAdministrator(engines, String(id), context),
    },
    orphanedTypes: [AdministeredCitizen, Administrator],
  })
}

/** The caller, or for a super_admin anybody who administers and whom the issuer can be asked for; null otherwise. */
async function findAdministrator(
  { accounts }: AdministrationEngines,
  id: string,
  { principal: { user } }: RequestContext,
): Promise<Administrator | null> {
  if (user === undefined || rolesOf(user.roles).length === 0) return null
  if (user.subject === id) return administratorOf(user)
  const account = user.roles.includes('super_admin') ? await accounts?.byId(id) : undefined
  if (account === undefined || rolesOf(account.roles).length === 0) return null
  const { email, givenName, familyName, locale, roles, groups } = account
  const name = [givenName, familyName].filter((part) => part !== null).join(' ')
  return {
    id,
    email,
    emailVerified: true,
    name: name === '' ? null : name,
    givenName,
    familyName,
    locale,
    roles: rolesOf(roles),
    groups,
    permissions: permissionsWith(roles),
    issuedAt: null,
    expiresAt: null,
  }
}

function probesOf({ database, identity, broker }: AdministrationEngines): readonly HealthProbe[] {
  return [
    { name: 'message_broker', engine: broker.engine, essential: false, check: (signal) => broker.health(signal) },
    { name: 'analytics_database', engine: 'postgresql', essential: true, check: (signal) => database.health(signal) },
    { name: 'identity_service', engine: identity.engine, essential: false, check: (signal) => identity.health(signal) },
  ]
}
