import type { Database } from '../../relational/database.ts'
import type { Trash, TrashChunk } from '../tree-store.ts'
import { type Rows, rowsOf } from './postgres-rows.ts'

export function postgresTrash({ pool }: Pick<Database, 'pool'>): Trash {
  const ask = rowsOf(pool)
  return {
    async find(tenant, id, signal) {
      const [row] = await ask<{ about: string }>('select about from content_trash where tenant = $1 and id = $2', [tenant, id], signal)
      return row?.about
    },
    list: (tenant, after, limit, signal) => ask(lastFirst, [tenant, after ?? null, limit], signal),
    async *chunks(tenant, id, signal) {
      const text = 'select nodes from content_trash_chunk where tenant = $1 and id = $2 and index = $3'
      for (let index = 0; ; index++) {
        const [chunk] = await ask<{ nodes: string }>(text, [tenant, id, index], signal)
        if (chunk === undefined) return
        yield chunk.nodes
      }
    },
    async expire(before, signal) {
      await ask('delete from content_trash where id < $1', [before], signal)
    },
  }
}

/** maximum chunks, and characters of their nodes, per statement */
const maxChunks = 1000
const maxCharacters = 4_000_000

/** Writes chunks in the transaction of a draft. */
export async function storeChunks(run: Rows, tenant: string, chunks: AsyncIterable<TrashChunk>, signal: AbortSignal): Promise<void> {
  let batch: (TrashChunk & { readonly index: number })[] = []
  let characters = 0
  const write = async (): Promise<void> => {
    const columns = (['id', 'about', 'index', 'nodes'] as const).map((name) => batch.map((chunk) => chunk[name]))
    batch = []
    characters = 0
    await run(insertNodes, [tenant, ...columns], signal)
  }
  let last: { readonly id: string; readonly index: number } | undefined
  for await (const chunk of chunks) {
    last = { id: chunk.id, index: chunk.id === last?.id ? last.index + 1 : 0 }
    batch.push({ ...chunk, index: last.index })
    characters += chunk.nodes.length
    if (batch.length >= maxChunks || characters >= maxCharacters) await write()
  }
  if (batch.length > 0) await write()
}

const insertNodes = `with chunk as (select * from unnest($2::text[], $3::text[], $4::integer[], $5::text[]) as chunk(id, about, index, nodes)),
  kept as (insert into content_trash (tenant, id, about) select distinct $1::text, id, about from chunk on conflict do nothing)
  insert into content_trash_chunk (tenant, id, index, nodes) select $1::text, id, index, nodes from chunk`
const lastFirst = `select id, about from content_trash where tenant = $1 and ($2::text is null or id < $2) order by id desc limit $3`
