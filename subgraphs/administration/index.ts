import { AuditTrail } from '../engines/audit/audit-trail.ts'
import { LoginGuard } from '../engines/identity/login-guard.ts'
import type { Database } from '../engines/relational/database.ts'
import type { Clock } from '../foundation/clock.ts'
import type { FileLine } from '../foundation/file-line.ts'
import type { HealthProbe } from '../foundation/graphql/health.ts'
import { buildSubgraph, type Subgraph } from '../foundation/graphql/subgraph.ts'
import type { Part } from '../foundation/lifecycle.ts'
import { removeDelegations } from './delegations/first-delegations.ts'
import { type Imported, importDelegations } from './delegations/import-delegations.ts'
import type { AdministrationEngines } from './engines.ts'
import { Administrator } from './graphql/administrator.type.ts'
import { CitizenDelegationsResolver, DelegationResolver } from './graphql/delegation.resolver.ts'
import { AdministeredCitizen } from './graphql/delegation.type.ts'
import { SessionResolver } from './graphql/session.resolver.ts'
import { findAdministrator } from './session/find-administrator.ts'
import { Sessions } from './session/sessions.ts'
import { administrationUpkeep, type UpkeepOptions } from './upkeep.ts'

export type { FirstDelegations } from './delegations/first-delegations.ts'
export type { AdministrationEngines } from './engines.ts'
export type { DevelopmentAdministrators } from './session/development-administrators.ts'

/** Component D as a subgraph: sessions of administrators, and the delegations in their scope. */
export function createAdministration(engines: AdministrationEngines, version: string): Promise<Subgraph> {
  const { database, keyValue, identity, verifier, clock, accounts } = engines
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
      Administrator: ({ id }, { principal }) => findAdministrator(accounts, String(id), principal),
    },
    orphanedTypes: [AdministeredCitizen, Administrator],
  })
}

/** What component D does beside answering. */
export function createAdministrationUpkeep(engines: AdministrationEngines, options: UpkeepOptions): Part {
  return administrationUpkeep(engines, options)
}

/** What an operator does with delegations, beside a running platform or without one. */
export interface DelegationUpkeep {
  /** @throws {InvalidInput} for a CSV whose header names no column of ours  @throws {EngineUnavailable} the lines before are kept */
  import(lines: AsyncIterable<FileLine>, format: 'ndjson' | 'csv'): Promise<Imported>
  /** @returns how many there were of this source  @throws {EngineUnavailable} */
  removeFrom(source: string): Promise<number>
}

export function createDelegationUpkeep(engines: { readonly database: Database; readonly clock: Clock }): DelegationUpkeep {
  return {
    import: (lines, format) => importDelegations(engines, lines, format),
    removeFrom: (source) => removeDelegations(engines.database, source),
  }
}

function probesOf({ database, identity, broker }: AdministrationEngines): readonly HealthProbe[] {
  return [
    { name: 'message_broker', engine: broker.engine, essential: false, check: (signal) => broker.health(signal) },
    { name: 'analytics_database', engine: 'postgresql', essential: true, check: (signal) => database.health(signal) },
    { name: 'identity_service', engine: identity.engine, essential: false, check: (signal) => identity.health(signal) },
  ]
}
