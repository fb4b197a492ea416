import type { Announcer, EventFeed } from '../../engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../engines/event-feed/relay-event-feed.ts'
import type { Database } from '../../engines/relational/database.ts'
import { keyProblems } from '../../engines/relational/processes/key-agreement.ts'
import type { Config } from '../../foundation/config/config.ts'
import { compose, type Part, pause } from '../../foundation/lifecycle.ts'
import { createLog, silentLog } from '../../foundation/log.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { openRelational, type Relational } from '../engines/relational.ts'
import { heldKeys } from '../process/keys/keys.ts'
import { onStopSignal } from '../process/signals.ts'
import { Interrupted, interruptedCode } from './command.ts'

const startLimitMs = 60_000
/** how long interrupted work may take to end, ms */
const closeLimitMs = 30_000

/**
 * Opens the platform's database, embedded or not, for `work`. The first SIGINT or SIGTERM aborts the signal of the work and closes the database, so
 * that an embedded one does not stay without users; the second ends the process immediately.
 * @param remainder - what an interruption leaves, for the operator
 * @throws {Interrupted}
 * @throws {Error} if a key of the settings is not the one that wrote the data
 */
export const withDatabase = <Result>(
  config: Config,
  work: (database: Database, interrupted: AbortSignal) => Promise<Result>,
  remainder = 'completed steps stay',
): Promise<Result> =>
  joined(
    config,
    ({ parts }) => parts,
    async ({ database }, interrupted) => {
      const problems = await keyProblems(database.orm, heldKeys(config), [])
      if (problems.length > 0) throw new Error(problems.join('\n'))
      return work(database, interrupted)
    },
    remainder,
  )

/** As `withDatabase`, without checking or migrating the schema. */
export const withAnySchema = <Result>(
  config: Config,
  work: (relational: Relational, interrupted: AbortSignal) => Promise<Result>,
  remainder: string,
): Promise<Result> => joined(config, ({ connection }) => connection, work, remainder)

async function joined<Result>(
  config: Config,
  partsOf: (relational: Relational) => readonly Part[],
  work: (relational: Relational, interrupted: AbortSignal) => Promise<Result>,
  remainder: string,
): Promise<Result> {
  const interrupted = new AbortController()
  const { signal } = interrupted
  const stopListening = onStopSignal(() => {
    if (signal.aborted) process.exit(interruptedCode)
    interrupted.abort(new Interrupted(`Interrupted; ${remainder}`))
  })
  const relational = openRelational({ ...config, database: { ...config.database, poolSize: 2 } }, createLog('warn'), clientName('command'))
  const parts = compose('command', partsOf(relational))
  try {
    await parts.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })).then(() => pause(closeLimitMs))
    return await Promise.race([work(relational, signal), stopped.then(() => Promise.reject(signal.reason))])
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    await parts.stop()
    stopListening()
  }
}

/** Returns an event feed for commands that append events. It is never started and announces nothing; followers poll every second. */
export const unannouncedFeed = (database: Database): EventFeed & Announcer =>
  relayEventFeed({ database, connection: { kind: 'postgres', url: () => '' }, log: silentLog })
