import { createPostgresBackend, type JobType, Queue } from 'bullmq'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import {
  type Client,
  connectPostgres,
  connectRedis,
  engineOf,
  PersistentConnection,
  type QueueConnection,
  queuePrefix,
} from './bullmq-connection.ts'

const answerLimitMs = 2000
/** BullMQ's event history, which is not used */
const streams = { events: { maxLen: 100 } }

export interface QueueOptions {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
}

/** The part of Queue in use, whose type differs by engine. */
export interface BullmqQueue extends Client {
  add(kind: string, content: object, options: object): Promise<unknown>
  addBulk(jobs: { name: string; data: object; opts: { jobId: string; priority: number } }[]): Promise<unknown>
  getJobCounts(...states: JobType[]): Promise<Record<string, number>>
  getJobs(states: JobType[], start: number, end: number, ascending: boolean): Promise<readonly { readonly timestamp: number }[]>
}

/** The producer side of a BullMQ queue on PostgreSQL or Redis. */
export interface OpenQueue extends Pick<Part, 'start' | 'stop' | 'absence'> {
  /** postgresql or redis */
  readonly engine: string
  /** @throws {EngineUnavailable} also after 2 s without a response */
  ask<Answer>(question: (queue: BullmqQueue) => Promise<Answer>, signal: AbortSignal): Promise<Answer>
}

/** @param what - name of the queue in error messages. A start waits at most 2 s for the engine. */
export function openQueue(what: string, { name, connection, log }: QueueOptions): OpenQueue {
  const queue = new PersistentConnection<BullmqQueue>(
    what,
    () => {
      if (connection.kind === 'postgres') {
        const { connection: pool, end } = connectPostgres(connection, { connections: 3, log })
        return { client: new Queue(name, { connection: pool, streams }, createPostgresBackend), end }
      }
      const { connection: redis, ...ends } = connectRedis(connection, false)
      return { client: new Queue(name, { connection: redis, prefix: queuePrefix(connection), streams }), ...ends }
    },
    log,
  )
  return {
    engine: engineOf(connection),
    get absence() {
      return queue.absence
    },
    async ask(question, signal) {
      try {
        const answer = await withTimeout(
          question(queue.client),
          answerLimitMs,
          signal,
          () => new Error(`no response within ${answerLimitMs} ms`),
        )
        queue.reportSuccess()
        return answer
      } catch (error) {
        throw error instanceof EngineUnavailable ? error : new EngineUnavailable(what, new Error(messageOf(error)))
      }
    },
    start: (signal) => queue.start(signal),
    stop: () => queue.stop(),
  }
}
