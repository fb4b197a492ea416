import type { SQL } from 'drizzle-orm'
import type { Database } from '../../../engines/relational/database.ts'
import { and, count, eq, inArray, sql, sum } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { groupsWithin } from '../roles.ts'
import { type DelegationRow, type DelegationStatus, delegation, delegationFigure } from '../tables.ts'

/** Filter for delegations. `groups` is the caller's scope and is part of every statement. */
export interface DelegationFilter {
  readonly groups: readonly string[] | 'all'
  readonly group?: string | undefined
  readonly status?: DelegationStatus | undefined
  readonly delegator?: string | undefined
  readonly delegate?: string | undefined
  readonly domain?: string | undefined
}

/** Position of a delegation in a list. */
export interface DelegationPlace {
  readonly createdAt: Date
  readonly id: string
}

/** A page of a list ordered by creation time and id. A cursor costs the same at any depth; an offset reads the skipped rows. */
export interface DelegationPage extends RowWindow<DelegationPlace> {
  readonly order: 'ascending' | 'descending'
  readonly offset?: number | undefined
}

const keysetOf = (page: DelegationPage) =>
  keyset([delegation.createdAt, delegation.id], page.order, page, ({ createdAt, id }) => [createdAt, id])

/** Returns the delegations of a page. @throws {EngineUnavailable} */
export async function findDelegations(
  database: Database,
  filter: DelegationFilter,
  page: DelegationPage,
): Promise<readonly DelegationRow[]> {
  const { limit, offset = 0, isBackward = false } = page
  const groups = groupsWithin(filter)
  if (groups !== 'all' && groups.length === 0) return []
  const { past, order } = keysetOf(page)
  const { orm } = database

  const named = filter.delegator !== undefined || filter.delegate !== undefined
  if (groups === 'all' || groups.length === 1 || named) {
    const where = and(...conditions(filter), inGroups(groups), past)
    return orm
      .select()
      .from(delegation)
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
  }
  // reads one page per group from its index, then merges them
  const perGroup = orm
    .select()
    .from(delegation)
    .where(and(sql`${delegation.groupId} = wanted.group_id`, ...conditions(filter), past))
    .orderBy(...order)
    .limit(limit + offset)
    .as('page')
  const direction = sql.raw((page.order === 'ascending') === isBackward ? 'desc' : 'asc')
  const rows = await orm
    .select(columnsOf(perGroup))
    .from(sql`unnest(${textArray(groups)}) as wanted (group_id)`)
    .crossJoinLateral(perGroup)
    .orderBy(sql`page.created_at ${direction}, page.id ${direction}`)
    .limit(limit)
    .offset(offset)
  return rows
}

/** Counts delegations, from the counters for filters by group, domain and status, otherwise by scanning. @throws {EngineUnavailable} */
export async function countDelegations(database: Database, filter: DelegationFilter): Promise<number> {
  const groups = groupsWithin(filter)
  if (groups !== 'all' && groups.length === 0) return 0
  const { status, delegator, delegate, domain } = filter
  if (delegator === undefined && delegate === undefined) {
    const where = and(
      groups === 'all' ? undefined : inArray(delegationFigure.groupId, [...groups]),
      status === undefined ? undefined : eq(delegationFigure.status, status),
      domain === undefined ? undefined : eq(delegationFigure.domain, domain),
    )
    const [row] = await database.orm
      .select({ total: sum(delegationFigure.count) })
      .from(delegationFigure)
      .where(where)
    return Number(row?.total ?? 0)
  }
  const [counted] = await database.orm
    .select({ total: count() })
    .from(delegation)
    .where(and(...conditions(filter), inGroups(groups)))
  return counted?.total ?? 0
}

const sides = { delegator: 'delegatorCode', delegate: 'delegateCode', group: 'groupId' } as const
export type DelegationSide = keyof typeof sides

/**
 * Returns the newest delegations for each of these citizens or groups, in one statement.
 * @returns the rows by code; a code without rows is absent
 */
export async function delegationsBy(
  database: Database,
  side: DelegationSide,
  codes: readonly string[],
  filter: DelegationFilter,
  window: RowWindow<DelegationPlace>,
): Promise<ReadonlyMap<string, readonly DelegationRow[]>> {
  const groups = groupsWithin(filter)
  if (groups !== 'all' && groups.length === 0) return new Map()
  const column = delegation[sides[side]]
  const { past, order } = keysetOf({ ...window, order: 'descending' })
  const direction = sql.raw(window.isBackward === true ? 'asc' : 'desc')
  const perCode = database.orm
    .select()
    .from(delegation)
    .where(and(sql`${column} = wanted.code`, ...conditions(filter), inGroups(groups), past))
    .orderBy(...order)
    .limit(window.limit)
    .as('page')
  const rows = await database.orm
    .select(columnsOf(perCode))
    .from(sql`unnest(${textArray(codes)}) as wanted (code)`)
    .crossJoinLateral(perCode)
    .orderBy(sql`page.created_at ${direction}, page.id ${direction}`)
  return Map.groupBy(rows, (row) => row[sides[side]])
}

/** @returns the existing delegations that the caller may see, in any order */
export function delegationsById(
  database: Database,
  ids: readonly string[],
  groups: readonly string[] | 'all',
): Promise<readonly DelegationRow[]> {
  return database.orm
    .select()
    .from(delegation)
    .where(and(inArray(delegation.id, [...ids]), inGroups(groups)))
}

/** Returns the groups that are both visible and requested. */
function inGroups(groups: readonly string[] | 'all'): SQL | undefined {
  if (groups === 'all') return undefined
  const [only, second] = groups
  return only !== undefined && second === undefined ? eq(delegation.groupId, only) : inArray(delegation.groupId, [...groups])
}

function conditions({ status, delegator, delegate, domain }: DelegationFilter): readonly (SQL | undefined)[] {
  return [
    status === undefined ? undefined : eq(delegation.status, status),
    delegator === undefined ? undefined : eq(delegation.delegatorCode, delegator),
    delegate === undefined ? undefined : eq(delegation.delegateCode, delegate),
    domain === undefined ? undefined : eq(delegation.domain, domain),
  ]
}

const textArray = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`

/** Maps the fields of a page to the columns of the table. */
function columnsOf<Page extends Record<keyof DelegationRow, unknown>>(page: Page): Pick<Page, keyof DelegationRow> {
  const { id, delegatorCode, delegateCode, groupId, domain, scope, status, startsAt, endsAt, createdAt, updatedAt, revisedAt, source } =
    page
  return { id, delegatorCode, delegateCode, groupId, domain, scope, status, startsAt, endsAt, createdAt, updatedAt, revisedAt, source }
}
