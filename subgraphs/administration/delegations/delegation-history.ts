import type { SQL } from 'drizzle-orm'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, inArray, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { groupsWithin } from '../roles.ts'
import { delegation, delegationChange, delegationHistory } from '../tables.ts'
import type { DelegationFilter, DelegationPlace } from './find-delegations.ts'

export type ChangeRow = typeof delegationChange.$inferSelect

/** A delegation as it was at a time. */
export interface DelegationState extends Omit<ChangeRow, 'id' | 'source' | 'isEarlier'> {
  readonly createdAt: Date
}

/** Returns the time at which the history begins: the epoch where it has every delegation from its creation. @throws {EngineUnavailable} */
export async function historySince({ orm }: Database): Promise<Date> {
  const [row] = await orm.select().from(delegationHistory)
  return row?.since ?? new Date(0)
}

const inGroups = (groups: readonly string[] | 'all'): SQL | undefined =>
  groups === 'all' ? undefined : inArray(delegationChange.groupId, [...groups])

/** Returns the states of a delegation in groups that the caller may see, newest first. @param window - positions are numbers of changes */
export function findChanges(
  { orm }: Database,
  delegationId: string,
  groups: readonly string[] | 'all',
  window: RowWindow<number>,
): Promise<readonly ChangeRow[]> {
  const { past, order } = keyset([delegationChange.id], 'descending', window, (id) => [id])
  return orm
    .select()
    .from(delegationChange)
    .where(and(eq(delegationChange.delegationId, delegationId), inGroups(groups), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Counts the recorded states of a delegation. */
export const countChanges = ({ orm }: Database, delegationId: string, groups: readonly string[] | 'all'): Promise<number> =>
  orm.$count(delegationChange, and(eq(delegationChange.delegationId, delegationId), inGroups(groups)))

/**
 * Returns the delegations as they were at a time since the history began, by time of creation, newest first. The filter applies to their state at
 * that time.
 * @throws {EngineUnavailable}
 */
export async function delegationsAt(
  { orm }: Database,
  at: Date,
  filter: DelegationFilter,
  window: RowWindow<DelegationPlace>,
): Promise<readonly DelegationState[]> {
  if (groupsWithin(filter).length === 0) return []
  const { past, order } = keyset([delegation.createdAt, delegation.id], 'descending', window, ({ createdAt, id }) => [createdAt, id])
  const { rows } = await orm.execute<StoredState>(sql`
    select ${delegation.id} as "delegationId", ${delegation.createdAt} as "createdAt", state.* from ${delegation}, ${stateAt(at)}
    where ${and(sql`true`, ...conditions(filter), past)} order by ${sql.join(order, sql`, `)} limit ${window.limit}`)
  return rows.map(({ createdAt, at: changedAt, startsAt, endsAt, ...rest }) => ({
    ...rest,
    createdAt: new Date(createdAt),
    at: new Date(changedAt),
    startsAt: new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
  }))
}

/** Counts the delegations at a time by reading them. @throws {EngineUnavailable} */
export async function countDelegationsAt({ orm }: Database, at: Date, filter: DelegationFilter): Promise<number> {
  if (groupsWithin(filter).length === 0) return 0
  const { rows } = await orm.execute<{ total: string }>(
    sql`select count(*) as total from ${delegation}, ${stateAt(at)} where ${and(sql`true`, ...conditions(filter))}`,
  )
  return Number(rows[0]?.total ?? 0)
}

/** Replaces the code of an erased citizen, and the ids of the delegations, in the history. */
export async function eraseFromHistory(
  tx: Transaction,
  code: string,
  pseudonym: string,
  renamed: readonly (readonly [id: string, newId: string])[],
): Promise<void> {
  await tx.execute(sql`
    update delegation_change set delegation_id = renamed.new_id
    from unnest(${sql.param(renamed.map(([id]) => id))}::text[], ${sql.param(renamed.map(([, newId]) => newId))}::text[]) as renamed (old_id, new_id)
    where delegation_id = renamed.old_id`)
  await tx.execute(sql`update delegation_change set delegator_code = ${pseudonym} where delegator_code = ${code}`)
  await tx.execute(sql`update delegation_change set delegate_code = ${pseudonym} where delegate_code = ${code}`)
}

interface StoredState extends Record<string, unknown>, Omit<DelegationState, 'createdAt' | 'at' | 'startsAt' | 'endsAt'> {
  readonly createdAt: string
  readonly at: string
  readonly startsAt: string
  readonly endsAt: string | null
}

/** The state of each delegation at a time; none for one that was recorded later. */
const stateAt = (at: Date): SQL => sql`lateral (
  (select at, delegator_code as "delegatorCode", delegate_code as "delegateCode", group_id as "groupId", domain, scope, status,
      starts_at as "startsAt", ends_at as "endsAt"
    from delegation_change where delegation_id = ${delegation.id} and (at <= ${at} or is_earlier)
    order by id desc limit 1)
  union all
  (select ${delegation.updatedAt}, ${delegation.delegatorCode}, ${delegation.delegateCode}, ${delegation.groupId}, ${delegation.domain},
      ${delegation.scope}, ${delegation.status}, ${delegation.startsAt}, ${delegation.endsAt}
    where not exists (select from delegation_change where delegation_id = ${delegation.id}))
) as state`

function conditions({ status, delegator, delegate, domain, ...scope }: DelegationFilter): readonly (SQL | undefined)[] {
  const wanted = groupsWithin(scope)
  return [
    ...(wanted === 'all' ? [] : groupConditions(sql`any(${sql.param([...wanted])}::text[])`)),
    status === undefined ? undefined : sql`state.status = ${status}`,
    domain === undefined ? undefined : sql`state.domain = ${domain}`,
    ...sideConditions('delegator_code', sql`state."delegatorCode"`, delegator),
    ...sideConditions('delegate_code', sql`state."delegateCode"`, delegate),
  ]
}

/** Finds the candidates of groups by index, so that the states of all others are not read. */
const groupConditions = (groups: SQL): readonly SQL[] => [
  sql`state."groupId" = ${groups}`,
  sql`${delegation.id} in (select id from delegation where group_id = ${groups} union select delegation_id from delegation_change where group_id = ${groups})`,
]

/** Finds the candidates of a citizen by index, among current and former states. */
function sideConditions(column: 'delegator_code' | 'delegate_code', its: SQL, code: string | undefined): readonly SQL[] {
  if (code === undefined) return []
  const name = sql.raw(column)
  return [
    sql`${its} = ${code}`,
    sql`${delegation.id} in (select id from delegation where ${name} = ${code} union select delegation_id from delegation_change where ${name} = ${code})`,
  ]
}
