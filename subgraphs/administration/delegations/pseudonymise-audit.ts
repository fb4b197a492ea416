import { auditRecord } from '../../../engines/audit/audit-trail.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { isPseudonym } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { asc, eq, sql } from '../../../engines/relational/drizzle.ts'

const rowsAtOnce = 500

/** as in the index audit_record_plain_citizen */
const isPlain = sql`action = 'delegations.read' and ((details ->> 'side' in ('delegator', 'delegate') and target !~ '^citizen:[A-Za-z0-9_-]{43}$') or details ->> 'delegator' !~ '^citizen:[A-Za-z0-9_-]{43}$' or details ->> 'delegate' !~ '^citizen:[A-Za-z0-9_-]{43}$')`

const sides = ['delegator', 'delegate'] as const

/** Replaces the citizen codes in the details of an audit record of delegations by pseudonyms. */
export function pseudonymousDetails(
  details: Readonly<Record<string, unknown>>,
  pseudonyms: CitizenPseudonyms,
): Readonly<Record<string, unknown>> {
  const replaced = sides.flatMap((side) => {
    const code = details[side]
    return typeof code === 'string' ? [[side, isPseudonym(code) ? code : pseudonyms.of(code)] as const] : []
  })
  return { ...details, ...Object.fromEntries(replaced) }
}

/**
 * Replaces the citizen codes that earlier releases wrote into the audit trail by pseudonyms. Replicas can run it concurrently.
 * @returns the number of changed records  @throws {EngineUnavailable}
 */
export async function pseudonymiseAudit(database: Database, pseudonyms: CitizenPseudonyms, signal: AbortSignal): Promise<number> {
  let changed = 0
  for (let more = true; more && !signal.aborted; ) {
    const rows = await database.transaction(async (tx) => {
      const plain = await tx
        .select()
        .from(auditRecord)
        .where(isPlain)
        .orderBy(asc(auditRecord.id))
        .limit(rowsAtOnce)
        .for('update', { skipLocked: true })
      for (const { id, target, details } of plain) {
        const isCitizen = sides.some((side) => details.side === side) && target !== null && !isPseudonym(target)
        await tx
          .update(auditRecord)
          .set({ target: isCitizen ? pseudonyms.of(target) : target, details: pseudonymousDetails(details, pseudonyms) })
          .where(eq(auditRecord.id, id))
      }
      return plain.length
    })
    changed += rows
    more = rows === rowsAtOnce
  }
  return changed
}
