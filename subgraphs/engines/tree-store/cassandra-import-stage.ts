import type { Cassandra } from './cassandra-connection.ts'
import type { ImportStage } from './tree-store.ts'

/** Rows live for an hour by themselves (default_time_to_live). */
export function cassandraImportStage(db: Cassandra): ImportStage {
  const put = async (importId: string, about: string, signal: AbortSignal): Promise<void> =>
    void (await db.rows('insert into $.content_import (id, about) values (?, ?)', [importId, about], signal))
  const indexes = async (importId: string, signal: AbortSignal): Promise<readonly number[]> => {
    const all: number[] = []
    for await (const rows of db.pages('select number from $.content_import_chunk_list where import_id = ?', [importId], 5000, signal))
      all.push(...rows.map((row): number => row.get('number')))
    return all
  }
  return {
    begin: put,
    note: put,
    async find(importId, signal) {
      const [row] = await db.rows('select about from $.content_import where id = ?', [importId], signal)
      return row?.get('about')
    },
    async append(importId, index, chunk, signal) {
      await db.rows(
        'insert into $.content_import_chunk (import_id, number, bytes) values (?, ?, ?)',
        [importId, index, Buffer.from(chunk)],
        signal,
      )
      await db.rows('insert into $.content_import_chunk_list (import_id, number) values (?, ?)', [importId, index], signal)
    },
    async *chunks(importId, signal) {
      for (const index of await indexes(importId, signal)) {
        const [row] = await db.rows(
          'select bytes from $.content_import_chunk where import_id = ? and number = ?',
          [importId, index],
          signal,
        )
        if (row !== undefined) yield { index, bytes: row.get('bytes') ?? new Uint8Array() }
      }
    },
    async drop(importId) {
      const signal = AbortSignal.timeout(60_000)
      for (const index of await indexes(importId, signal))
        await db.rows('delete from $.content_import_chunk where import_id = ? and number = ?', [importId, index], signal)
      await db.rows('delete from $.content_import_chunk_list where import_id = ?', [importId], signal)
      await db.rows('delete from $.content_import where id = ?', [importId], signal)
    },
  }
}
