import { outboxQueue } from '../../engines/message-queue/outbox-queue.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { Config } from '../../foundation/config/config.ts'
import { createLog } from '../../foundation/log.ts'
import { searchIndexUpkeep } from '../../subgraphs/classification/commands/search-index-upkeep.ts'
import { indexGeneration } from '../../subgraphs/classification/index.ts'
import { expressionsQueue } from '../engines/awaited-database.ts'
import { encoderName } from '../engines/classification-engines.ts'
import { searchIndices } from '../engines/search-indices.ts'
import { type Command, CommandProblem, throttled, type WriteLine } from './command.ts'
import { unannouncedFeed, withDatabase } from './database.ts'

const startLimitMs = 10_000

/** `search …`: manages the search index, with or without a running platform. @returns the exit code */
export const manageSearch: Command = async (words, config, writeLine) => {
  const [verb] = words
  if (words.length === 1 && verb === 'prune') return await prune(config, writeLine)
  if (words.length !== 1 || (verb !== 'check' && verb !== 'rebuild')) throw new CommandProblem(`Unknown command: search ${words.join(' ')}`)
  const differing = await withDatabase(
    config,
    (database, interrupted) => upkeep(verb, database, interrupted, config, writeLine),
    'the old index stays in use',
  )
  return verb === 'check' && differing > 0 ? 1 : 0
}

async function prune(config: Config, writeLine: WriteLine): Promise<number> {
  const index = await searchIndices(config, createLog('error'))(indexGeneration(encoderName(config)))
  try {
    const removed = await index.prune()
    for (const name of removed) writeLine(`removed ${name}`)
    writeLine(`${removed.length} indices of other versions or models removed; search index on ${index.engine}`)
    return 0
  } finally {
    await index.stop()
  }
}

async function upkeep(
  verb: 'check' | 'rebuild',
  database: Database,
  signal: AbortSignal,
  config: Config,
  writeLine: WriteLine,
): Promise<number> {
  const log = createLog('error')
  const index = await searchIndices(config, log)(indexGeneration(encoderName(config)))
  await index.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
  try {
    const { check, rebuild, total } = await searchIndexUpkeep({
      database,
      feed: unannouncedFeed(database),
      index,
      model: encoderName(config),
      queue: outboxQueue({ name: expressionsQueue, database, announcer: unannouncedFeed(database) }),
      signal,
    })
    writeLine(`${total} expressions in the analytics database, search index on ${index.engine}`)
    const from = performance.now()
    const { compared, missing, stale, extra } = await (verb === 'check' ? check : rebuild)(
      throttled((what: string, done: number) => writeLine(`${what} ${done} of ${total}`)),
    )
    const seconds = ((performance.now() - from) / 1000).toFixed(1)
    const drift = `${missing} missing, ${stale} stale, ${extra} extra`
    if (verb === 'check') writeLine(`compared ${compared} in ${seconds} s: ${drift}`)
    else writeLine(`rebuilt in ${seconds} s; ${compared} expressions; corrected what arrived meanwhile (${drift})`)
    return missing + stale + extra
  } finally {
    await index.stop()
  }
}
