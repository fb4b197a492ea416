import { analyticsTopic, votesTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { CountableExpressions } from '../../../engines/analytics-store/countable-expressions.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { fenced } from '../../../engines/relational/leadership/lease.ts'
import { oneAtATime } from '../../../engines/relational/leadership/one-at-a-time.ts'
import { clientOf } from '../../../engines/relational/session.ts'
import { placeOfPosition } from '../geometry/world-grid.ts'
import { rollUp, rollUpExpression, rollUpKey, rollUpVote } from '../tables.ts'
import { buildCells, runLong } from './build-cells.ts'
import { anyDomain } from './participant-changes.ts'
import {
  follower,
  lockState,
  type RollUpEngines,
  type RollUpState,
  rolledTaxonomy,
  rollUpFormat,
  statisticsTopic,
} from './roll-up-state.ts'

const builder = 'exploration rebuild'

/** Within the transaction, table names refer to the new tables. Functions of the schema create them, since a worker may lack the right. */
const inNewTables = (tx: Transaction) => tx.execute(sql`set local search_path to rebuilding, public`)

export interface RebuildOptions {
  /** IANA name of the time zone that defines days */
  readonly timezone: string
  readonly signal: AbortSignal
  /** called with the number of expressions counted */
  readonly onProgress?: (done: number) => void
  /** expressions loaded by a transaction */
  readonly batch?: number
}

/**
 * Counts all expressions in new tables, then replaces the current ones at once. Changes meanwhile are counted afterwards from the change
 * log.
 * @returns the number of expressions counted  @throws {Fault} CONFLICT when another process is rebuilding
 */
export function rebuildRollUps(engines: RollUpEngines, rebuilding: RebuildOptions): Promise<number> {
  return oneAtATime(engines.database, 'roll-up rebuild', 'The roll-ups are already being built', (lease) =>
    build({ ...engines, database: fenced(engines.database, lease) }, rebuilding),
  )
}

async function build(
  engines: RollUpEngines,
  { timezone, signal, onProgress = () => undefined, batch = 20_000 }: RebuildOptions,
): Promise<number> {
  const { database, feed, expressions } = engines
  const from = { position: await feed.position(analyticsTopic, signal), votesPosition: await feed.position(votesTopic, signal) }
  await prepare(engines, from)
  let done = 0
  try {
    for (let last: string | undefined; ; ) {
      signal.throwIfAborted()
      const ids: readonly string[] = await expressions.idsAfter(database.orm, last, batch)
      if (ids.length > 0) await database.transaction((tx) => loadExpressions(tx, expressions, ids, timezone))
      done += ids.length
      onProgress(done)
      if (ids.length < batch) break
      last = ids.at(-1)
    }
    await database.transaction((tx) => countParticipants(tx))
    await database.transaction(async (tx) => {
      await inNewTables(tx)
      await tx.execute(sql`select unindex_roll_up_cells()`)
      await buildCells(clientOf(tx), signal)
    })
    await database.transaction((tx) => runLong(clientOf(tx), 'select index_roll_up_cells()'))
    await putInPlace(engines, from, timezone)
  } finally {
    await forget(engines)
  }
  return done
}

/** Copies expressions in their current state, with their votes. One that changes meanwhile is left out: the change log counts it. */
async function loadExpressions(
  tx: Transaction,
  expressions: CountableExpressions,
  ids: readonly string[],
  timezone: string,
): Promise<void> {
  await inNewTables(tx)
  // new tables have no statistics: the planner would expect few rows
  await tx.execute(sql`set local enable_nestloop = off`)
  const among = sql`any(${sql.param([...ids])}::uuid[])`
  const wanted = sql`(${expressions.countable(timezone)}) e`
  await tx.execute(sql`
    insert into ${rollUpKey} (id, domain, sub_domain, sentiment, lang)
    select coalesce((select max(id) from ${rollUpKey}), 0) + row_number() over (order by domain, sub_domain, sentiment, lang), added.*
    from (
      select domain, sub_domain, sentiment, lang from ${wanted} where id = ${among}
      except select domain, sub_domain, sentiment, lang from ${rollUpKey}
    ) added`)
  const { rows } = await tx.execute<{ lat: number; lon: number }>(
    sql`select distinct lat, lon from ${wanted} where id = ${among} and lat is not null`,
  )
  // computed here as for every change: the functions of the database may round otherwise
  const places = rows.map((position) => ({ ...position, place: placeOfPosition(position) }))
  await tx.execute(sql`
    with located as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as r(lat float8, lon float8, place bigint)
    ), loaded as materialized (
      select e.id, k.id as key, e.day, e.created_at, e.lat, e.lon, l.place, e.author
      from ${wanted} join ${rollUpKey} k on k.lang = e.lang and coalesce(k.domain, '') = coalesce(e.domain, '')
        and coalesce(k.sub_domain, '') = coalesce(e.sub_domain, '') and coalesce(k.sentiment, '') = coalesce(e.sentiment, '')
      left join located l on l.lat = e.lat and l.lon = e.lon
      where e.id = ${among} and (e.lat is null or l.place is not null)
    ), votes as (
      insert into ${rollUpVote} (expression_id, voter, value, verified)
      select v.expression_id, v.voter, v.value, v.verified from (${expressions.countableVotes()}) v join loaded on loaded.id = v.expression_id
      where v.expression_id = ${among}
      returning expression_id as id, value, verified
    ), sums as (
      select id, count(*) filter (where verified and value = 'agree') as agree, count(*) filter (where verified and value = 'disagree') as disagree,
        count(*) filter (where verified and value = 'pass') as pass, count(*) filter (where not verified and value = 'agree') as unverified_agree,
        count(*) filter (where not verified and value = 'disagree') as unverified_disagree,
        count(*) filter (where not verified and value = 'pass') as unverified_pass
      from votes group by id
    )
    insert into ${rollUpExpression} (id, key, day, created_at, lat, lon, place, author, agree, disagree, pass, unverified_agree,
      unverified_disagree, unverified_pass)
    select e.id, e.key, e.day, e.created_at, e.lat, e.lon, e.place, e.author, coalesce(s.agree, 0), coalesce(s.disagree, 0),
      coalesce(s.pass, 0), coalesce(s.unverified_agree, 0), coalesce(s.unverified_disagree, 0), coalesce(s.unverified_pass, 0)
    from loaded e left join sums s using (id)`)
}

/** Counts authors and verified voters in the scopes of `scopesOf`, and removes keys without expressions. */
async function countParticipants(tx: Transaction): Promise<void> {
  await inNewTables(tx)
  const client = clientOf(tx)
  await tx.execute(sql`set local enable_nestloop = off`)
  await runLong(
    client,
    `insert into participant (domain, hmac, uses)
    select scope, hmac, count(*) from (
      select key, author as hmac from roll_up_expression where author is not null
      union all
      select e.key, v.voter from roll_up_vote v join roll_up_expression e on e.id = v.expression_id where v.verified
    ) person
    join (
      select distinct id, scope from roll_up_key cross join lateral unnest(array['${anyDomain}', domain, sub_domain]) scope where scope is not null
    ) scopes on scopes.id = person.key
    group by scope, hmac order by scope, hmac`,
  )
  await runLong(client, 'insert into participant_count (domain, count) select domain, count(*) from participant group by domain')
  await runLong(client, 'delete from roll_up_key k where not exists (select from roll_up_expression e where e.key = k.id)')
}

const everythingChanged = [
  { kind: 'statistics_changed', id: '' },
  { kind: 'domains_changed', id: '' },
  { kind: 'map_invalidated', id: '0/0/0' },
]

type Positions = Pick<RollUpState, 'position' | 'votesPosition'>

/** @param from - events after these positions are retained until the new tables replace the current ones */
async function prepare(engines: RollUpEngines, from: Positions): Promise<void> {
  const { database, feed } = engines
  await forget(engines)
  await database.transaction(async (tx) => {
    await tx.execute(sql`select begin_roll_up_rebuild()`)
    // keys keep their numbers
    await tx.execute(sql`insert into rebuilding.roll_up_key select * from public.roll_up_key`)
    await feed.advance(tx, builder, analyticsTopic, from.position)
    await feed.advance(tx, builder, votesTopic, from.votesPosition)
  })
}

/** Removes the remains of an interrupted rebuild. */
async function forget({ database, feed }: RollUpEngines): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`select forget_roll_up_rebuild()`)
    for (const topic of [analyticsTopic, votesTopic]) await feed.forgetCursor(tx, builder, topic)
  })
}

async function putInPlace({ database, feed, expressions }: RollUpEngines, from: Positions, timezone: string): Promise<void> {
  const position = await database.transaction(async (tx) => {
    const before = await lockState(tx)
    await tx.execute(sql`select end_roll_up_rebuild()`)
    const taxonomy = rolledTaxonomy(await expressions.taxonomy(tx))
    // a cursor of the log never moves back by itself; events from here on are retained until they are counted
    for (const topic of [analyticsTopic, votesTopic]) await feed.forgetCursor(tx, follower, topic)
    await feed.advance(tx, follower, analyticsTopic, from.position)
    await feed.advance(tx, follower, votesTopic, from.votesPosition)
    const version = await feed.append(tx, statisticsTopic, everythingChanged, before?.version)
    const state = { generation: (before?.generation ?? 0) + 1, ...from, version, timezone, format: rollUpFormat, ...taxonomy }
    const values = { ...state, changedAt: sql`clock_timestamp()` }
    await tx.insert(rollUp).values(values).onConflictDoUpdate({ target: rollUp.isOnly, set: values })
    return version
  })
  feed.announce(statisticsTopic, position)
}
