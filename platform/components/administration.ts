import { type AdministrationEngines, createAdministration, createAdministrationUpkeep } from '../../subgraphs/administration/index.ts'
import { systemClock } from '../../subgraphs/foundation/clock.ts'
import { demonstrationDelegations } from '../demonstration/delegations.ts'
import { showsDemonstrationDelegations } from '../demonstration/eligibility.ts'
import type { Component, ComponentOptions } from './component.ts'

/** Component D on the engines of a process. */
export const administration: Component = {
  async subgraph(options) {
    const { database, keyValue, delegations } = options.engines
    const subgraph = await createAdministration(enginesOf(options), options.build.version)
    return { subgraph, engines: [database, keyValue, delegations], background: [] }
  },

  upkeep(options) {
    const { engines, config, keys, log } = options
    return createAdministrationUpkeep(enginesOf(options), {
      messages: (handler) => engines.delegationMessages(handler),
      developmentAdministrators: keys?.developmentAdministrators,
      firstDelegations: showsDemonstrationDelegations(config) ? demonstrationDelegations : undefined,
      log: log.child({ component: 'administration' }),
    })
  },
}

function enginesOf({ engines }: ComponentOptions): AdministrationEngines {
  const { database, keyValue, delegations, identity, newerDelegations } = engines
  const broker = { engine: delegations.engine, oldestAgeMs: delegations.oldestAgeMs, newer: newerDelegations }
  const { provider, verifier, embedded } = identity
  return { database, keyValue, identity: provider, verifier, accounts: embedded?.accounts, clock: systemClock, broker }
}
