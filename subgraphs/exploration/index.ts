import { analyticsTopic, votesTopic } from '../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../engines/analytics-store/postgres-analytics-store.ts'
import { postgresCountableExpressions } from '../../engines/analytics-store/postgres-countable-expressions.ts'
import { removeOldVoterCounts } from '../../engines/analytics-store/postgres-votes.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import { momentReached, refuseLag } from '../../engines/event-feed/follower-lag.ts'
import type { KeyValue } from '../../engines/key-value/key-value.ts'
import type { Database } from '../../engines/relational/database.ts'
import { leader } from '../../engines/relational/leadership/leader.ts'
import { fenced } from '../../engines/relational/leadership/lease.ts'
import type { ReadReplicas } from '../../engines/relational/read-replicas.ts'
import { type SearchIndex, searchIndexFollower } from '../../engines/search-index/search-index.ts'
import type { Clock } from '../../foundation/clock.ts'
import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import { startOf } from '../../foundation/graphql/event-position.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { compose, type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { buildSubgraph, type EventStream, type Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { noDistricts, readDistricts } from './districts/districts.ts'
import { explorationEvents, onceIndexed, tileMeets } from './events/exploration-events.ts'
import { voteEvents } from './events/vote-events.ts'
import { DistrictResolver } from './graphql/district.resolver.ts'
import { DomainCountResolver, DomainResolver } from './graphql/domain.resolver.ts'
import { ExplorationResolver, followedIds } from './graphql/exploration.resolver.ts'
import { RollUps } from './queries/roll-up-reader.ts'
import { SearchedFigures } from './queries/searched-figures.ts'
import { checkedSelection, type FilterInput, isSearched, selectionOf } from './queries/selection.ts'
import { VersionWatch } from './queries/version-watch.ts'
import { maintainRollUps } from './roll-ups/maintain-roll-ups.ts'
import { type ExplorationEventKind, follower } from './roll-ups/roll-up-state.ts'
import type { VoteEngines } from './votes/cast-vote.ts'
import type { PublicVotingLimits } from './votes/public-voting.ts'

export { type ExplorationEventKind, statisticsTopics } from './roll-ups/roll-up-state.ts'

export interface ExplorationEngines {
  readonly database: Database
  /** read replicas for statistics; undefined when there are no replicas */
  readonly replicas: ReadReplicas | undefined
  readonly feed: EventFeed
  /** counts expressions whose text contains words */
  readonly index: Pick<SearchIndex, 'tally' | 'newest'>
  /** the queue of accepted expressions */
  readonly intake: VoteEngines['intake']
  /** counts requests of browsers */
  readonly keyValue: Pick<KeyValue, 'increment'>
  readonly clock: Clock
  /** refuses new work while votes wait too long */
  readonly gate?: Pick<LoadGate, 'watch'> | undefined
}

export interface ExplorationSettings {
  readonly version: string
  /** probes other than that of the database */
  readonly probes: readonly HealthProbe[]
  /** IANA name of the time zone that defines days */
  readonly timezone: string
  readonly pseudonymKey: Uint8Array
  /** outlines of districts (GeoJSON); undefined when not configured */
  readonly districtsFile: string | undefined
  /** limits for voting in browsers without signing in */
  readonly publicVoting: PublicVotingLimits
}

/** A subgraph and its background work. */
export interface Exploration {
  readonly subgraph: Subgraph
  readonly watch: Part
}

const stateEveryMs = 1000
const mapEveryMs = 200

/** Creates component B as a subgraph, which answers from the roll-ups. @throws {Error} for an invalid districts file */
export async function createExploration(engines: ExplorationEngines, settings: ExplorationSettings): Promise<Exploration> {
  const { database, replicas, feed, index, intake, keyValue, clock } = engines
  const { timezone, pseudonymKey, districtsFile } = settings
  const districts = districtsFile === undefined ? noDistricts : readDistricts(districtsFile)
  const publicVoting = { limits: settings.publicVoting, keyValue, pseudonymKey, clock }
  const watch = new VersionWatch(engines)
  const rollUps = new RollUps(database, clock, timezone, replicas && { replicas, oldest: () => watch.seen })
  const currentVersion = () => watch.current
  const store = postgresAnalyticsStore({ database, feed })
  engines.gate?.watch(() => store.oldestVoteWaitMs)
  const reached = () => momentReached(database, searchIndexFollower, analyticsTopic)
  const searched = new SearchedFigures({ rollUps, index, reached })
  const domains = new DomainResolver({ rollUps, store, searched, currentVersion })
  const stream =
    (kind: ExplorationEventKind, everyMs: number): EventStream =>
    (args, { signal }) => {
      const { q } = args
      // refuses invalid words before the first event
      const selection = selectionOf({ q: typeof q === 'string' ? q : null })
      const events = explorationEvents(feed, kind, { after: startOf(args), everyMs, signal })
      return isSearched(selection) ? onceIndexed(events, reached, signal) : events
    }
  const subgraph = await buildSubgraph('exploration', {
    version: settings.version,
    probes: [
      ...settings.probes,
      {
        name: 'analytics_database',
        engine: 'postgresql',
        essential: true,
        async check(signal) {
          await database.health(signal)
          await refuseLag('The oldest change that the roll-ups do not contain', database, follower, analyticsTopic)
          await refuseLag('The oldest vote that the roll-ups do not contain', database, follower, votesTopic)
        },
      },
    ],
    resolvers: [
      new ExplorationResolver({ store, intake, rollUps, searched, currentVersion, pseudonymKey, publicVoting }),
      new DistrictResolver({ rollUps, districts, searched, currentVersion }),
      domains,
      new DomainCountResolver(domains),
    ],
    entities: { Domain: ({ id }, context) => domains.referred(String(id), context), Expression: ({ id }) => ({ id }) },
    streams: {
      statisticsChanged: stream('statistics_changed', stateEveryMs),
      domainsChanged: stream('domains_changed', stateEveryMs),
      mapInvalidated: async function* (args, { signal }) {
        // validated against the printed schema
        const selection = await checkedSelection((args.filter ?? {}) as FilterInput, rollUps)
        const { box } = selection
        const events = explorationEvents(feed, 'map_invalidated', {
          after: startOf(args),
          ...(box !== null && { meets: (tile: string) => tileMeets(tile, box) }),
          everyMs: mapEveryMs,
          signal,
        })
        yield* isSearched(selection) ? onceIndexed(events, reached, signal) : events
      },
      votesChanged: (args, { signal }) =>
        voteEvents(feed, followedIds(args.expressionIds), { after: startOf(args), everyMs: stateEveryMs, signal }),
    },
  })
  return { subgraph, watch }
}

const retentionEveryMs = 3_600_000

/** Creates the worker of component B: roll-ups and the removal of old voter counts. One replica is active; the others wait to take over. */
export function createExplorationWorker(
  engines: { readonly database: Database; readonly feed: EventFeed; readonly log: Log },
  { timezone }: Pick<ExplorationSettings, 'timezone'>,
): Part {
  const { database, feed, log } = engines
  const rollUps = leader({
    name: 'roll-ups',
    database,
    log,
    work: (lease, signal) =>
      maintainRollUps({ database: fenced(database, lease), feed, expressions: postgresCountableExpressions }, timezone, log, signal),
  })
  const retention = periodic(
    'retention of voter counts',
    retentionEveryMs,
    (signal) => removeOldVoterCounts(database, signal),
    (error) => log.warn({ err: error }, 'voter counts of earlier days could not be removed; the next round tries again'),
  )
  return compose('exploration worker', [rollUps, retention])
}
