import type { Cassandra, Row, Statement } from './cassandra-connection.ts'
import type { Buckets } from './tree-buckets.ts'

/** Removes what only versions superseded before that moment show, and what was written under numbers that were given up. */
export async function purgeTenant(db: Cassandra, tenant: string, before: Date, signal: AbortSignal): Promise<void> {
  const [tree] = await db.rows('select * from $.content_tree where tenant = ?', [tenant], signal)
  const versions = await db.rows('select * from $.content_version where tenant = ?', [tenant], signal)
  const kept = versions.filter((row) => row.get('published_at') < before && row.get('version') <= tree?.get('version')).at(-1)
  const given = new Set<number>(tree?.get('aborted') ?? [])
  if (tree === undefined || kept === undefined) return
  const oldest: number = kept.get('version')
  const superseded = versions.filter((row) => row.get('version') < oldest)
  if (superseded.length === 0) return
  const buckets = new Set([...superseded, ...versions].flatMap((row) => (JSON.parse(row.get('buckets')) as Buckets).map(({ id }) => id)))
  for (const bucket of buckets) {
    const where = 'where tenant = ? and bucket = ?'
    const stale = staleRows(oldest, given)
    const scan = db.pages(`select order_key, version, deleted from $.content_node ${where}`, [tenant, bucket], 2000, signal)
    for await (const rows of scan)
      await db.write(
        [
          rows
            .filter((row) => stale(row.get('order_key'), row))
            .map((row) =>
              remove('content_node', `${where} and order_key = ? and version = ?`, [
                tenant,
                bucket,
                row.get('order_key'),
                row.get('version'),
              ]),
            ),
        ],
        signal,
      )
  }
  for (let part = 0; part < 64; part++) {
    for (const kind of ['i', 'x']) {
      const where = 'where tenant = ? and kind = ? and part = ?'
      const stale = staleRows(oldest, given)
      const scan = db.pages(`select name, version, order_key from $.content_name ${where}`, [tenant, kind, part], 2000, signal)
      for await (const rows of scan)
        await db.write(
          [
            rows
              .filter((row) => stale(row.get('name'), row))
              .map((row) =>
                remove('content_name', `${where} and name = ? and version = ?`, [tenant, kind, part, row.get('name'), row.get('version')]),
              ),
          ],
          signal,
        )
    }
    for (const bucket of buckets) {
      const where = 'where tenant = ? and part = ? and bucket = ?'
      const stale = staleRows(oldest, given)
      const scan = db.pages(
        `select parent_id, order_key, version, deleted from $.content_child ${where}`,
        [tenant, part, bucket],
        2000,
        signal,
      )
      for await (const rows of scan)
        await db.write(
          [
            rows
              .filter((row) => stale(`${row.get('parent_id')}\n${row.get('order_key')}`, row))
              .map((row) =>
                remove('content_child', `${where} and parent_id = ? and order_key = ? and version = ?`, [
                  tenant,
                  part,
                  bucket,
                  row.get('parent_id'),
                  row.get('order_key'),
                  row.get('version'),
                ]),
              ),
          ],
          signal,
        )
    }
  }
  const forget = 'where tenant = ? and version = ?'
  await db.write([superseded.map((row) => remove('content_version', forget, [tenant, row.get('version')]))], signal)
}

/** Rows of a key come newest first: the first one that the oldest kept version shows is the last that anybody needs. */
function staleRows(oldest: number, given: ReadonlySet<number>): (key: string, row: Row) => boolean {
  let last: string | undefined
  let isShown = false
  return (key, row) => {
    if (key !== last) [last, isShown] = [key, false]
    const version: number = row.get('version')
    if (given.has(version)) return true
    if (version > oldest) return false
    const isStale = isShown
    isShown = true
    return isStale
  }
}

const remove = (table: string, where: string, params: readonly unknown[]): Statement => ({
  query: `delete from $.${table} ${where}`,
  params,
})
