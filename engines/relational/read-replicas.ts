import type pg from 'pg'
import { systemClock } from '../../foundation/clock.ts'
import { Circuit, isUnavailable } from '../../foundation/concurrency/circuit-breaker.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { openPool } from './connections/pool.ts'
import { QueryRefused } from './query-errors.ts'

const connectLimitMs = 1000
/** time limit after which the primary is queried, with enough time for its response */
const answerLimitMs = 2000
const retryEveryMs = 1000

/** A replica lacks data that the reader must see. */
export class ReplicaBehind extends EngineUnavailable {
  constructor() {
    super('read replica', new Error('the replica lags behind the primary'))
  }
}

/** answered; behind; away: no response, or refused */
export type ReplicaOutcome = 'answered' | 'behind' | 'away'

/** Standbys for reads that may be slightly stale and can be repeated. */
export interface ReadReplicas extends Part {
  /**
   * Runs a read on a replica, round-robin. A replica that failed or lagged three times in a row is skipped for a second.
   * @param work - throws ReplicaBehind if its result is too old
   * @returns undefined if the primary must be queried
   */
  read<Result>(work: (pool: pg.Pool) => Promise<Result>): Promise<{ readonly result: Result } | undefined>
}

/**
 * @param poolSize - maximum connections per replica
 * @param onRead - called after each read
 */
export function readReplicas(options: {
  readonly urls: readonly string[]
  readonly poolSize: number
  readonly log: Log
  readonly onRead: (outcome: ReplicaOutcome) => void
}): ReadReplicas {
  const { urls, poolSize, log, onRead } = options
  const counts = (error: unknown): boolean => isUnavailable(error) || error instanceof QueryRefused
  const replicas = urls.map((url) => ({
    pool: openPool({
      url: () => url,
      log,
      settings: {
        max: poolSize,
        application_name: clientName('replica'),
        connectionTimeoutMillis: connectLimitMs,
        statement_timeout: answerLimitMs,
        query_timeout: answerLimitMs,
        keepAlive: true,
      },
    }),
    circuit: new Circuit({ clock: systemClock, engine: 'read replica', answerLimitMs, retryEveryMs, counts }),
  }))
  let turn = 0
  return {
    name: 'read replicas',
    async read(work) {
      const replica = replicas[turn++ % replicas.length]
      if (replica === undefined) return undefined
      try {
        const result = await replica.circuit.run(() => work(replica.pool))
        onRead('answered')
        return { result }
      } catch (error) {
        if (!counts(error)) throw error
        onRead(error instanceof ReplicaBehind ? 'behind' : 'away')
        return undefined
      }
    },
    start: async () => undefined,
    async stop() {
      await Promise.all(replicas.map(({ pool }) => pool.end()))
    },
  }
}
