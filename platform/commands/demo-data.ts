import { postgresAnalyticsStore } from '../../engines/analytics-store/postgres-analytics-store.ts'
import { postgresTreeStore } from '../../engines/tree-store/postgres/postgres-tree-store.ts'
import { removeDelegations } from '../../subgraphs/administration/commands/delegation-upkeep.ts'
import { demonstrationDelegations } from '../demonstration/delegations.ts'
import { removeDemonstrationData } from '../demonstration/expressions.ts'
import { demonstrationTenant } from '../demonstration/magazine.ts'
import { removeDemonstrationTree } from '../demonstration/placeholder-tree.ts'
import { type Command, CommandProblem } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { unannouncedFeed, withDatabase } from './database.ts'

const removalMs = 30_000

/** `demo-data remove`: deletes the demonstration's expressions, magazine and delegations permanently. */
export const manageDemonstrationData: Command = async (words, config, writeLine) => {
  if (words.length !== 1 || words[0] !== 'remove') throw new CommandProblem(`Unknown command: demo-data ${words.join(' ')}`)
  await withDatabase(config, async (database, interrupted) => {
    await commandTrail(database)({ action: 'demonstration.remove' })
    const store = postgresAnalyticsStore({ database, feed: unannouncedFeed(database) })
    writeLine(`${await removeDemonstrationData(store, config.dataDir)} demonstration expressions removed with their votes`)
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(removalMs)])
    const nodes = await removeDemonstrationTree(postgresTreeStore(database), demonstrationTenant, signal)
    writeLine(nodes === 0 ? 'no demonstration magazine; your own tree is unchanged' : `demonstration magazine removed, ${nodes} texts`)
    writeLine(`${await removeDelegations(database, demonstrationDelegations.source)} demonstration delegations removed`)
  })
  return 0
}
