import type { Message, MessageHandler } from '../../engines/message-queue/message-queue.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { Clock } from '../../foundation/clock.ts'
import type { Log } from '../../foundation/log.ts'
import { readDelegation } from './delegation-record.ts'
import { keepDelegations } from './keep-delegations.ts'

/** Keeps what the message `delegation.changed` says; a message that cannot be read, or of another name, is told in the log and given up. */
export function delegationMessages({
  database,
  clock,
  log,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): MessageHandler {
  const keep = async ({ name, content }: Message): Promise<void> => {
    if (name !== 'delegation.changed') return log.warn({ kind: name }, 'a message of an unknown kind was given up')
    const record = readDelegation(content, clock.now())
    if ('problems' in record) return log.warn({ problems: record.problems }, 'a delegation that cannot be read was given up')
    const { created, updated } = await keepDelegations(database, [record], 'message')
    log.info({ delegationId: record.id, written: created + updated }, 'a delegation has changed')
  }
  return async (messages) => {
    for (const message of messages) await keep(message)
  }
}
