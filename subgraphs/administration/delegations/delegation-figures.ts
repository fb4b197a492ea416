import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { groupsWithin } from '../roles.ts'
import type { DelegationFilter } from './find-delegations.ts'

/** Numbers of delegations in a group and domain, by status. */
export interface DelegationFigures {
  readonly groupId: string
  /** empty: valid in all domains */
  readonly domain: string
  readonly pending: number
  readonly active: number
  readonly revoked: number
  readonly expired: number
}

export type FiguresPlace = Pick<DelegationFigures, 'groupId' | 'domain'>
export type FiguresFilter = Pick<DelegationFilter, 'groups' | 'group' | 'domain'>

/** Returns the figures by group and domain, from the counters. @throws {EngineUnavailable} */
export async function findFigures(
  { orm }: Database,
  filter: FiguresFilter,
  { limit, isBackward = false, beyond }: RowWindow<FiguresPlace>,
): Promise<readonly DelegationFigures[]> {
  const direction = sql.raw(isBackward ? 'desc' : 'asc')
  const past = beyond && sql`and (group_id, domain) ${sql.raw(isBackward ? '<' : '>')} (${beyond.groupId}, ${beyond.domain})`
  const of = (status: string) => sql`coalesce(sum(count) filter (where status = ${status}), 0)::float8`
  const { rows } = await orm.execute<DelegationFigures & Record<string, unknown>>(sql`
    select group_id as "groupId", domain, ${of('pending')} as pending, ${of('active')} as active, ${of('revoked')} as revoked, ${of('expired')} as expired
    from delegation_figure where ${matching(filter)} ${past ?? sql``}
    group by group_id, domain having sum(count) > 0 order by group_id ${direction}, domain ${direction} limit ${limit}`)
  return rows
}

/** Counts the groups and domains with delegations. */
export async function countFigures({ orm }: Database, filter: FiguresFilter): Promise<number> {
  const { rows } = await orm.execute<{ total: string }>(sql`
    select count(*) as total from (
      select from delegation_figure where ${matching(filter)} group by group_id, domain having sum(count) > 0) as figures`)
  return Number(rows[0]?.total ?? 0)
}

function matching({ domain, ...scope }: FiguresFilter) {
  const wanted = groupsWithin(scope)
  return sql`${wanted === 'all' ? sql`true` : sql`group_id = any(${sql.param([...wanted])}::text[])`} and ${
    domain === undefined ? sql`true` : sql`domain = ${domain}`
  }`
}
