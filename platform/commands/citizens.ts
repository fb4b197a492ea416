import { rebuildRegister } from '../../subgraphs/administration/commands/delegation-upkeep.ts'
import { citizenOutcomes } from '../../subgraphs/verification/citizen-data.ts'
import { type Command, CommandProblem, throttled } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withDatabase } from './database.ts'

/** `citizens rebuild`: recomputes the register of citizens, with or without a running platform. */
export const manageCitizens: Command = async (words, config, writeLine) => {
  if (words.length !== 1 || words[0] !== 'rebuild') throw new CommandProblem(`Unknown command: citizens ${words.join(' ')}`)
  return withDatabase(
    config,
    async (database, signal) => {
      const from = performance.now()
      await commandTrail(database)({ action: 'citizens.rebuild' })
      const sources = { database, outcomes: citizenOutcomes(database), outcomeDays: config.verification.outcomeRetentionDays }
      const onProgress = throttled((done: number) => writeLine(`read ${done} citizens and verifications`))
      const done = await rebuildRegister(sources, { signal, onProgress })
      writeLine(`read ${done} citizens and verifications in ${((performance.now() - from) / 1000).toFixed(1)} s`)
      return 0
    },
    'the register stays complete; run the command again to recompute the rest',
  )
}
