import { relayEventFeed } from '../../subgraphs/engines/event-feed/relay-event-feed.ts'
import { checkRollUps, rebuildRollUps } from '../../subgraphs/exploration/index.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import { createLog } from '../../subgraphs/foundation/log.ts'
import { CommandProblem, withDatabase } from './command-database.ts'
import { seldom } from './throttled.ts'

/** `rollups …`: what exploration counts, beside a running platform or without one. @returns the exit code */
export async function manageRollUps(words: readonly string[], config: Config, say: (line: string) => unknown): Promise<number> {
  const [verb] = words
  if (words.length !== 1 || (verb !== 'check' && verb !== 'rebuild'))
    throw new CommandProblem(`There is no command rollups ${words.join(' ')}`)
  return withDatabase(
    config,
    async (database, signal) => {
      const from = performance.now()
      const seconds = (): string => ((performance.now() - from) / 1000).toFixed(1)
      const onProgress = seldom((done: number) => say(`${verb === 'check' ? 'compared' : 'counted'} ${done}`))
      if (verb === 'check') {
        const { compared, pending, differing, zooms, domains } = await checkRollUps(database, { signal, onProgress })
        say(
          `compared ${compared} in ${seconds()} s: ${differing} counted otherwise than they are, ${pending} not counted yet; ` +
            `zooms that do not add up: ${zooms.join(', ') || 'none'}; domains: ${domains.join(', ') || 'none'}`,
        )
        return differing + zooms.length + domains.length > 0 ? 1 : 0
      }
      // whoever follows is told a second later, by looking
      const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => '' }, log: createLog('error') })
      const done = await rebuildRollUps({ database, feed }, { timezone: config.timezone, signal, onProgress })
      say(`counted ${done} anew in ${seconds()} s; what came in meanwhile is counted by the worker`)
      return 0
    },
    'what was counted before goes on',
  )
}
