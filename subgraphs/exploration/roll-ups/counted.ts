import type { VoteValue } from '../../engines/analytics-store/analytics-store.ts'
import { expression, vote } from '../../engines/analytics-store/tables.ts'
import type { Transaction } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'
import { rollUpExpression, rollUpVote } from '../tables.ts'
import type { Countable } from './cell-changes.ts'
import type { KeyMembers } from './roll-up-keys.ts'

/** An expression as the roll-ups count it. */
export interface Counted extends Countable {
  /** RFC 3339 */
  readonly createdAt: string
  /** HMAC in hex */
  readonly author: string | null
}

/** An expression as it is now, without its votes. */
export interface CurrentExpression extends KeyMembers {
  readonly day: number
  readonly createdAt: string
  readonly lat: number | null
  readonly lon: number | null
  readonly author: string | null
}

/** A vote that is counted in another way than it is cast; null: not counted, not cast. */
export interface VoteChange {
  readonly voter: string
  readonly from: VoteValue | null
  readonly to: VoteValue | null
}

const moment = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const among = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

type Row<Members> = Members & Record<string, unknown> & { readonly id: string }

export async function readCounted(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Counted>> {
  const { rows } = await tx.execute<Row<Counted>>(sql`
    select id, key, day, ${moment('created_at')} as "createdAt", lat, lon, encode(author, 'hex') as author, agree, disagree, pass
    from ${rollUpExpression} where id = ${among(ids)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Those that exist and were not withdrawn. */
export async function readCurrent(
  tx: Transaction,
  ids: readonly string[],
  timezone: string,
): Promise<ReadonlyMap<string, CurrentExpression>> {
  const { rows } = await tx.execute<Row<CurrentExpression>>(sql`
    select id, domain, sub_domain as "subDomain", sentiment, lang, lat, lon, encode(author, 'hex') as author,
      ${moment('created_at')} as "createdAt", to_char(created_at at time zone ${timezone}, 'YYYYMMDD')::int as day
    from ${expression} where id = ${among(ids)} and withdrawn_at is null`)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function readVoteChanges(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, readonly VoteChange[]>> {
  const { rows } = await tx.execute<Row<VoteChange>>(sql`
    select id, encode(voter, 'hex') as voter, c.value as from, v.value as to
    from (select expression_id as id, voter, value from ${vote} where expression_id = ${among(ids)}) v
    full join (select expression_id as id, voter, value from ${rollUpVote} where expression_id = ${among(ids)}) c using (id, voter)
    where v.value is distinct from c.value`)
  return grouped(rows, (row) => row)
}

/** Whose votes are counted, in hex. */
export async function readVoters(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.execute<Row<{ readonly voter: string }>>(sql`
    select expression_id as id, encode(voter, 'hex') as voter from ${rollUpVote} where expression_id = ${among(ids)}`)
  return grouped(rows, ({ voter }) => voter)
}

function grouped<Each extends { readonly id: string }, Value>(rows: readonly Each[], read: (row: Each) => Value): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const row of rows) {
    const group = groups.get(row.id)
    if (group === undefined) groups.set(row.id, [read(row)])
    else group.push(read(row))
  }
  return groups
}
