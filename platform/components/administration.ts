import { systemClock } from '../../foundation/clock.ts'
import { MetricRegistries } from '../../foundation/process/metric-registries.ts'
import { type AdministrationEngines, createAdministration, createAdministrationUpkeep } from '../../subgraphs/administration/index.ts'
import { demonstrationDelegations } from '../demonstration/delegations.ts'
import { showsDemonstrationDelegations } from '../demonstration/eligibility.ts'
import { serviceKeyList } from '../engines/service-key-list.ts'
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
    serviceKeys: serviceKeyList(engines.serviceKeys, options.keys?.apiKeys ?? []),
    auditNote: auditNoteOf(options),
    broker,
  }
}
