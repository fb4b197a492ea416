import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database } from '../relational/database.ts'
import { type SQL, sql } from '../relational/drizzle.ts'
import type { CorrectionPlace, ScanConditions } from './analytics-store.ts'
import { domain, expression } from './tables.ts'

/** Refers to a retired domain, or to a sub-domain that has another domain now. */
const isOutdated = sql`(
  exists (select 1 from ${domain} d where d.id = w.domain and (d.removed_at is not null or d.parent_id is not null))
  or exists (select 1 from ${domain} d where d.id = w.sub_domain and (d.removed_at is not null or d.parent_id is distinct from w.domain)))`

function matching(conditions: ScanConditions): SQL {
  const { domains, lang, from, to, before } = conditions
  const named = domains?.filter((id) => id !== null)
  const ids = named && sql`any(${sql.param([...named])}::text[])`
  const all = [
    sql`true`,
    ...(conditions.isOutdated ? [isOutdated] : []),
    ...(ids ? [sql`(w.domain = ${ids} or w.sub_domain = ${ids}${domains?.includes(null) ? sql` or w.domain is null` : sql``})`] : []),
    ...(lang === undefined ? [] : [sql`w.lang = ${lang}`]),
    ...(from === undefined ? [] : [sql`w.created_at >= ${from.toISOString()}::timestamptz`]),
    ...(to === undefined ? [] : [sql`w.created_at < ${to.toISOString()}::timestamptz`]),
    ...(before === undefined ? [] : [sql`coalesce((w.enrichment #>> '{classification,taxonomyNumber}')::int, 0) < ${before}`]),
  ]
  return sql.join(all, sql` and `)
}

export async function scanExpressions(
  database: Database,
  after: string | undefined,
  limit: number,
  conditions: ScanConditions,
): Promise<{ readonly ids: readonly string[]; readonly upTo: string | undefined }> {
  const { rows } = await database.orm.execute<{ ids: readonly string[] | null; last: string | null; count: string }>(sql`
    select array_agg(w.id::text order by w.id) filter (where ${matching(conditions)}) as ids, max(w.id::text collate "C") as last, count(*) as count
    from (
      select id, domain, sub_domain, lang, created_at, enrichment from ${expression}
      where withdrawn_at is null ${after === undefined ? sql`` : sql`and id > ${after}`} order by id limit ${limit}
    ) w`)
  const [row] = rows
  return { ids: row?.ids ?? [], upTo: Number(row?.count ?? 0) < limit ? undefined : (row?.last ?? undefined) }
}

const correctedAt = sql`enrichment #>> '{classification,correctedAt}'`

export async function correctedExpressions(
  database: Database,
  { limit, beyond, isBackward = false }: RowWindow<CorrectionPlace>,
  domains?: readonly string[],
): Promise<readonly (CorrectionPlace & { readonly domain: string | null })[]> {
  const [past, order] = isBackward ? ['>', 'asc'] : ['<', 'desc']
  const { rows } = await database.orm.execute<{ id: string; correctedAt: string; domain: string | null }>(sql`
    select id, ${correctedAt} as "correctedAt", coalesce(sub_domain, domain) as domain from ${expression}
    where ${correctedAt} is not null and withdrawn_at is null
      ${beyond === undefined ? sql`` : sql`and (${correctedAt}, id) ${sql.raw(past)} (${beyond.correctedAt}, ${beyond.id}::uuid)`}
      ${within(domains)}
    order by ${correctedAt} ${sql.raw(order)}, id ${sql.raw(order)} limit ${limit}`)
  return rows
}

export async function countCorrections(database: Database, domains?: readonly string[]): Promise<number> {
  const { rows } = await database.orm.execute<{ count: string }>(sql`
    select count(*) as count from ${expression} where ${correctedAt} is not null and withdrawn_at is null ${within(domains)}`)
  return Number(rows[0]?.count ?? 0)
}

export async function correctionCounts(database: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.orm.execute<{ domain: string; count: string }>(sql`
    select coalesce(sub_domain, domain) as domain, count(*) as count from ${expression}
    where ${correctedAt} is not null and withdrawn_at is null and domain is not null group by 1`)
  return new Map(rows.map(({ domain, count }) => [domain, Number(count)]))
}

function within(domains: readonly string[] | undefined): SQL {
  if (domains === undefined) return sql``
  const ids = sql`any(${sql.param([...domains])}::text[])`
  return sql`and (domain = ${ids} or sub_domain = ${ids})`
}
