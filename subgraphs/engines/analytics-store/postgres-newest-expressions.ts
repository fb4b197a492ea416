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
  // a sub-domain is found through its domain, which the index begins with
  const within = sql`e.domain = split_part(w.id, '/', 1) and (w.id = e.domain or w.id = e.sub_domain)`
  const { rows } = await database.orm.execute<PlaceRow & { readonly within: string }>(sql`
    select w.id as within, n.id, n.at from unnest(${sql.param([...domains])}::text[]) as w(id)
    cross join lateral (${newest([within], page)}) n`)
  const lists = new Map<string, ExpressionPlace[]>()
  for (const { within: domain, ...row } of rows) {
    const list = lists.get(domain) ?? []
    lists.set(domain, list)
    list.push(placeOf(row))
  }
  return lists
}

const e = alias(expression, 'e')

function newest(within: readonly SQL[], page: NewestPage): SQL {
  const { past, order } = keyset([e.createdAt, e.id], 'falling', page, ({ createdAt, id }) => [createdAt, id])
  const conditions = [sql`e.withdrawn_at is null`, ...within, ...conditionsOf(page), ...(past === undefined ? [] : [past])]
  return sql`
    select e.id, extract(epoch from e.created_at) * 1000 as at from ${expression} e
    where ${sql.join(conditions, sql` and `)}
    order by ${sql.join(order, sql`, `)} limit ${page.limit}`
}

const placeOf = ({ id, at }: PlaceRow): ExpressionPlace => ({ id, createdAt: new Date(Number(at)) })

function conditionsOf({ filter: { taxonomy, sentiment, lang, box } }: NewestPage): readonly SQL[] {
  const ids = taxonomy && sql`any(${sql.param([...taxonomy])}::text[])`
  return [
    ...(ids ? [sql`(e.domain = ${ids} or e.sub_domain = ${ids})`] : []),
    ...(sentiment === undefined ? [] : [sql`e.sentiment = ${sentiment}`]),
    ...(lang === undefined ? [] : [sql`e.lang = ${lang}`]),
    ...(box === undefined ? [] : [sql`e.lat between ${box.south} and ${box.north}`, meridians(box)]),
  ]
}

/** A box whose west is greater than its east crosses the antimeridian. */
const meridians = ({ west, east }: { readonly west: number; readonly east: number }): SQL =>
  west <= east ? sql`e.lon between ${west} and ${east}` : sql`(e.lon >= ${west} or e.lon <= ${east})`
