import type { Database } from '../../relational/database.ts'
import type { Trash } from '../tree-store.ts'
import { rowsOf } from './postgres-rows.ts'

export function postgresTrash({ pool }: Pick<Database, 'pool'>): Trash {
  const ask = rowsOf(pool)
  return {
    async keep(tenant, id, { about, chunks }, signal) {
      await ask(keepAll, [tenant, id, about, chunks], signal)
    },
    async find(tenant, id, signal) {
      const [found] = await ask<{ about: string }>('select about from content_trash where tenant = $1 and id = $2', [tenant, id], signal)
      return found?.about
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
    async forget(tenant, id, signal) {
      await ask('delete from content_trash where tenant = $1 and id = $2', [tenant, id], signal)
    },
    async expire(before, signal) {
      await ask('delete from content_trash where id < $1', [before], signal)
    },
  }
}

/** One statement: all of it or nothing. */
const keepAll = `with kept as (insert into content_trash (tenant, id, about) values ($1, $2, $3))
  insert into content_trash_chunk (tenant, id, index, nodes)
    select $1, $2, place - 1, nodes from unnest($4::text[]) with ordinality as chunk(nodes, place)`
const lastFirst = `select id, about from content_trash where tenant = $1 and ($2::text is null or id < $2) order by id desc limit $3`
