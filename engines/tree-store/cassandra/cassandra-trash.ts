import type { Trash, TrashChunk, TreeVersion } from '../tree-store.ts'
import type { Cassandra, Statement } from './cassandra-connection.ts'

/** @param tenants - returns the tenants whose old trash is deleted */
export function cassandraTrash(db: Cassandra, tenants: (signal: AbortSignal) => Promise<readonly Pick<TreeVersion, 'tenant'>[]>): Trash {
  return {
    async find(tenant, id, signal) {
      const [row] = await db.rows('select about from $.content_trash where tenant = ? and id = ?', [tenant, id], signal)
      return row?.get('about')
    },
    async list(tenant, after, limit, signal) {
      const [before, ids] = after === undefined ? ['', []] : [' and id < ?', [after]]
      const rows = await db.rows(`select id, about from $.content_trash where tenant = ?${before} limit ?`, [tenant, ...ids, limit], signal)
      return rows.map((row) => ({ id: row.get('id'), about: row.get('about') }))
    },
    async *chunks(tenant, id, signal) {
      const count = await countOf(db, tenant, id, signal)
      for (let number = 0; number < count; number++) {
        const query = 'select nodes from $.content_trash_chunk where tenant = ? and id = ? and number = ?'
        const [row] = await db.rows(query, [tenant, id, number], signal)
        if (row !== undefined) yield row.get('nodes')
      }
    },
    async expire(before, signal) {
      for (const { tenant } of await tenants(signal)) {
        const old = 'select id from $.content_trash where tenant = ? and id < ?'
        for await (const rows of db.pages(old, [tenant, before], 1000, signal))
          for (const row of rows) await deleteChunk(db, tenant, row.get('id'), signal)
      }
    },
  }
}

async function countOf(db: Cassandra, tenant: string, id: string, signal: AbortSignal): Promise<number> {
  const [row] = await db.rows('select chunks from $.content_trash where tenant = ? and id = ?', [tenant, id], signal)
  return row?.get('chunks') ?? 0
}

/** Deletes a subtree and its chunks. */
export async function deleteChunk(db: Cassandra, tenant: string, id: string, signal: AbortSignal): Promise<void> {
  const count = await countOf(db, tenant, id, signal)
  for (let number = 0; number < count; number++)
    await db.rows('delete from $.content_trash_chunk where tenant = ? and id = ? and number = ?', [tenant, id, number], signal)
  await db.rows('delete from $.content_trash where tenant = ? and id = ?', [tenant, id], signal)
}

/** maximum chunks, and characters of their nodes, written concurrently */
const maxChunks = 200
const maxCharacters = 4_000_000
const insertChunk = 'insert into $.content_trash_chunk (tenant, id, number, nodes) values (?, ?, ?, ?)'
const insertTrash = 'insert into $.content_trash (tenant, id, about, chunks) values (?, ?, ?, ?)'

/**
 * Writes chunks; a subtree becomes visible when all of its chunks are written. @param permit - awaited before each batch
 * @param onStored - receives the id of each subtree before it becomes visible
 */
export async function storeChunks(
  db: Cassandra,
  tenant: string,
  chunks: AsyncIterable<TrashChunk>,
  { permit, onStored }: { readonly permit: () => Promise<void>; readonly onStored: (id: string) => void },
  signal: AbortSignal,
): Promise<void> {
  let batch: Statement[] = []
  let complete: Statement[] = []
  let characters = 0
  const write = async (): Promise<void> => {
    await db.write(
      batch.map((statement) => [statement]),
      signal,
      permit,
    )
    await db.write([complete], signal, permit)
    batch = []
    complete = []
    characters = 0
  }
  let open: { readonly id: string; readonly about: string; count: number } | undefined
  const close = (): void => {
    if (open === undefined) return
    onStored(open.id)
    complete.push({ query: insertTrash, params: [tenant, open.id, open.about, open.count] })
  }
  for await (const { id, about, nodes } of chunks) {
    if (id !== open?.id) {
      close()
      open = { id, about, count: 0 }
    }
    batch.push({ query: insertChunk, params: [tenant, id, open.count++, nodes] })
    characters += nodes.length
    if (batch.length >= maxChunks || characters >= maxCharacters) await write()
  }
  close()
  await write()
}
