import { and, eq, inArray } from 'drizzle-orm'
import { Fault } from '../../foundation/fault.ts'
import type { Database } from '../relational/database.ts'
import type { ImageVault, VaultRecord } from './image-vault.ts'
import { keyIdOf, openRecord, type Sealed, sealRecord } from './sealing.ts'
import { vaultRecord } from './tables.ts'

/** A JSON array, so that no id can be chosen to read like another record's. */
const aboutOf = (jobId: string, record: VaultRecord): string => JSON.stringify(['civigraph', jobId, record])

/** @param options - `key`: 32 bytes (VAULT_KEY) */
export function postgresImageVault(options: { readonly database: Database; readonly key: Uint8Array }): ImageVault {
  const { database, key } = options
  const ownKeyId = keyIdOf(key)
  const unseal = (jobId: string, record: VaultRecord, row: Sealed): Uint8Array => {
    if (row.keyId !== ownKeyId) throw unreadable(jobId, `sealed by the key ${row.keyId}, which is not the VAULT_KEY of this process`)
    try {
      return openRecord(key, row, aboutOf(jobId, record))
    } catch {
      throw unreadable(jobId, 'changed after it was sealed')
    }
  }
  return {
    async seal(tx, entries) {
      if (entries.length === 0) return
      const rows = entries.map(({ jobId, record, content }) => ({ jobId, record, ...sealRecord(key, content, aboutOf(jobId, record)) }))
      await tx.insert(vaultRecord).values(rows)
    },
    async open(jobIds, record, signal) {
      signal.throwIfAborted()
      if (jobIds.length === 0) return new Map()
      const rows = await database.orm
        .select()
        .from(vaultRecord)
        .where(and(inArray(vaultRecord.jobId, [...jobIds]), eq(vaultRecord.record, record)))
      return new Map(rows.map((row) => [row.jobId, unseal(row.jobId, record, row)]))
    },
    async erase(tx, jobIds, record) {
      if (jobIds.length === 0) return
      await tx
        .delete(vaultRecord)
        .where(and(inArray(vaultRecord.jobId, [...jobIds]), record === undefined ? undefined : eq(vaultRecord.record, record)))
    },
  }
}

const unreadable = (jobId: string, reason: string): Fault =>
  new Fault('INTERNAL', `A sealed record of job ${jobId} cannot be read`, {}, new Error(reason))
