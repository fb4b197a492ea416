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
  async changesOfVotes(on, votes, counted) {
    if (votes.length === 0) return new Map()
    const wanted = JSON.stringify(votes.map(({ expressionId, voter }) => ({ id: expressionId, voter })))
    const { rows } = await on.execute<Row<VoteChange>>(sql`
      select r.id, r.voter, c.value as from, v.value as to, c.verified as "wasVerified", v.verified as "isVerified"
      from jsonb_to_recordset(${wanted}::jsonb) as r(id uuid, voter text)
      left join ${vote} v on v.expression_id = r.id and v.voter = decode(r.voter, 'hex')
      left join ${counted} c on c.expression_id = r.id and c.voter = decode(r.voter, 'hex')
      where (v.value, v.verified) is distinct from (c.value, c.verified)`)
    return Map.groupBy(rows, ({ id }) => id)
  },
  async idsAfter(on, after, limit) {
    const above = after === undefined ? sql`` : sql`and id > ${after}`
    return idsOf(on, sql`select id from ${expression} where withdrawn_at is null ${above} order by id limit ${limit}`)
  },
  countable: (timezone) => sql`
    select id, domain, sub_domain, sentiment, lang, to_char(created_at at time zone ${timezone}, 'YYYYMMDD')::int as day, created_at, lat, lon, author
    from ${expression} where withdrawn_at is null`,
  countableVotes: () => sql`select expression_id, voter, value, verified from ${vote}`,
  taxonomy: readTaxonomy,
}

async function idsOf(on: Queryable, statement: ReturnType<typeof sql>): Promise<readonly string[]> {
  const { rows } = await on.execute<{ id: string }>(statement)
  return rows.map(({ id }) => id)
}
