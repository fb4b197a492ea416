import { postgresAnalyticsStore } from '../engines/analytics-store/postgres-analytics-store.ts'
import type { EventFeed } from '../engines/event-feed/event-feed.ts'
import type { Database } from '../engines/relational/database.ts'
import { leader } from '../engines/relational/leader.ts'
import type { Clock } from '../foundation/clock.ts'
import type { HealthProbe } from '../foundation/graphql/health.ts'
import { buildSubgraph, type EventStream, type Subgraph } from '../foundation/graphql/subgraph.ts'
import type { Part } from '../foundation/lifecycle.ts'
import { explorationEvents } from './events/exploration-events.ts'
import { DomainResolver } from './graphql/domain.resolver.ts'
import { ExplorationResolver } from './graphql/exploration.resolver.ts'
import { RollUps } from './queries/roll-up-reader.ts'
import { VersionWatch } from './queries/version-watch.ts'
import type { RollUpEngines } from './roll-ups/follow-changes.ts'
import { keepRollUps } from './roll-ups/keep-roll-ups.ts'
import type { ExplorationEventKind } from './roll-ups/roll-up-state.ts'

export { checkRollUps } from './roll-ups/check-roll-ups.ts'
export { rebuildRollUps } from './roll-ups/rebuild-roll-ups.ts'

export interface ExplorationEngines {
  readonly database: Database
  readonly feed: EventFeed
  readonly clock: Clock
}

export interface ExplorationSettings {
  readonly version: string
  readonly probes: readonly HealthProbe[]
  /** IANA name: whose days are counted */
  readonly timezone: string
  readonly pseudonymKey: Uint8Array
}

/** A subgraph, and what it does beside answering. */
export interface Exploration {
  readonly subgraph: Subgraph
  readonly watch: Part
}

const stateEveryMs = 1000
const mapEveryMs = 200

/** Component B as a subgraph: answers from the roll-ups that its worker keeps. */
export async function createExploration(engines: ExplorationEngines, settings: ExplorationSettings): Promise<Exploration> {
  const { database, feed, clock } = engines
  const { timezone, pseudonymKey } = settings
  const rollUps = new RollUps(database, clock, timezone)
  const watch = new VersionWatch(engines)
  const currentVersion = () => watch.current
  const domains = new DomainResolver(rollUps, currentVersion)
  const store = postgresAnalyticsStore({ database, feed })
  const stream =
    (kind: ExplorationEventKind, everyMs: number): EventStream =>
    ({ after }, { signal }) =>
      explorationEvents(feed, kind, { after: typeof after === 'number' ? after : undefined, everyMs, signal })
  const subgraph = await buildSubgraph('exploration', {
    version: settings.version,
    probes: settings.probes,
    resolvers: [new ExplorationResolver({ database, store, rollUps, currentVersion, pseudonymKey }), domains],
    entities: { Domain: ({ id }, context) => domains.find(String(id), context), Expression: ({ id }) => ({ id }) },
    streams: {
      statisticsChanged: stream('statistics_changed', stateEveryMs),
      domainsChanged: stream('domains_changed', stateEveryMs),
      mapInvalidated: stream('map_invalidated', mapEveryMs),
    },
  })
  return { subgraph, watch }
}

/** a number of ours: one copy of the worker counts at a time, the others wait to take over */
const leaderLock = 7_310_001

/** The worker of component B: keeps the roll-ups. */
export function createExplorationWorker(engines: RollUpEngines, { timezone }: { readonly timezone: string }): Part {
  const { database, log } = engines
  return leader('roll-ups', database, leaderLock, (signal) => keepRollUps(engines, timezone, signal), log)
}
