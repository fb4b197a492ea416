import type { RowWindow } from '../../foundation/row-window.ts'
import type { Database } from '../relational/database.ts'
import { and, eq, gte, inArray, lt } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { auditRecord } from './tables.ts'

export type AuditRow = typeof auditRecord.$inferSelect

/** Which records are meant. */
export interface AuditFilter {
  readonly action?: string | undefined
  /** the issuer's id of the person who did it */
  readonly subject?: string | undefined
  readonly service?: string | undefined
  /** what it was done to */
  readonly target?: string | undefined
  readonly outcome?: AuditRow['outcome'] | undefined
  /** from then on */
  readonly since?: Date | undefined
  /** before then */
  readonly until?: Date | undefined
}

/** Records of the trail, the last first. @param window - places are their numbers */
export function readAudit(database: Database, filter: AuditFilter, window: RowWindow<number>): Promise<readonly AuditRow[]> {
  const { past, order } = keyset([auditRecord.id], 'falling', window, (id) => [id])
  return database.orm
    .select()
    .from(auditRecord)
    .where(and(wanted(filter), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Records by their numbers, those that there are. */
export function findAudit(database: Database, numbers: readonly number[]): Promise<readonly AuditRow[]> {
  return database.orm
    .select()
    .from(auditRecord)
    .where(inArray(auditRecord.id, [...numbers]))
}

/** How many records are meant. */
export async function countAudit(database: Database, filter: AuditFilter): Promise<number> {
  return database.orm.$count(auditRecord, wanted(filter))
}

function wanted({ since, until, ...equal }: AuditFilter) {
  const members = (['action', 'subject', 'service', 'target', 'outcome'] as const).flatMap((member) =>
    equal[member] === undefined ? [] : [eq(auditRecord[member], equal[member])],
  )
  return and(...members, since && gte(auditRecord.at, since), until && lt(auditRecord.at, until))
}
