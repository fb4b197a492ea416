import { createHmac } from 'node:crypto'
import { auditRecord } from '../../../engines/audit/audit-trail.ts'
import type { CitizenDataHolder } from '../../../engines/citizen-data/citizen-data.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, asc, gt, inArray } from '../../../engines/relational/drizzle.ts'

/**
 * Returns the audit records about a citizen, which have the pseudonym as target. An erasure keeps them, because they account for who had access, and
 * replaces pseudonyms of earlier releases.
 * @param formerKeys - keys of the pseudonyms in releases before 2.0, derived from VAULT_KEY
 */
export function citizenAudit({
  database,
  pseudonyms,
  formerKeys,
}: {
  readonly database: Database
  readonly pseudonyms: CitizenPseudonyms
  readonly formerKeys: readonly Uint8Array[]
}): CitizenDataHolder {
  const formerOf = (code: string): string[] => formerKeys.map((key) => createHmac('sha256', key).update(code).digest('base64url'))
  const targetsOf = (code: string): string[] => [pseudonyms.of(code), ...formerOf(code)]
  return {
    component: 'audit',
    async survey({ code }) {
      const count = await database.orm.$count(auditRecord, inArray(auditRecord.target, targetsOf(code)))
      return {
        erasable: {},
        remaining: [
          { kind: 'audit_records', count, ids: [] },
          { kind: 'backups', count: null, ids: [] },
        ],
      }
    },
    async erase({ code }, record) {
      await database.transaction(async (tx) => {
        await tx
          .update(auditRecord)
          .set({ target: pseudonyms.of(code) })
          .where(inArray(auditRecord.target, formerOf(code)))
        await record(tx, { counts: {}, nodes: [], isLast: true })
      })
    },
    async export({ code }, after, limit) {
      const rows = await database.orm
        .select()
        .from(auditRecord)
        .where(
          and(
            inArray(auditRecord.target, targetsOf(code)),
            after !== undefined && /^\d{1,15}$/.test(after) ? gt(auditRecord.id, Number(after)) : undefined,
          ),
        )
        .orderBy(asc(auditRecord.id))
        .limit(limit)
      return rows.map(({ id, at, action, outcome }) => ({ position: String(id), type: 'audit_record', data: { action, outcome, at } }))
    },
  }
}
