import type { Message, MessageHandler } from '../../../engines/message-queue/message-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { readDelegation, textOfProblem } from './delegation-record.ts'
import { storeDelegations } from './store-delegations.ts'

/**
 * Handles messages of type `delegation.changed`. A message of another type or with invalid content is rejected and becomes a dead letter;
 * the problems name members, never values.
 */
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
    if (name !== 'delegation.changed') throw new InvalidInput('Unknown message type')
    const record = readDelegation(content, clock.now())
    if ('problems' in record) throw new InvalidInput(record.problems.map(textOfProblem).join('; '))
    const { created, updated } = await storeDelegations(database, [record], 'message')
    log.info({ delegationId: record.id, written: created + updated }, 'a delegation has changed')
  }
  return async (messages) => {
    for (const message of messages) await keep(message)
  }
}
