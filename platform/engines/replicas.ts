import { Counter, type Registry } from 'prom-client'
import { type ReadReplicas, readReplicas } from '../../engines/relational/connections/read-replicas.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Log } from '../../foundation/log.ts'

/** Opens the replicas of DATABASE_REPLICA_URLS; undefined without any. @param registry - for the read metrics, if given */
export function replicasOf({ database }: Config, log: Log, registry: Registry | undefined): ReadReplicas | undefined {
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
