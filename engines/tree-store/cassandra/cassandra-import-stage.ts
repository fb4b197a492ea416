import type { ImportStage } from '../tree-store.ts'
import type { Cassandra } from './cassandra-connection.ts'

/** Stages imports; the last write wins, whatever the clocks of clients. Rows expire after an hour (default_time_to_live). */
export function cassandraImportStage(db: Cassandra): ImportStage {
  const put = async (importId: string, about: string, signal: AbortSignal): Promise<void> =>
    void (await db.rows('insert into $.content_import (id, about) values (?, ?)', [importId, about], signal))
  const indexes = async (importId: string, signal: AbortSignal): Promise<readonly number[]> => {
    const all: number[] = []
    for await (const rows of db.pages('select number from $.content_import_chunk_list where import_id = ?', [importId], 5000, signal))
      all.push(...rows.map((row): number => row.get('number')))
    return all
  }
  const empty = async (importId: string, signal: AbortSignal): Promise<void> => {
    for (const index of await indexes(importId, signal))
      for (const table of ['content_import_outline', 'content_import_chunk'])
        await db.rows(`delete from $.${table} where import_id = ? and number = ?`, [importId, index], signal)
    await db.rows('delete from $.content_import_chunk_list where import_id = ?', [importId], signal)
  }
  return {
    begin: put,
    note: put,
    empty,
    async find(importId, signal) {
      const [row] = await db.rows('select about from $.content_import where id = ?', [importId], signal)
      return row?.get('about')
    },
    async append(importId, index, { outline, content }, signal) {
      const insert = (table: string, column: string, value: unknown): Promise<unknown> =>
        db.rows(`insert into $.${table} (import_id, number, ${column}) values (?, ?, ?)`, [importId, index, value], signal)
      await Promise.all([
        insert('content_import_chunk', 'bytes', Buffer.from(content)),
        insert('content_import_outline', 'outline', outline),
      ])
      await db.rows('insert into $.content_import_chunk_list (import_id, number) values (?, ?)', [importId, index], signal)
    },
    async *outlines(importId, signal) {
      for (const index of await indexes(importId, signal)) {
        const query = 'select outline from $.content_import_outline where import_id = ? and number = ?'
        const [row] = await db.rows(query, [importId, index], signal)
        if (row !== undefined) yield { index, outline: row.get('outline') }
      }
    },
    async content(importId, index, signal) {
      const query = 'select bytes from $.content_import_chunk where import_id = ? and number = ?'
      const [row] = await db.rows(query, [importId, index], signal)
      return row?.get('bytes').toString('utf8')
    },
  }
}
