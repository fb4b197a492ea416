import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database } from '../relational/database.ts'
import { and, eq, gte, inArray, lt, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { auditRecord } from './audit-trail.ts'

export type AuditRow = typeof auditRecord.$inferSelect

/** A filter of audit records. */
export interface AuditFilter {
  readonly action?: string | undefined
  /** any of these actions */
  readonly actions?: readonly string[] | undefined
  /** decision of a reviewer */
  readonly decision?: string | undefined
  /** subject identifier of the user at the issuer */
  readonly subject?: string | undefined
  readonly service?: string | undefined
  /** target of the action */
  readonly target?: string | undefined
  readonly outcome?: AuditRow['outcome'] | undefined
  /** inclusive */
  readonly since?: Date | undefined
  /** exclusive */
  readonly until?: Date | undefined
}

/** Returns audit records, newest first. @param window - positions are record numbers */
export function readAudit(database: Database, filter: AuditFilter, window: RowWindow<number>): Promise<readonly AuditRow[]> {
  const { past, order } = keyset([auditRecord.id], 'descending', window, (id) => [id])
  return database.orm
    .select()
    .from(auditRecord)
    .where(and(conditionsOf(filter), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Returns the existing records among these numbers. */
export function findAudit(database: Database, numbers: readonly number[]): Promise<readonly AuditRow[]> {
  return database.orm
    .select()
    .from(auditRecord)
    .where(inArray(auditRecord.id, [...numbers]))
}

/** Counts the matching records. */
export async function countAudit(database: Database, filter: AuditFilter): Promise<number> {
  return database.orm.$count(auditRecord, conditionsOf(filter))
}

function conditionsOf({ since, until, actions, decision, ...equal }: AuditFilter) {
  const members = (['action', 'subject', 'service', 'target', 'outcome'] as const).flatMap((member) =>
    equal[member] === undefined ? [] : [eq(auditRecord[member], equal[member])],
  )
  return and(
    ...members,
    actions && inArray(auditRecord.action, [...actions]),
    decision === undefined ? undefined : sql`${auditRecord.details}->>'decision' = ${decision}`,
    since && gte(auditRecord.at, since),
    until && lt(auditRecord.at, until),
  )
}
