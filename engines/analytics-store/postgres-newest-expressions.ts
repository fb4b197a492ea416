import type { Database } from '../relational/database.ts'
import { alias, type SQL, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import type { ExpressionPlace, NewestPage } from './analytics-store.ts'
import { expression } from './tables.ts'

interface PlaceRow extends Record<string, unknown> {
  readonly id: string
  /** milliseconds since 1970 */
  readonly at: string
}

export async function newestExpressions(database: Database, page: NewestPage): Promise<readonly ExpressionPlace[]> {
  const { rows } = await database.orm.execute<PlaceRow>(newest([], page))
  return rows.map(placeOf)
}

export async function newestOfDomains(
  database: Database,
  domains: readonly string[],
  page: NewestPage,
): Promise<ReadonlyMap<string, readonly ExpressionPlace[]>> {
  const { rows } = await database.orm.execute<PlaceRow & { readonly within: string }>(sql`
    select w.id as within, n.id, n.at from ${each(domains)} cross join lateral (${newest([ofEach], page)}) n`)
  const lists = new Map<string, ExpressionPlace[]>()
  for (const { within: domain, ...row } of rows) {
    const list = lists.get(domain) ?? []
    lists.set(domain, list)
    list.push(placeOf(row))
  }
  return lists
}

export async function countNewest(database: Database, filter: NewestPage['filter']): Promise<number> {
  const { rows } = await database.orm.execute<{ readonly count: string }>(counted([], filter))
  return Number(rows[0]?.count)
}

export async function countNewestOfDomains(
  database: Database,
  domains: readonly string[],
  filter: NewestPage['filter'],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.orm.execute<{ readonly within: string; readonly count: string }>(sql`
    select w.id as within, n.count from ${each(domains)} cross join lateral (${counted([ofEach], filter)}) n`)
  return new Map(rows.map(({ within, count }) => [within, Number(count)]))
}

const e = alias(expression, 'e')

const each = (domains: readonly string[]): SQL => sql`unnest(${sql.param([...domains])}::text[]) as w(id)`
/** selects the domain of a sub-domain too, the first column of the index */
const ofEach = sql`e.domain = coalesce((select parent_id from domain where id = w.id), w.id) and (w.id = e.domain or w.id = e.sub_domain)`

function newest(within: readonly SQL[], page: NewestPage): SQL {
  const { past, order } = keyset([e.createdAt, e.id], 'descending', page, ({ createdAt, id }) => [createdAt, id])
  const conditions = [...conditionsOf(within, page.filter), ...(past === undefined ? [] : [past])]
  return sql`
    select e.id, extract(epoch from e.created_at) * 1000 as at from ${expression} e
    where ${sql.join(conditions, sql` and `)}
    order by ${sql.join(order, sql`, `)} limit ${page.limit}`
}

function counted(within: readonly SQL[], filter: NewestPage['filter']): SQL {
  return sql`select count(*) as count from ${expression} e where ${sql.join([...conditionsOf(within, filter)], sql` and `)}`
}

const placeOf = ({ id, at }: PlaceRow): ExpressionPlace => ({ id, createdAt: new Date(Number(at)) })

function conditionsOf(
  within: readonly SQL[],
  { taxonomy, exceptSubDomains = [], sentiment, lang, box, from, before }: NewestPage['filter'],
): readonly SQL[] {
  const ids = taxonomy && sql`any(${sql.param([...taxonomy])}::text[])`
  return [
    sql`e.withdrawn_at is null`,
    ...within,
    ...(ids ? [sql`(e.domain = ${ids} or e.sub_domain = ${ids})`] : []),
    ...(exceptSubDomains.length === 0
      ? []
      : [sql`(e.sub_domain is null or e.sub_domain <> all(${sql.param([...exceptSubDomains])}::text[]))`]),
    ...(sentiment === undefined ? [] : [sql`e.sentiment = ${sentiment}`]),
    ...(lang === undefined ? [] : [sql`e.lang = ${lang}`]),
    ...(from === undefined ? [] : [sql`e.created_at >= ${from.toISOString()}::timestamptz`]),
    ...(before === undefined ? [] : [sql`e.created_at < ${before.toISOString()}::timestamptz`]),
    ...(box === undefined ? [] : [sql`e.lat between ${box.south} and ${box.north}`, meridians(box)]),
  ]
}

/** A box whose west is greater than its east crosses the antimeridian. */
const meridians = ({ west, east }: { readonly west: number; readonly east: number }): SQL =>
  west <= east ? sql`e.lon between ${west} and ${east}` : sql`(e.lon >= ${west} or e.lon <= ${east})`
