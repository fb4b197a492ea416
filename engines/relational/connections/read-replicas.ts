import type pg from 'pg'
import { systemClock } from '../../../foundation/clock.ts'
import { Circuit, isAway } from '../../../foundation/concurrency/circuit-breaker.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { clientName } from '../client-name.ts'
import { QueryRefused } from '../query-errors.ts'
import { openPool } from './pool.ts'

const connectLimitMs = 1000
/** beyond it the primary is asked, and there is time left for its answer */
const answerLimitMs = 2000
const retryEveryMs = 1000

/** A replica has not got yet what the reader has to see. */
export class ReplicaBehind extends EngineUnavailable {
  constructor() {
    super('read replica', new Error('it is behind'))
  }
}

/** answered; behind; away: it did not answer, or refused */
export type ReplicaOutcome = 'answered' | 'behind' | 'away'

/** Copies of the database, for reads that may be a little behind and can be done again. */
export interface ReadReplicas extends Part {
  /**
   * Lets a replica do a read, each in its turn. One that is away or behind is left alone for a second, as soon as it was so three times.
   * @param work - throws ReplicaBehind when what it finds is too old
   * @returns undefined when the primary has to be asked
   */
  read<Result>(work: (pool: pg.Pool) => Promise<Result>): Promise<{ readonly result: Result } | undefined>
}

/** @param poolSize - connections to each, at most   @param told - of each read */
export function readReplicas(options: {
  readonly urls: readonly string[]
  readonly poolSize: number
  readonly log: Log
  readonly told: (outcome: ReplicaOutcome) => void
}): ReadReplicas {
  const { urls, poolSize, log, told } = options
  const counts = (error: unknown): boolean => isAway(error) || error instanceof QueryRefused
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
        told('answered')
        return { result }
      } catch (error) {
        if (!counts(error)) throw error
        told(error instanceof ReplicaBehind ? 'behind' : 'away')
        return undefined
      }
    },
    start: async () => undefined,
    async stop() {
      await Promise.all(replicas.map(({ pool }) => pool.end()))
    },
  }
}
