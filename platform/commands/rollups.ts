import { rollUpUpkeep } from '../../subgraphs/exploration/commands/roll-up-upkeep.ts'
import { type Command, CommandProblem, throttled } from './command.ts'
import { unannouncedFeed, withDatabase } from './database.ts'

/** `rollups …`: checks or rebuilds the counts of exploration, with or without a running platform. @returns the exit code */
export const manageRollUps: Command = async (words, config, writeLine) => {
  const [verb] = words
  if (words.length !== 1 || (verb !== 'check' && verb !== 'rebuild'))
    throw new CommandProblem(`Unknown command: rollups ${words.join(' ')}`)
  return withDatabase(
    config,
    async (database, signal) => {
      const from = performance.now()
      const seconds = (): string => ((performance.now() - from) / 1000).toFixed(1)
      const onProgress = throttled((done: number) => writeLine(`${verb === 'check' ? 'compared' : 'counted'} ${done}`))
      const upkeep = rollUpUpkeep({ database, feed: unannouncedFeed(database) }, { timezone: config.timezone, signal })
      if (verb === 'check') {
        const { compared, pending, differing, zooms, domains } = await upkeep.check(onProgress)
        writeLine(
          `compared ${compared} in ${seconds()} s: ${differing} counted wrongly, ${pending} not counted yet; ` +
            `zooms that do not add up: ${zooms.join(', ') || 'none'}; domains: ${domains.join(', ') || 'none'}`,
        )
        return differing + zooms.length + domains.length > 0 ? 1 : 0
      }
      const done = await upkeep.rebuild(onProgress)
      writeLine(`counted ${done} again in ${seconds()} s; the worker counts what arrived meanwhile`)
      return 0
    },
    'the old counts stay in use',
  )
}
