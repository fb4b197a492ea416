import { randomBytes } from 'node:crypto'
import { findDomains } from '../../engines/analytics-store/postgres-taxonomy.ts'
import { CitizenPseudonyms } from '../../engines/citizen-data/citizen-pseudonyms.ts'
import type { ServiceKeys } from '../../engines/identity/service-keys/service-keys.ts'
import type { Database } from '../../engines/relational/database.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { ApiKey } from '../../foundation/config/settings/key-rules.ts'
import { type ServiceScope, serviceScopes } from '../../foundation/principal.ts'
import { MetricRegistries } from '../../foundation/process/metrics.ts'
import {
  type AdministrationEngines,
  createAdministration,
  createAdministrationUpkeep,
  type ServiceKeyList,
} from '../../subgraphs/administration/index.ts'
import { citizenOutcomes } from '../../subgraphs/verification/citizen-data.ts'
import { demonstrationDelegations } from '../demonstration/delegations.ts'
import { showsDemonstrationDelegations } from '../demonstration/eligibility.ts'
import { auditNoteOf, type Component, type ComponentOptions } from './component.ts'

/** Component D on the engines of a process. */
export const administration: Component = {
  async subgraph(options) {
    const { database, keyValue, delegations } = options.engines
    const subgraph = await createAdministration(enginesOf(options), options.build.version)
    return { subgraph, engines: [database, keyValue, delegations], background: [] }
  },

  upkeep(options) {
    const { engines, config, keys, log, registries = new MetricRegistries() } = options
    return createAdministrationUpkeep(enginesOf(options), {
      messages: (handler) => engines.delegationMessages(handler),
      developmentAdministrators: keys?.developmentAdministrators,
      firstDelegations: showsDemonstrationDelegations(config) ? demonstrationDelegations : undefined,
      feed: engines.feed,
      register: { outcomes: citizenOutcomes(engines.database), outcomeDays: config.verification.outcomeRetentionDays },
      registry: registries.of('administration'),
      log: log.child({ component: 'administration' }),
    })
  },
}

function enginesOf(options: ComponentOptions): AdministrationEngines {
  const { engines } = options
  const { database, keyValue, delegations, identity, newerDelegations, redrivenDelegations: redriven } = engines
  const broker: AdministrationEngines['broker'] = {
    engine: delegations.engine,
    oldestAgeMs: async (signal) => Math.max(...(await Promise.all([delegations, redriven].map((queue) => queue.oldestAgeMs(signal))))),
    newer: newerDelegations,
    dead: redriven.dead,
  }
  const { provider, verifier, embedded } = identity
  return {
    database,
    keyValue,
    identity: provider,
    verifier,
    accounts: embedded?.accounts,
    clock: systemClock,
    pseudonyms: new CitizenPseudonyms(options.keys?.pseudonym ?? randomBytes(32)),
    serviceKeys: serviceKeyList(engines.serviceKeys, options.keys?.apiKeys ?? []),
    domainPath: domainPathOf(database),
    auditNote: auditNoteOf(options),
    broker,
  }
}

const supportedScopes = (scopes: readonly string[]): readonly ServiceScope[] => serviceScopes.filter((scope) => scopes.includes(scope))

/** Lists the keys of the database and of the settings of this process. */
export const serviceKeyList = (
  stored: Pick<ServiceKeys, 'list' | 'create' | 'rotate' | 'revoke'>,
  configured: readonly ApiKey[],
): ServiceKeyList => ({
  isConfigured: (name) => configured.some((key) => key.name === name),
  create: (name, scopes, within) => stored.create(name, scopes, within),
  rotate: (name, overlapHours, within) => stored.rotate(name, overlapHours, within),
  revoke: (name, within) => stored.revoke(name, within),
  async list() {
    const ofSettings = configured.map(
      ({ name, scopes }) =>
        ({
          id: `settings:${name}`,
          name,
          scopes: supportedScopes(scopes),
          source: 'settings',
          createdAt: null,
          endsAt: null,
          lastUsedAt: null,
        }) as const,
    )
    return [
      ...(await stored.list()).map(({ scopes, ...key }) => ({ ...key, scopes: supportedScopes(scopes), source: 'database' }) as const),
      ...ofSettings,
    ]
  },
})

/** a taxonomy has two levels; more are followed, a circle is not */
const maxLevels = 10

/** Returns the ids of a domain and its ancestors in the stored taxonomy. */
export const domainPathOf =
  (database: Database): AdministrationEngines['domainPath'] =>
  async (id) => {
    const path: string[] = []
    for (let next: string | null = id; next !== null && path.length < maxLevels; ) {
      const [domain] = await findDomains(database, [next])
      if (domain === undefined) break
      path.push(domain.id)
      next = domain.parentId
    }
    return path.length === 0 ? undefined : path
  }
