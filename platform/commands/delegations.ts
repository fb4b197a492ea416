import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { CitizenPseudonyms } from '../../engines/citizen-data/citizen-pseudonyms.ts'
import { systemClock } from '../../foundation/clock.ts'
import { importDelegations } from '../../subgraphs/administration/commands/delegation-upkeep.ts'
import { resolveKeys } from '../process/keys/keys.ts'
import { type Command, CommandProblem, formatOf, readWords } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withDatabase } from './database.ts'
import { linesOf } from './file-lines.ts'

/** `delegations import FILE`. @returns 1 if lines were refused */
export const manageDelegations: Command = async (words, config, writeLine) => {
  const [verb, path] = readWords(words, {}).positionals
  if (verb !== 'import') throw new CommandProblem(`Unknown command: delegations ${verb ?? ''}`)
  const { file, format } = formatOf(path)
  await access(file, constants.R_OK)
  // without it, delegations of erased citizens would not be recognised
  if (config.database.urls !== undefined && config.pseudonymKey === undefined)
    throw new Error('PSEUDONYM_KEY is required, with the value that the platform uses')
  const pseudonyms = new CitizenPseudonyms(resolveKeys(config).pseudonym)
  return withDatabase(
    config,
    async (database, interrupted) => {
      await commandTrail(database)({ action: 'delegations.import', details: { file: basename(file) } })
      const lines = until(interrupted, linesOf(file))
      const { problems, ...counts } = await importDelegations({ database, pseudonyms, clock: systemClock }, lines, format)
      for (const problem of problems) process.stderr.write(`${problem}\n`)
      const totals = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
      writeLine(totals.join(', '))
      return counts.refused === 0 ? 0 : 1
    },
    'imported lines stay; run the command again to import the rest',
  )
}

/** @throws the reason of the aborted signal */
async function* until<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    signal.throwIfAborted()
    yield item
  }
}
