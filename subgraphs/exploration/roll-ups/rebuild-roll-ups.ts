import { analyticsTopic } from '../../engines/analytics-store/analytics-store.ts'
import { expression } from '../../engines/analytics-store/tables.ts'
import { eventCursor } from '../../engines/event-feed/tables.ts'
import type { Database, Transaction } from '../../engines/relational/database.ts'
import { and, eq, sql } from '../../engines/relational/drizzle.ts'
import { oneAtATime } from '../../engines/relational/one-at-a-time.ts'
import { participant, participantCount, rollUp, rollUpCell, rollUpExpression, rollUpKey, rollUpVote } from '../tables.ts'
import { applyChanges } from './apply-changes.ts'
import type { RollUpEngines } from './follow-changes.ts'
import { explorationTopic, follower, readDomains } from './roll-up-state.ts'

/** a number of ours for pg_try_advisory_lock: one building at a time */
const buildLock = 7_310_002
const builder = 'exploration rebuild'
const beside = sql.raw('rebuilding')
const counted = [rollUpKey, rollUpExpression, rollUpCell, rollUpVote, participant, participantCount]
const nobody = '00000000-0000-0000-0000-000000000000'

/** Within the transaction the tables of the roll-ups are the new ones, beside those that answer. */
const inNewTables = (tx: Transaction) => tx.execute(sql`set local search_path to ${beside}, public`)

/**
 * Counts everything anew beside the roll-ups that answer, and puts the new ones in their place at once. What changes meanwhile is counted
 * afterwards, by whoever follows the change log.
 * @param timezone - whose days are counted   @param onProgress - with the expressions counted so far
 * @throws {Fault} CONFLICT when somebody else is at it
 */
export async function rebuildRollUps(
  engines: Omit<RollUpEngines, 'log'>,
  options: {
    readonly timezone: string
    readonly signal: AbortSignal
    readonly onProgress?: (done: number) => void
    readonly batch?: number
  },
): Promise<number> {
  return oneAtATime(engines.database, buildLock, 'The roll-ups are being built already', () => build(engines, options))
}

async function build(
  { database, feed }: Omit<RollUpEngines, 'log'>,
  {
    timezone,
    signal,
    onProgress = () => undefined,
    batch = 20_000,
  }: { readonly timezone: string; readonly signal: AbortSignal; readonly onProgress?: (done: number) => void; readonly batch?: number },
): Promise<number> {
  const from = await feed.position(analyticsTopic, signal)
  await prepare(database, (tx) => feed.advance(tx, builder, analyticsTopic, from))
  let done = 0
  try {
    for await (const ids of idsByPlace(database, batch)) {
      signal.throwIfAborted()
      await database.transaction(async (tx) => {
        await inNewTables(tx)
        await applyChanges(tx, ids, timezone)
      })
      done += ids.length
      onProgress(done)
    }
    await putInPlace(database, { from, timezone, append: (tx) => feed.append(tx, explorationTopic, everythingChanged), feed })
  } finally {
    await forget(database)
  }
  return done
}

const everythingChanged = [
  { kind: 'statistics_changed', id: '' },
  { kind: 'domains_changed', id: '' },
  { kind: 'map_invalidated', id: '0/0/0' },
]

interface Place extends Record<string, unknown> {
  readonly id: string
  readonly lat: number
  readonly lon: number
}

/** Neighbours together, so that most cells are written once or twice; then those without a position. */
async function* idsByPlace(database: Database, limit: number): AsyncGenerator<readonly string[]> {
  let place: Place | undefined = { lat: -91, lon: 0, id: nobody }
  while (place !== undefined) {
    const rows: readonly Place[] = await locatedAfter(database, place, limit)
    if (rows.length > 0) yield rows.map((row) => row.id)
    place = rows.length < limit ? undefined : rows.at(-1)
  }
  let last: string | undefined = nobody
  while (last !== undefined) {
    const ids: readonly string[] = await unlocatedAfter(database, last, limit)
    if (ids.length > 0) yield ids
    last = ids.length < limit ? undefined : ids.at(-1)
  }
}

async function locatedAfter(database: Database, { lat, lon, id }: Place, limit: number): Promise<readonly Place[]> {
  const { rows } = await database.orm.execute<Place>(sql`
    select id, lat, lon from ${expression}
    where lat is not null and withdrawn_at is null and (lat, lon) >= (${lat}::float8, ${lon}::float8)
      and (lat, lon, id) > (${lat}::float8, ${lon}::float8, ${id}::uuid)
    order by lat, lon, id limit ${limit}`)
  return rows
}

async function unlocatedAfter(database: Database, id: string, limit: number): Promise<readonly string[]> {
  const { rows } = await database.orm.execute<{ id: string }>(
    sql`select id from ${expression} where id > ${id} and lat is null and withdrawn_at is null order by id limit ${limit}`,
  )
  return rows.map((row) => row.id)
}

async function prepare(database: Database, hold: (tx: Transaction) => Promise<void>): Promise<void> {
  await forget(database)
  await database.transaction(async (tx) => {
    await tx.execute(sql`create schema ${beside}`)
    for (const table of counted) await tx.execute(sql`create table ${beside}.${table} (like public.${table} including all)`)
    await hold(tx)
  })
}

/** What a building that was cut off has left. */
async function forget(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`drop schema if exists ${beside} cascade`)
    await tx.delete(eventCursor).where(and(eq(eventCursor.follower, builder), eq(eventCursor.topic, analyticsTopic)))
  })
}

async function putInPlace(
  database: Database,
  {
    from,
    timezone,
    append,
    feed,
  }: {
    readonly from: number
    readonly timezone: string
    readonly append: (tx: Transaction) => Promise<number>
    readonly feed: RollUpEngines['feed']
  },
): Promise<void> {
  const position = await database.transaction(async (tx) => {
    const [before] = await tx.select({ generation: rollUp.generation }).from(rollUp).for('update')
    for (const table of counted) {
      await tx.execute(sql`drop table public.${table}`)
      await tx.execute(sql`alter table ${beside}.${table} set schema public`)
    }
    const state = { generation: (before?.generation ?? 0) + 1, position: from, version: from, timezone, taxonomy: await readDomains(tx) }
    const values = { ...state, changedAt: sql`clock_timestamp()` }
    await tx.insert(rollUp).values(values).onConflictDoUpdate({ target: rollUp.isOnly, set: values })
    // the cursor of the log never goes back; events from here on are kept until they are counted
    await tx.delete(eventCursor).where(and(eq(eventCursor.follower, follower), eq(eventCursor.topic, analyticsTopic)))
    await feed.advance(tx, follower, analyticsTopic, from)
    return append(tx)
  })
  feed.announce(explorationTopic, position)
}
