import type { Trash, TreeVersion } from '../tree-store.ts'
import type { Cassandra } from './cassandra-connection.ts'

/** @param tenants - whose trash is looked through for what is too old */
export function cassandraTrash(db: Cassandra, tenants: (signal: AbortSignal) => Promise<readonly Pick<TreeVersion, 'tenant'>[]>): Trash {
  const countOf = async (tenant: string, id: string, signal: AbortSignal): Promise<number> => {
    const [row] = await db.rows('select chunks from $.content_trash where tenant = ? and id = ?', [tenant, id], signal)
    return row?.get('chunks') ?? 0
  }
  const forget = async (tenant: string, id: string, signal: AbortSignal): Promise<void> => {
    const count = await countOf(tenant, id, signal)
    for (let number = 0; number < count; number++)
      await db.rows('delete from $.content_trash_chunk where tenant = ? and id = ? and number = ?', [tenant, id, number], signal)
    await db.rows('delete from $.content_trash where tenant = ? and id = ?', [tenant, id], signal)
  }
  return {
    async keep(tenant, id, { about, chunks }, signal) {
      const query = 'insert into $.content_trash_chunk (tenant, id, number, nodes) values (?, ?, ?, ?)'
      await db.write(
        chunks.map((nodes, number) => [{ query, params: [tenant, id, number, nodes] }]),
        signal,
      )
      // seen only now that all of it is there
      await db.rows(
        'insert into $.content_trash (tenant, id, about, chunks) values (?, ?, ?, ?)',
        [tenant, id, about, chunks.length],
        signal,
      )
    },
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
      const count = await countOf(tenant, id, signal)
      for (let number = 0; number < count; number++) {
        const query = 'select nodes from $.content_trash_chunk where tenant = ? and id = ? and number = ?'
        const [row] = await db.rows(query, [tenant, id, number], signal)
        if (row !== undefined) yield row.get('nodes')
      }
    },
    forget,
    async expire(before, signal) {
      for (const { tenant } of await tenants(signal)) {
        const old = 'select id from $.content_trash where tenant = ? and id < ?'
        for await (const rows of db.pages(old, [tenant, before], 1000, signal))
          for (const row of rows) await forget(tenant, row.get('id'), signal)
      }
    },
  }
}
