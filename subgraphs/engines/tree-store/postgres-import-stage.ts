import type { Database } from '../relational/database.ts'
import { translated } from '../relational/query-errors.ts'
import type { ImportStage } from './tree-store.ts'

export function postgresImportStage({ pool }: Database): ImportStage {
  const ask = async <Row = unknown>(text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    try {
      const { rows } = await pool.query({ text, values: [...values] })
      return rows
    } catch (error) {
      throw translated(error)
    }
  }
  return {
    async begin(importId, about) {
      await ask('insert into content_import (id, about) values ($1, $2)', [importId, about])
    },
    async find(importId) {
      const [found] = await ask<{ about: string }>(
        "select about from content_import where id = $1 and begun_at > now() - interval '1 hour'",
        [importId],
      )
      return found?.about
    },
    async note(importId, about) {
      await ask('update content_import set about = $2 where id = $1', [importId, about])
    },
    async append(importId, index, chunk) {
      const text = `insert into content_import_chunk (import_id, index, bytes) values ($1, $2, $3)
        on conflict (import_id, index) do update set bytes = excluded.bytes`
      await ask(text, [importId, index, chunk])
    },
    async *chunks(importId, signal) {
      const text = 'select index, bytes from content_import_chunk where import_id = $1 and index > $2 order by index limit 1'
      for (let after = -1; ; ) {
        signal.throwIfAborted()
        const [chunk] = await ask<{ index: number; bytes: Buffer }>(text, [importId, after])
        if (chunk === undefined) return
        yield chunk
        after = chunk.index
      }
    },
    async drop(importId) {
      await ask('delete from content_import where id = $1', [importId])
    },
  }
}
