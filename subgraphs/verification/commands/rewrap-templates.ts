import { rewrapped } from '../../../engines/image-vault/sealing.ts'
import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { eq, ne } from '../../../engines/relational/drizzle.ts'
import { aboutTemplate, unreadable } from '../duplicates/face-template.ts'
import { verificationFaceTemplate as template } from '../duplicates/tables.ts'

/**
 * Re-encrypts the data keys of at most `limit` templates that an earlier DEDUPLICATION_KEY sealed; the templates do not change.
 * @returns the number of templates  @throws {Fault} INTERNAL when no key opens one  @throws {EngineUnavailable}
 */
export function rewrapTemplates(database: Database, keys: VaultKeys, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await tx.select().from(template).where(ne(template.keyId, keys.currentId)).limit(limit).for('update', { skipLocked: true })
    for (const row of rows) {
      const sealedBy = keys.byId(row.keyId)
      if (sealedBy === undefined) throw unreadable(row.id)
      const wrapped = rewrapped(sealedBy, keys.current, row.wrappedKey, aboutTemplate(row))
      await tx.update(template).set(wrapped).where(eq(template.id, row.id))
    }
    return rows.length
  })
}
