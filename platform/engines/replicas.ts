import { Counter, type Registry } from 'prom-client'
import { type ReadReplicas, readReplicas } from '../../engines/relational/connections/read-replicas.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Log } from '../../foundation/log.ts'

/** The replicas that DATABASE_REPLICA_URLS names; undefined where it names none. @param registry - tells how reads fared, when it is given */
export function replicasOf({ database }: Config, log: Log, registry: Registry | undefined): ReadReplicas | undefined {
  const { replicaUrls, poolSize } = database
  if (replicaUrls === undefined || replicaUrls.length === 0) return undefined
  const reads =
    registry &&
    new Counter({
      name: 'civigraph_database_replica_reads_total',
      help: 'Reads that a replica of the database was asked first, by outcome; what it did not answer the primary did',
      labelNames: ['outcome'] as const,
      registers: [registry],
    })
  return readReplicas({ urls: replicaUrls, poolSize, log, onRead: (outcome) => reads?.inc({ outcome }) })
}
