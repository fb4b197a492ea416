import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { rollUpExpression, rollUpVote } from '../tables.ts'
import type { Countable } from './cell-changes.ts'

/** An expression as the roll-ups count it. */
export interface CountedExpression extends Countable {
  /** RFC 3339 */
  readonly createdAt: string
  /** HMAC in hex */
  readonly author: string | null
}

const moment = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const among = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

type Row<Members> = Members & Record<string, unknown> & { readonly id: string }

export async function readCountedExpressions(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, CountedExpression>> {
  const { rows } = await tx.execute<Row<CountedExpression>>(sql`
    select id, key, day, ${moment('created_at')} as "createdAt", lat, lon, encode(author, 'hex') as author, agree, disagree, pass,
      unverified_agree as "unverifiedAgree", unverified_disagree as "unverifiedDisagree", unverified_pass as "unverifiedPass"
    from ${rollUpExpression} where id = ${among(ids)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the verified voters of expressions, in hex. */
export async function readVoters(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.execute<Row<{ readonly voter: string }>>(sql`
    select expression_id as id, encode(voter, 'hex') as voter from ${rollUpVote} where verified and expression_id = ${among(ids)}`)
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, voters]) => [id, voters.map(({ voter }) => voter)]))
}
