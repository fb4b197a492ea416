import type { Queryable } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import type { CountableExpression, CountableExpressions, VoteChange } from './countable-expressions.ts'
import { readTaxonomy } from './postgres-taxonomy.ts'
import { expression, vote } from './tables.ts'

const among = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

type Row<Members> = Members & Record<string, unknown> & { readonly id: string }

/** Reads the tables of the analytics store on the connection of the transaction. */
export const postgresCountableExpressions: CountableExpressions = {
  async find(on, ids, timezone) {
    const { rows } = await on.execute<Row<CountableExpression>>(sql`
      select id, domain, sub_domain as "subDomain", sentiment, lang, lat, lon, encode(author, 'hex') as author,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(created_at at time zone ${timezone}, 'YYYYMMDD')::int as day
      from ${expression} where id = ${among(ids)} and withdrawn_at is null`)
    return new Map(rows.map(({ id, ...members }) => [id, members]))
  },
  async voteChanges(on, ids, counted) {
    const { rows } = await on.execute<Row<VoteChange>>(sql`
      select id, encode(voter, 'hex') as voter, c.value as from, v.value as to, c.verified as "wasVerified", v.verified as "isVerified"
      from (select expression_id as id, voter, value, verified from ${vote} where expression_id = ${among(ids)}) v
      full join (select expression_id as id, voter, value, verified from ${counted} where expression_id = ${among(ids)}) c using (id, voter)
      where (v.value, v.verified) is distinct from (c.value, c.verified)`)
    return Map.groupBy(rows, ({ id }) => id)
  },
  async idsAfter(on, after, limit) {
    const above = after === undefined ? sql`` : sql`and id > ${after}`
    return idsOf(on, sql`select id from ${expression} where withdrawn_at is null ${above} order by id limit ${limit}`)
  },
  async *idsByPlace(on, limit) {
    for (let place: Place | undefined = { lat: -91, lon: 0, id: nilUuid }; place !== undefined; ) {
      const rows: readonly Place[] = await locatedAfter(on, place, limit)
      if (rows.length > 0) yield rows.map(({ id }) => id)
      place = rows.length < limit ? undefined : rows.at(-1)
    }
    for (let last: string | undefined = nilUuid; last !== undefined; ) {
      const ids: readonly string[] = await unlocatedAfter(on, last, limit)
      if (ids.length > 0) yield ids
      last = ids.length < limit ? undefined : ids.at(-1)
    }
  },
  taxonomy: readTaxonomy,
}

const nilUuid = '00000000-0000-0000-0000-000000000000'

interface Place extends Record<string, unknown> {
  readonly id: string
  readonly lat: number
  readonly lon: number
}

async function locatedAfter(on: Queryable, { lat, lon, id }: Place, limit: number): Promise<readonly Place[]> {
  const { rows } = await on.execute<Place>(sql`
    select id, lat, lon from ${expression}
    where lat is not null and withdrawn_at is null and (lat, lon) >= (${lat}::float8, ${lon}::float8)
      and (lat, lon, id) > (${lat}::float8, ${lon}::float8, ${id}::uuid)
    order by lat, lon, id limit ${limit}`)
  return rows
}

const unlocatedAfter = (on: Queryable, id: string, limit: number): Promise<readonly string[]> =>
  idsOf(on, sql`select id from ${expression} where id > ${id} and lat is null and withdrawn_at is null order by id limit ${limit}`)

async function idsOf(on: Queryable, statement: ReturnType<typeof sql>): Promise<readonly string[]> {
  const { rows } = await on.execute<{ id: string }>(statement)
  return rows.map(({ id }) => id)
}
