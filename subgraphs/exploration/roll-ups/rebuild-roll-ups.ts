import { analyticsTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { fenced } from '../../../engines/relational/leadership/lease.ts'
import { oneAtATime } from '../../../engines/relational/leadership/one-at-a-time.ts'
import { rollUp } from '../tables.ts'
import { applyChanges } from './apply-changes.ts'
import { explorationTopic, follower, type RollUpEngines, rolledTaxonomy, rollUpFormat } from './roll-up-state.ts'

const builder = 'exploration rebuild'

/** Within the transaction, table names refer to the new tables. Functions of the schema create them, since a worker may lack the right. */
const inNewTables = (tx: Transaction) => tx.execute(sql`set local search_path to rebuilding, public`)

export interface Rebuilding {
  /** IANA name of the time zone that defines days */
  readonly timezone: string
  readonly signal: AbortSignal
  /** called with the number of expressions counted */
  readonly onProgress?: (done: number) => void
  /** expressions per transaction */
  readonly batch?: number
}

/**
 * Counts all expressions in new tables, then replaces the current ones at once. Changes meanwhile are counted afterwards from the change
 * log.
 * @returns the number of expressions counted  @throws {Fault} CONFLICT when another process is rebuilding
 */
export function rebuildRollUps(engines: RollUpEngines, rebuilding: Rebuilding): Promise<number> {
  return oneAtATime(engines.database, 'roll-up rebuild', 'The roll-ups are already being built', (lease) =>
    build({ ...engines, database: fenced(engines.database, lease) }, rebuilding),
  )
}

async function build(
  engines: RollUpEngines,
  { timezone, signal, onProgress = () => undefined, batch = 20_000 }: Rebuilding,
): Promise<number> {
  const { database, feed, expressions } = engines
  const from = await feed.position(analyticsTopic, signal)
  await prepare(engines, from)
  let done = 0
  try {
    // neighbours together, so that most cells are written once or twice
    for await (const ids of expressions.idsByPlace(database.orm, batch)) {
      signal.throwIfAborted()
      await database.transaction(async (tx) => {
        await inNewTables(tx)
        await applyChanges(tx, expressions, ids, timezone)
      })
      done += ids.length
      onProgress(done)
    }
    await putInPlace(engines, from, timezone)
  } finally {
    await forget(engines)
  }
  return done
}

const everythingChanged = [
  { kind: 'statistics_changed', id: '' },
  { kind: 'domains_changed', id: '' },
  { kind: 'map_invalidated', id: '0/0/0' },
]

/** @param from - events after this position are retained until the new tables replace the current ones */
async function prepare(engines: RollUpEngines, from: number): Promise<void> {
  const { database, feed } = engines
  await forget(engines)
  await database.transaction(async (tx) => {
    await tx.execute(sql`select begin_roll_up_rebuild()`)
    await feed.advance(tx, builder, analyticsTopic, from)
  })
}

/** Removes the remains of an interrupted rebuild. */
async function forget({ database, feed }: RollUpEngines): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`select forget_roll_up_rebuild()`)
    await feed.forgetCursor(tx, builder, analyticsTopic)
  })
}

async function putInPlace({ database, feed, expressions }: RollUpEngines, from: number, timezone: string): Promise<void> {
  const position = await database.transaction(async (tx) => {
    const [before] = await tx.select({ generation: rollUp.generation }).from(rollUp).for('update')
    await tx.execute(sql`select end_roll_up_rebuild()`)
    const taxonomy = rolledTaxonomy(await expressions.taxonomy(tx))
    const state = { generation: (before?.generation ?? 0) + 1, position: from, version: from, timezone, format: rollUpFormat, ...taxonomy }
    const values = { ...state, changedAt: sql`clock_timestamp()` }
    await tx.insert(rollUp).values(values).onConflictDoUpdate({ target: rollUp.isOnly, set: values })
    // a cursor of the log never moves back by itself; events from here on are retained until they are counted
    await feed.forgetCursor(tx, follower, analyticsTopic)
    await feed.advance(tx, follower, analyticsTopic, from)
    return feed.append(tx, explorationTopic, everythingChanged)
  })
  feed.announce(explorationTopic, position)
}
