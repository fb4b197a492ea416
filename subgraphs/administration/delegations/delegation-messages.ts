import type { Message, MessageHandler } from '../../../engines/message-queue/message-queue.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { readDelegation, textOfProblem } from './delegation-record.ts'
import { type DelegationStore, storeDelegations } from './store-delegations.ts'

/**
 * Handles messages of type `delegation.changed`. A message of another type or with invalid content is rejected and becomes a dead letter;
 * the problems name members, never values. A message that names an erased citizen is dropped: a dead letter would keep the code.
 */
export function delegationMessages({
  clock,
  log,
  ...store
}: DelegationStore & {
  readonly clock: Clock
  readonly log: Log
}): MessageHandler {
  const keep = async ({ name, content }: Message): Promise<void> => {
    if (name !== 'delegation.changed') throw new InvalidInput('The message type must be delegation.changed')
    const record = readDelegation(content, clock.now())
    if ('problems' in record) throw new InvalidInput(record.problems.map(textOfProblem).join('; '))
    const { created, updated, refusals } = await storeDelegations(store, [record], 'message')
    if (refusals.size > 0) log.warn('a message about an erased citizen was dropped')
    else log.info({ delegationId: record.id, written: created + updated }, 'a delegation has changed')
  }
  return async (messages) => {
    for (const message of messages) await keep(message)
  }
}
