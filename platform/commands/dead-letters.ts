import { deadMessages, redriveMessages, removeDeadMessage } from '../../engines/message-queue/dead-letters.ts'
import type { Database } from '../../engines/relational/database.ts'
import { deadExpressions } from '../../subgraphs/classification/commands/dead-expressions.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { unannouncedFeed, withDatabase } from './database.ts'

/** maximum of each kind, oldest first */
const listedAtMost = 100

/** `dead-letters list|redrive|remove ID`. @returns 1 if a retry failed or the message does not exist */
export const manageDeadLetters: Command = async (words, config, writeLine) => {
  const [verb, id, ...more] = readWords(words, {}).positionals
  if (verb === 'remove' && id !== undefined && more.length === 0) {
    const position = positionOf(id)
    return withDatabase(config, (database) => remove(database, position, writeLine))
  }
  if (id !== undefined) throw new CommandProblem(`dead-letters ${verb} takes no arguments`)
  if (verb === 'list') return withDatabase(config, (database) => list(database, writeLine))
  if (verb === 'redrive') return withDatabase(config, (database) => redrive(database, writeLine))
  throw new CommandProblem(verb === 'remove' ? 'Name the id of a message' : `Unknown command: dead-letters ${verb ?? ''}`)
}

/** Prints only the reason of a dead letter, since its content is personal data. */
async function list(database: Database, writeLine: WriteLine): Promise<number> {
  const [ofQueues, ofExpressions] = await Promise.all([
    deadMessages(database, listedAtMost),
    deadExpressions({ database, feed: unannouncedFeed(database) }).list(listedAtMost),
  ])
  for (const { id, queue, kind, reason, at } of ofQueues.messages)
    writeLine(`message ${id}  ${at.toISOString()}  ${queue} ${kind}: ${reason}`)
  for (const { id, reason, at } of ofExpressions.expressions) writeLine(`expression ${id}  ${at.toISOString()}  ${reason}`)
  writeLine(`${ofQueues.total} messages, ${ofExpressions.total} expressions`)
  return 0
}

async function redrive(database: Database, writeLine: WriteLine): Promise<number> {
  await commandTrail(database)({ action: 'dead-letters.redrive' })
  const messages = await redriveMessages(database)
  const { written, waiting, failed } = await deadExpressions({ database, feed: unannouncedFeed(database) }).redrive()
  writeLine(`messages: ${messages.length} queued again`)
  writeLine(`expressions: ${written} written, ${waiting} wait for a retry of their failed steps, ${failed} failed again`)
  return failed === 0 ? 0 : 1
}

async function remove(database: Database, position: number, writeLine: WriteLine): Promise<number> {
  await commandTrail(database)({ action: 'dead-letters.remove', target: String(position) })
  const isRemoved = await removeDeadMessage(database, position)
  writeLine(isRemoved ? `message ${position} removed` : `No message ${position}`)
  return isRemoved ? 0 : 1
}

/** @throws {CommandProblem} */
function positionOf(id: string): number {
  const position = /^\d{1,15}$/.test(id) ? Number(id) : undefined
  if (position === undefined)
    throw new CommandProblem('Only a message can be removed, by its number in "list"; withdraw an expression with withdrawExpression')
  return position
}
