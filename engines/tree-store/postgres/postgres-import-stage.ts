import type { Database } from '../../relational/database.ts'
import type { ImportStage } from '../tree-store.ts'
import { rowsOf } from './postgres-rows.ts'

export function postgresImportStage({ pool }: Database): ImportStage {
  const ask = rowsOf(pool)
  return {
    async begin(importId, about) {
      await ask('insert into content_import (id, about) values ($1, $2)', [importId, about])
    },
    async find(importId) {
      const [row] = await ask<{ about: string }>(
        "select about from content_import where id = $1 and begun_at > now() - interval '1 hour'",
        [importId],
      )
      return row?.about
    },
    async note(importId, about) {
      await ask('update content_import set about = $2 where id = $1', [importId, about])
    },
    async append(importId, index, { outline, content }) {
      const text = `insert into content_import_chunk (import_id, index, outline, content) values ($1, $2, $3, $4)
        on conflict (import_id, index) do update set outline = excluded.outline, content = excluded.content`
      await ask(text, [importId, index, outline, content])
    },
    async *outlines(importId, signal) {
      const text = 'select index, outline from content_import_chunk where import_id = $1 and index > $2 order by index limit 10'
      for (let after: number | undefined = -1; after !== undefined; ) {
        signal.throwIfAborted()
        const chunks: readonly { index: number; outline: string }[] = await ask(text, [importId, after])
        yield* chunks
        after = chunks.at(-1)?.index
      }
    },
    async content(importId, index) {
      const text = 'select content from content_import_chunk where import_id = $1 and index = $2'
      const [chunk] = await ask<{ content: string }>(text, [importId, index])
      return chunk?.content
    },
    async empty(importId) {
      await ask('delete from content_import_chunk where import_id = $1', [importId])
    },
  }
}
