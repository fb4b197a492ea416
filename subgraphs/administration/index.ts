import type { Registry } from 'prom-client'
import { type AuditNote, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../engines/citizen-data/citizen-pseudonyms.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import type { Accounts } from '../../engines/identity/accounts.ts'
import type { IdentityProvider } from '../../engines/identity/identity-provider.ts'
import { LoginGuard } from '../../engines/identity/login-guard.ts'
import type { TokenVerifier } from '../../engines/identity/token-verifier.ts'
import type { PartitionedKeyValue } from '../../engines/key-value/key-value.ts'
import type { DeadLetterCount, MessageBacklog, MessageHandler } from '../../engines/message-queue/message-queue.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { Clock } from '../../foundation/clock.ts'
import { retryUntilDone } from '../../foundation/engine-start/retry-until-done.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import { requireOneOf, userWith } from '../../foundation/graphql/authorisation.ts'
import { totalCountOf } from '../../foundation/graphql/total-count.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { refuseDead, refuseNewer, refuseStalled } from '../../foundation/health/health-status.ts'
import { compose, type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { countedGauge } from '../../foundation/process/metrics.ts'
import { buildSubgraph, type Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { advanceDelegations, overdueMs } from './delegations/advance-delegations.ts'
import { delegationMessages } from './delegations/delegation-messages.ts'
import { type FirstDelegations, storeFirstDelegations } from './delegations/first-delegations.ts'
import { pseudonymiseAudit } from './delegations/pseudonymise-audit.ts'
import { AccountConnection } from './graphql/account.type.ts'
import { AccountsResolver } from './graphql/accounts.resolver.ts'
import { Administrator } from './graphql/administrator.type.ts'
import { AuditResolver } from './graphql/audit.resolver.ts'
import { AuditRecordConnection } from './graphql/audit.type.ts'
import { CitizenOutcomesResolver, CitizenRegisterResolver } from './graphql/citizen-register.resolver.ts'
import { CitizenConnection, CitizenOutcomeConnection } from './graphql/citizen-register.type.ts'
import { CitizenDelegationsResolver, DelegationResolver } from './graphql/delegation.resolver.ts'
import { AdministeredCitizen } from './graphql/delegation.type.ts'
import { DelegationHistoryResolver } from './graphql/delegation-history.resolver.ts'
import { DelegationFiguresConnection, DelegationStateConnection } from './graphql/delegation-history.type.ts'
import { DelegationImportResolver } from './graphql/delegation-import.resolver.ts'
import { FindAdministrators } from './graphql/find-administrators.ts'
import { GroupResolver, groupVisibleTo } from './graphql/group.resolver.ts'
import { ScenarioResolver } from './graphql/scenario.resolver.ts'
import { DelegationScenarioConnection } from './graphql/scenario.type.ts'
import { ServiceKeyConnection } from './graphql/service-key.type.ts'
import { ServiceKeysResolver } from './graphql/service-keys.resolver.ts'
import { SessionResolver } from './graphql/session.resolver.ts'
import { DelegationPathStepResolver, type DomainPath, SimulationResolver } from './graphql/simulation.resolver.ts'
import { registerUpkeep } from './register/follow-outcomes.ts'
import type { RegisterSources } from './register/rebuild-register.ts'
import { administrators } from './roles.ts'
import type { ServiceKeyList } from './service-keys/service-key-list.ts'
import { createDevelopmentAdministrators, type DevelopmentAdministrators } from './session/development-administrators.ts'
import { Sessions } from './session/sessions.ts'
import { Simulations } from './simulation/simulations.ts'

export interface AdministrationEngines {
  readonly database: Database
  readonly keyValue: PartitionedKeyValue
  readonly identity: IdentityProvider
  readonly verifier: TokenVerifier
  /** undefined with an external identity provider, which has no account API */
  readonly accounts: Accounts | undefined
  readonly clock: Clock
  readonly pseudonyms: CitizenPseudonyms
  readonly serviceKeys: ServiceKeyList
  /** of the taxonomy, for delegations that are valid in a domain */
  readonly domainPath: DomainPath
  /** receives each audit record */
  readonly auditNote?: AuditNote | undefined
  /** queue of delegation messages */
  readonly broker: MessageBacklog &
    DeadLetterCount & {
      /** number of messages in a newer format that this process has met */
      newer(): number
    }
}

export type { FirstDelegations } from './delegations/first-delegations.ts'
export type { ServiceKeyList } from './service-keys/service-key-list.ts'
export type { DevelopmentAdministrators } from './session/development-administrators.ts'

/** Creates component D as a subgraph: sessions of administrators and the delegations in their scope. */
export function createAdministration(engines: AdministrationEngines, version: string): Promise<Subgraph> {
  const { database, keyValue, identity, verifier, clock, accounts, pseudonyms } = engines
  const audit = new AuditTrail(database, engines.auditNote)
  const guard = new LoginGuard(keyValue, clock)
  const sessions = new Sessions({ identity, verifier, audit, keyValue, guard })
  const delegations = new DelegationResolver(database, audit, pseudonyms)
  const people = new FindAdministrators(accounts)
  const trail = new AuditResolver(database, audit, people, pseudonyms)
  const accountsResolver = new AccountsResolver(accounts, audit, guard)
  const keys = new ServiceKeysResolver(engines.serviceKeys, audit)
  const simulations = new Simulations(database)
  const simulation = new SimulationResolver({ simulations, domainPath: engines.domainPath, audit, pseudonyms })
  const scenarios = new ScenarioResolver(database, audit, pseudonyms, simulation)
  return buildSubgraph('administration', {
    version,
    probes: probesOf(engines),
    noteRefusal: (mutation, context) => audit.recordRefusal(mutation, context),
    resolvers: [
      new SessionResolver(sessions),
      delegations,
      new CitizenDelegationsResolver(delegations),
      new CitizenRegisterResolver(database, audit, pseudonyms),
      totalCountOf(CitizenConnection, administrators),
      new CitizenOutcomesResolver(database),
      totalCountOf(CitizenOutcomeConnection, administrators),
      new DelegationHistoryResolver(database, audit, pseudonyms),
      totalCountOf(DelegationStateConnection, administrators),
      totalCountOf(DelegationFiguresConnection, administrators),
      new DelegationImportResolver({ database, clock, audit, pseudonyms }),
      simulation,
      scenarios,
      totalCountOf(DelegationScenarioConnection, administrators),
      new DelegationPathStepResolver(delegations),
      new GroupResolver(delegations, people),
      trail,
      accountsResolver,
      totalCountOf(AccountConnection, [userWith('super_admin')]),
      keys,
      totalCountOf(ServiceKeyConnection, [userWith('super_admin')]),
      totalCountOf(AuditRecordConnection, [userWith('super_admin')]),
    ],
    entities: {
      Citizen: ({ code }) => ({ code }),
      Delegation: ({ id }, context) => delegations.delegation(String(id), context),
      Administrator: ({ id }, context) => people.byId(String(id), context),
      Group: ({ id }, { principal }) => groupVisibleTo(principal, String(id)),
      DelegationScenario: ({ id }, { principal }) => scenarios.find(String(id), principal),
      Account: ({ id }, context) => accountsResolver.find(String(id), context),
      AuditRecord: ({ id }, context) => trail.find(String(id), context),
      ServiceKey: ({ id }, context) => keys.find(String(id), context),
    },
    orphanedTypes: [AdministeredCitizen, Administrator],
    streams: {
      async *delegationSimulationRun(_, { principal, signal }) {
        requireOneOf(principal, administrators)
        yield* simulations.load(signal)
      },
    },
  })
}

export interface UpkeepOptions {
  /** creates the part that consumes the broker's messages */
  readonly messages: (handler: MessageHandler) => Part
  readonly developmentAdministrators: DevelopmentAdministrators | undefined
  /** delegations to store in an empty list */
  readonly firstDelegations: FirstDelegations | undefined
  /** the events of component A */
  readonly feed: EventFeed
  /** outcomes of verifications, for the register of citizens */
  readonly register: Omit<RegisterSources, 'database'>
  readonly registry: Registry
  readonly log: Log
}

const passTimeEveryMs = 1000
/** processes of an earlier release may still write codes during a rolling update */
const pseudonymsEveryMs = 600_000
/** timeout for a count that Prometheus requests */
const countLimitMs = 5000

/**
 * Creates the background work of component D: consumes delegation messages, updates due statuses, keeps the register of citizens and, in
 * development, creates the first administrators.
 */
export function createAdministrationUpkeep(engines: AdministrationEngines, options: UpkeepOptions): Part {
  const { database, clock, accounts, broker, pseudonyms } = engines
  const { registry, messages, developmentAdministrators, firstDelegations, feed, register, log } = options
  const reportFailure = (sentence: string) => (error: unknown) => log.warn({ reason: messageOf(error) }, sentence)
  const dead = (): Promise<number> => broker.dead(AbortSignal.timeout(countLimitMs))
  countedGauge('civigraph_delegation_dead_messages', 'Delegation messages in the dead-letter queue', registry, dead)
  let check: Promise<void> | undefined
  const people = retryUntilDone({
    name: 'development administrators',
    async work() {
      if (accounts === undefined || developmentAdministrators === undefined) return
      const refreshed = await createDevelopmentAdministrators(accounts, developmentAdministrators)
      check = refreshed().catch(reportFailure('the development administrators could not be checked'))
    },
    isTransient: (error) => error instanceof EngineUnavailable,
    onWaiting: reportFailure('the development administrators could not be created; retrying'),
  })
  const checked: Part = { name: 'check of the development administrators', start: async () => undefined, stop: async () => check }
  let first = firstDelegations
  const time = periodic(
    'time of delegations',
    passTimeEveryMs,
    async (signal) => {
      if (first !== undefined) await storeFirstDelegations({ database, pseudonyms }, clock, first)
      first = undefined
      await advanceDelegations(database, signal)
    },
    reportFailure('the status of due delegations could not be updated; the next round retries'),
  )
  const audit = periodic(
    'pseudonyms in the audit trail',
    pseudonymsEveryMs,
    async (signal) => {
      const changed = await pseudonymiseAudit(database, pseudonyms, signal)
      if (changed > 0) log.info({ changed }, 'citizen codes in the audit trail were replaced by pseudonyms')
    },
    reportFailure('citizen codes of earlier releases in the audit trail could not be replaced; the next round retries'),
  )
  return compose('upkeep of administration', [
    checked,
    people,
    messages(delegationMessages({ database, pseudonyms, clock, log })),
    time,
    audit,
    registerUpkeep({ ...register, database, feed, log }),
  ])
}

function probesOf({ database, identity, broker }: AdministrationEngines): readonly HealthProbe[] {
  return [
    {
      name: 'message_broker',
      engine: broker.engine,
      essential: false,
      async check(signal) {
        refuseStalled('The oldest waiting delegation message', await broker.oldestAgeMs(signal))
        refuseNewer('messages of delegations', broker.newer())
        refuseDead('messages of delegations', await broker.dead(signal))
      },
    },
    {
      name: 'analytics_database',
      engine: 'postgresql',
      essential: true,
      async check(signal) {
        await database.health(signal)
        refuseStalled('The oldest delegation that is due for a status change', await overdueMs(database))
      },
    },
    { name: 'identity_service', engine: identity.engine, essential: false, check: (signal) => identity.health(signal) },
  ]
}
