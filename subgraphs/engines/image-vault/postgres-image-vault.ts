import { Fault } from '../../foundation/fault.ts'
import { release } from '../../foundation/release.ts'
import type { Database } from '../relational/database.ts'
import { and, eq, ne, sql } from '../relational/drizzle.ts'
import { insertInParts } from '../relational/insert-in-parts.ts'
import type { ImageVault, VaultRecord } from './image-vault.ts'
import { openRecord, rewrapped, type Sealed, sealParts } from './sealing.ts'
import { vaultRecord } from './tables.ts'
import { vaultKeys } from './vault-keys.ts'

/** A JSON array, so that no id can be chosen to read like another record's. */
const aboutOf = (jobId: string, record: VaultRecord): string => JSON.stringify(['civigraph', jobId, record])

/** @param options - 32 bytes each: `key` is VAULT_KEY, `previousKeys` those before it, which open and do not seal */
export function postgresImageVault(options: {
  readonly database: Database
  readonly key: Uint8Array
  readonly previousKeys?: readonly Uint8Array[]
}): ImageVault {
  const { database, key, previousKeys } = options
  const keys = vaultKeys(key, previousKeys)
  const unseal = (jobId: string, record: VaultRecord, row: Sealed): Uint8Array => {
    const sealedBy = keys.byId(row.keyId)
    if (sealedBy === undefined) throw unreadable(jobId, `sealed by the key ${row.keyId}, which is not the VAULT_KEY of this process`)
    return readable(jobId, () => openRecord(sealedBy, row, aboutOf(jobId, record)))
  }
  return {
    async seal(tx, entries) {
      if (entries.length === 0) return
      const rows = entries.map(({ jobId, record, content }) => {
        const { keyId, wrappedKey, sealed } = sealParts(key, content, aboutOf(jobId, record))
        return [[Buffer.from(jobId)], [Buffer.from(record)], [Buffer.from(keyId)], [wrappedKey], sealed]
      })
      await insertInParts(tx, insertRecord, rows)
      release(...rows.flat(2))
    },
    async open(jobIds, record, signal) {
      signal.throwIfAborted()
      if (jobIds.length === 0) return new Map()
      const rows = await database.orm
        .select()
        .from(vaultRecord)
        .where(and(amongIds(jobIds), eq(vaultRecord.record, record)))
      return new Map(rows.map((row) => [row.jobId, unseal(row.jobId, record, row)]))
    },
    async rewrap(limit) {
      const { jobId, record, keyId, wrappedKey } = vaultRecord
      return database.transaction(async (tx) => {
        const rows = await tx
          .select({ jobId, record, keyId, wrappedKey })
          .from(vaultRecord)
          .where(ne(keyId, keys.currentId))
          .limit(limit)
          .for('update', { skipLocked: true })
        for (const row of rows) {
          const sealedBy = keys.byId(row.keyId)
          if (sealedBy === undefined)
            throw unreadable(row.jobId, `sealed by the key ${row.keyId}, which is in neither VAULT_KEY nor VAULT_KEY_PREVIOUS`)
          const wrapped = readable(row.jobId, () => rewrapped(sealedBy, key, row.wrappedKey, aboutOf(row.jobId, row.record)))
          await tx
            .update(vaultRecord)
            .set(wrapped)
            .where(and(eq(jobId, row.jobId), eq(record, row.record)))
        }
        return rows.length
      })
    },
    derivedKeys: keys.derived,
    async erase(tx, jobIds, record) {
      if (jobIds.length === 0) return
      await tx.delete(vaultRecord).where(and(amongIds(jobIds), record === undefined ? undefined : eq(vaultRecord.record, record)))
    },
  }
}

const insertRecord = 'insert into vault_record (job_id, record, key_id, wrapped_key, sealed) values ($1, $2, $3, $4, $5)'

/** One parameter: a statement takes at most 65,535. */
const amongIds = (jobIds: readonly string[]) => sql`${vaultRecord.jobId} in (select unnest(${sql.param([...jobIds])}::text[]))`

const unreadable = (jobId: string, reason: string): Fault =>
  new Fault('INTERNAL', `A sealed record of job ${jobId} cannot be read`, {}, new Error(reason))

function readable<Value>(jobId: string, open: () => Value): Value {
  try {
    return open()
  } catch {
    throw unreadable(jobId, 'changed after it was sealed')
  }
}
