import { randomBytes } from 'node:crypto'
import { Counter, type Registry } from 'prom-client'
import type { Database } from '../../engines/relational/database.ts'
import { type ReadReplicas, readReplicas } from '../../engines/relational/read-replicas.ts'
import { driftOf } from '../../engines/search-index/drift-report.ts'
import { elasticsearchHealth, searchFolderHealth } from '../../engines/search-index/elasticsearch/search-engine-health.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import type { Log } from '../../foundation/log.ts'
import { queriedGauges } from '../../foundation/process/metrics.ts'
import { indexGeneration } from '../../subgraphs/classification/index.ts'
import { createExploration, createExplorationWorker } from '../../subgraphs/exploration/index.ts'
import { encoderName } from '../engines/classification-engines.ts'
import { searchFolder } from '../engines/search-indices.ts'
import { type Component, keyValueProbe } from './component.ts'

/** Component B on the engines of a process. */
export const exploration: Component = {
  async subgraph({ engines, config, build, keys, gate, registries, log }) {
    if (registries !== undefined) registerDriftGauges(registries.of('exploration'), engines.database)
    const replicas = replicasOf(config, log.child({ component: 'exploration' }), registries?.of('database replicas'))
    const index = await engines.searchIndex(indexGeneration(encoderName(config)))
    const { subgraph, watch } = await createExploration(
      {
        ...engines,
        gate,
        index,
        keyValue: engines.keyValue.partition('counters'),
        replicas,
        intake: engines.expressions,
        clock: systemClock,
      },
      {
        version: build.version,
        probes: [keyValueProbe(engines), searchProbe(config, engines.database)],
        timezone: config.timezone,
        pseudonymKey: keys?.pseudonym ?? randomBytes(32),
        districtsFile: config.exploration.districtsFile,
        publicVoting: { ...config.exploration.publicVoting, loopbackUnlimited: !config.production },
      },
    )
    const used = [engines.database, engines.feed, engines.keyValue, index, ...(replicas === undefined ? [] : [replicas])]
    return { subgraph, engines: used, background: [watch] }
  },

  worker({ engines, config, log }) {
    const workerParts = { ...engines, log: log.child({ component: 'exploration' }) }
    const worker = createExplorationWorker(workerParts, { timezone: config.timezone })
    return { worker, engines: [engines.database, engines.feed], background: [] }
  },
}

/** Checks the index without loading the search code. */
function searchProbe({ elasticsearch, dataDir }: Config, database: Database): HealthProbe {
  return {
    name: 'search_index',
    engine: elasticsearch === undefined ? 'lancedb' : 'elasticsearch',
    essential: false,
    check: (signal) =>
      elasticsearch === undefined ? searchFolderHealth(searchFolder(dataDir)) : elasticsearchHealth(elasticsearch, signal),
    drift: () => driftOf(database),
  }
}

/** Exports the drift that the index upkeep of classification has measured as a metric. */
function registerDriftGauges(registry: Registry, database: Database): void {
  queriedGauges(registry, () => driftOf(database))(
    'civigraph_exploration_search_index_drift',
    'Expressions in which the search index differed from the analytics database at the last comparison',
    (drift) => drift ?? undefined,
  )
}

/** Opens the replicas of DATABASE_REPLICA_URLS; undefined without any. @param registry - for the read metrics, if given */
function replicasOf({ database }: Config, log: Log, registry: Registry | undefined): ReadReplicas | undefined {
  const { replicaUrls, poolSize } = database
  if (replicaUrls === undefined || replicaUrls.length === 0) return undefined
  const reads =
    registry &&
    new Counter({
      name: 'civigraph_database_replica_reads_total',
      help: 'Reads sent to a replica first, by outcome; the primary handled those without an answer',
      labelNames: ['outcome'] as const,
      registers: [registry],
    })
  return readReplicas({ urls: replicaUrls, poolSize, log, onRead: (outcome) => reads?.inc({ outcome }) })
}
