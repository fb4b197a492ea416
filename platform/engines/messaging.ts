import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../engines/event-feed/relay-event-feed.ts'
import { bullmqJobQueue, bullmqJobWorker, type QueueConnection } from '../../engines/job-queue/bullmq-job-queue.ts'
import type { JobHandler, JobQueue } from '../../engines/job-queue/job-queue.ts'
import { bullmqBacklog } from '../../engines/message-queue/bullmq-backlog.ts'
import { bullmqMessageWorker, type MessageWorker } from '../../engines/message-queue/bullmq-message-worker.ts'
import { type ClaimedMessage, storeDeadLetter } from '../../engines/message-queue/dead-letters.ts'
import type { BatchOptions, MessageBacklog, MessageHandler } from '../../engines/message-queue/message-queue.ts'
import { type OutboxQueue, outboxQueue } from '../../engines/message-queue/outbox-queue.ts'
import { outboxWorker } from '../../engines/message-queue/outbox-worker.ts'
import type { Config } from '../../foundation/config/config.ts'
import { compose, type Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { type AwaitedDatabase, delegationsQueue, expressionsQueue, jobsQueue } from './awaited-database.ts'

/** Inter-process communication: jobs, messages, announcements. */
export interface Messaging {
  /** jobs of verification, by id */
  readonly queue: JobQueue & Part
  readonly feed: EventFeed & Part
  /** expressions on their way into the analytics store */
  readonly expressions: OutboxQueue
  expressionMessages(gathering: BatchOptions, handler: MessageHandler): Part
  /** waiting delegations of external senders */
  readonly delegations: MessageBacklog & Part
  /** creates the consumer of external delegations; its messages contain the delegations themselves */
  delegationMessages(handler: MessageHandler): Part
  /** number of delegation messages that this process has left to a newer release */
  newerDelegations(): number
  /** dead delegation messages queued for a retry */
  readonly redrivenDelegations: OutboxQueue
  /** Creates the worker of the job queue. */
  queueWorker(concurrency: number, handler: JobHandler): Part
}

/** poll interval for retried dead letters of delegations */
const redrivenEveryMs = 2000

/** Uses the Redis of REDIS_URL, else the database; expressions always wait in the database and are only announced elsewhere. */
export function openMessaging({ redis }: Config, { database, direct }: AwaitedDatabase, log: Log): Messaging {
  const connection: QueueConnection = redis === undefined ? { kind: 'postgres', ...direct } : { kind: 'redis', ...redis }
  const feed = relayEventFeed({ database, connection, log })
  let delegations: MessageWorker | undefined
  const storeDead = (message: ClaimedMessage, error: unknown) => storeDeadLetter(database.orm, message, error)
  return {
    queue: bullmqJobQueue({ name: jobsQueue, connection, log }),
    feed,
    expressions: outboxQueue({ name: expressionsQueue, database, announcer: feed }),
    expressionMessages: (gathering, handler) =>
      compose('messages of expressions', [
        outboxWorker({ name: expressionsQueue, database, announcer: feed, log, handler, gathering }),
        // processes of 1.0 send them this way during a rolling update
        bullmqMessageWorker({ name: expressionsQueue, connection, log, handler, gathering, storeDead }),
      ]),
    delegations: bullmqBacklog({ name: delegationsQueue, connection, log }),
    delegationMessages(handler) {
      delegations = bullmqMessageWorker({ name: delegationsQueue, connection, log, handler, storeDead })
      const redriven = outboxWorker({ name: delegationsQueue, database, announcer: feed, log, handler, pollEveryMs: redrivenEveryMs })
      return compose('messages of delegations', [delegations, redriven])
    },
    redrivenDelegations: outboxQueue({ name: delegationsQueue, database, announcer: feed }),
    newerDelegations: () => delegations?.newer ?? 0,
    queueWorker: (concurrency, handler) => bullmqJobWorker({ name: jobsQueue, connection, log, concurrency, handler }),
  }
}
