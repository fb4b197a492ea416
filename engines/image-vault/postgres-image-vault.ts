import { Fault } from '../../foundation/fault.ts'
import { release } from '../../foundation/http/content.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, bytea, eq, ne, pgTable, primaryKey, sql, text } from '../relational/drizzle.ts'
import { insertInParts } from '../relational/insert-in-parts.ts'
import { afterCommit } from '../relational/session.ts'
import type { ImageVault, SealedEntry, VaultEntry, VaultRecord } from './image-vault.ts'
import type { SealedFiles } from './sealed-files.ts'
import { openRecord, rewrapped, sealParts } from './sealing.ts'
import { vaultKeys } from './vault-keys.ts'

const vaultRecord = pgTable(
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

type VaultRow = typeof vaultRecord.$inferSelect

/** A JSON array, so that no id can imitate the context of another record. */
const aboutOf = (jobId: string, record: VaultRecord): string => JSON.stringify(['civigraph', jobId, record])

/**
 * @param options - keys of 32 bytes: `key` is VAULT_KEY; `previousKeys` only decrypt; with `files`, submissions are stored there instead of in the
 * rows, which hold their keys
 */
export function postgresImageVault(options: {
  readonly database: Database
  readonly key: Uint8Array
  readonly previousKeys?: readonly Uint8Array[]
  readonly files?: SealedFiles | undefined
}): ImageVault {
  const { database, key, previousKeys, files } = options
  const keys = vaultKeys(key, previousKeys)
  const unseal = (row: VaultRow, sealed: Uint8Array): Uint8Array => {
    const { jobId, keyId, wrappedKey } = row
    const sealedBy = keys.byId(keyId)
    if (sealedBy === undefined) throw unreadable(jobId, `encrypted with the key ${keyId}, which is not the VAULT_KEY of this process`)
    return readable(jobId, () => openRecord(sealedBy, { keyId, wrappedKey, sealed: Buffer.from(sealed) }, aboutOf(jobId, row.record)))
  }
  /** Returns undefined if it was erased after the row was read. */
  const sealedOf = async (row: VaultRow): Promise<Uint8Array | undefined> => {
    if (row.sealed !== null) return row.sealed
    const { jobId, file } = row
    if (files === undefined || file === null) throw unreadable(jobId, 'it is a file, but VAULT_DIR is unset for this process')
    const sealed = await files.read(file)
    if (sealed === undefined && (await referencedFiles(database, [file])).has(file))
      throw unreadable(jobId, 'its file is not in the VAULT_DIR of this process')
    return sealed
  }
  const prepare = async (entries: readonly VaultEntry[]): Promise<readonly SealedEntry[]> => {
    const sealed = entries.map(({ jobId, record, content }) => ({ jobId, record, ...sealParts(key, content, aboutOf(jobId, record)) }))
    if (files === undefined) return sealed
    const large = sealed.filter(({ record }) => record === 'submission')
    const names = large.length === 0 ? [] : await files.write(large.map(({ sealed: parts }) => parts))
    release(...large.flatMap(({ sealed: parts }) => parts))
    return [...sealed.filter((each) => !large.includes(each)), ...large.map((each, at) => ({ ...each, sealed: names[at] ?? '' }))]
  }
  const keep = async (tx: Transaction, sealed: readonly SealedEntry[]): Promise<void> => {
    const named = sealed.flatMap(({ sealed: file, ...row }) => (typeof file === 'string' ? [{ ...row, file }] : []))
    if (named.length > 0) await tx.insert(vaultRecord).values(named)
    const rows = sealed.flatMap(({ jobId, record, keyId, wrappedKey, sealed: parts }) =>
      typeof parts === 'string' ? [] : [[[Buffer.from(jobId)], [Buffer.from(record)], [Buffer.from(keyId)], [wrappedKey], parts]],
    )
    if (rows.length === 0) return
    await insertInParts(tx, insertRecord, rows)
    release(...rows.flat(2))
  }
  const openEach: ImageVault['openEach'] = async (jobIds, record, signal) => {
    signal.throwIfAborted()
    if (jobIds.length === 0) return new Map()
    const rows = await database.orm
      .select()
      .from(vaultRecord)
      .where(and(amongIds(jobIds), eq(vaultRecord.record, record)))
    const opened = new Map<string, Uint8Array | Fault>()
    for (const row of rows) {
      try {
        const sealed = await sealedOf(row)
        if (sealed !== undefined) opened.set(row.jobId, unseal(row, sealed))
      } catch (error) {
        if (!(error instanceof Fault && error.code === 'INTERNAL')) throw error
        opened.set(row.jobId, error)
      }
    }
    return opened
  }
  return {
    prepare,
    keep,
    seal: async (tx, entries) => keep(tx, await prepare(entries)),
    async open(jobIds, record, signal) {
      const opened = new Map<string, Uint8Array>()
      for (const [jobId, content] of await openEach(jobIds, record, signal)) {
        if (content instanceof Fault) throw content
        opened.set(jobId, content)
      }
      return opened
    },
    openEach,
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
            throw unreadable(row.jobId, `encrypted with the key ${row.keyId}, which is in neither VAULT_KEY nor VAULT_KEY_PREVIOUS`)
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
    async sweep(signal) {
      const old = (await files?.olderThan(strayAfterMs)) ?? []
      let removed = 0
      for (let from = 0; from < old.length && !signal.aborted; from += sweptAtOnce) {
        const some = old.slice(from, from + sweptAtOnce)
        const referenced = await referencedFiles(database, some)
        const stray = some.filter((name) => !referenced.has(name))
        await files?.remove(stray)
        removed += stray.length
      }
      return removed
    },
    async erase(tx, jobIds, record) {
      if (jobIds.length === 0) return
      const erased = await tx
        .delete(vaultRecord)
        .where(and(amongIds(jobIds), record === undefined ? undefined : eq(vaultRecord.record, record)))
        .returning({ file: vaultRecord.file })
      const names = erased.flatMap(({ file }) => file ?? [])
      // Deleting the row deletes the key, so the file is unreadable; `sweep` deletes a file that cannot be deleted now.
      if (files !== undefined && names.length > 0) afterCommit(tx, () => void files.remove(names).catch(() => undefined))
    },
  }
}

/** longer than any transaction: a younger file may belong to an uncommitted row */
const strayAfterMs = 600_000
const sweptAtOnce = 1000

async function referencedFiles(database: Database, names: readonly string[]): Promise<ReadonlySet<string | null>> {
  const rows = await database.orm
    .select({ file: vaultRecord.file })
    .from(vaultRecord)
    .where(sql`${vaultRecord.file} = any(${sql.param([...names])}::text[])`)
  return new Set(rows.map(({ file }) => file))
}

const insertRecord = 'insert into vault_record (job_id, record, key_id, wrapped_key, sealed) values ($1, $2, $3, $4, $5)'

/** As one array parameter, since a statement takes at most 65,535 parameters. */
const amongIds = (jobIds: readonly string[]) => sql`${vaultRecord.jobId} in (select unnest(${sql.param([...jobIds])}::text[]))`

const unreadable = (jobId: string, reason: string): Fault =>
  new Fault('INTERNAL', `A sealed record of job ${jobId} cannot be read`, {}, new Error(reason))

function readable<Value>(jobId: string, open: () => Value): Value {
  try {
    return open()
  } catch {
    throw unreadable(jobId, 'modified after encryption')
  }
}
