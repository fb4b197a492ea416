import { bytea } from '../relational/columns.ts'
import { pgTable, primaryKey, text } from '../relational/drizzle.ts'
import type { VaultRecord } from './image-vault.ts'

export const vaultRecord = pgTable(
  'vault_record',
  {
    jobId: text('job_id').notNull(),
    record: text('record').$type<VaultRecord>().notNull(),
    keyId: text('key_id').notNull(),
    wrappedKey: bytea('wrapped_key').notNull(),
    /** null if it is a file */
    sealed: bytea('sealed'),
    file: text('file'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.record] })],
)

export type VaultRow = typeof vaultRecord.$inferSelect
