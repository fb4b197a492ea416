import type { Cassandra, Row, Statement } from './cassandra-connection.ts'
import { partNumbers } from './cassandra-tree-view.ts'
import type { Buckets } from './tree-buckets.ts'

const pageRows = 2000

/** A partition of rows in versions. */
interface Partition {
  readonly table: string
  readonly of: readonly string[]
  readonly params: readonly unknown[]
  /** columns that name a key within it */
  readonly key: readonly string[]
  /** whether a row says that there is nothing */
  readonly says: { readonly column: string; readonly nothing: (value: unknown) => boolean }
}

const deleted: Partition['says'] = { column: 'deleted', nothing: (value) => value === true }
const leadsNowhere: Partition['says'] = { column: 'order_key', nothing: (value) => value === null }

/**
 * Removes what only versions superseded before that moment show, and what was written under numbers that were given up; of these the ones that
 * no row has any more are forgotten. What goes is said by ranges, one for a key: a reader passes one mark and not one for each row.
 */
export async function purgeTenant(db: Cassandra, tenant: string, before: Date, signal: AbortSignal): Promise<void> {
  const [tree] = await db.rows('select * from $.content_tree where tenant = ?', [tenant], signal)
  const versions = await db.rows('select * from $.content_version where tenant = ?', [tenant], signal)
  const kept = versions.filter((row) => row.get('published_at') < before && row.get('version') <= tree?.get('version')).at(-1)
  if (tree === undefined || kept === undefined) return
  const oldest: number = kept.get('version')
  const givenUp = new Set<number>(tree.get('aborted') ?? [])
  // those above may still be written to: their writers lost their turns only lately
  const settled = [...givenUp].filter((number) => number < oldest)
  const isAnySuperseded = versions.some((row) => row.get('version') < oldest)
  if (!isAnySuperseded && settled.length === 0) return
  const buckets = new Set(versions.flatMap((row) => (JSON.parse(row.get('buckets')) as Buckets).map(({ id }) => id)))
  for (const partition of partitionsOf(tenant, buckets)) await purgePartition(db, partition, oldest, givenUp, signal)
  if (isAnySuperseded) await db.rows('delete from $.content_version where tenant = ? and version < ?', [tenant, oldest], signal)
  if (settled.length > 0)
    await db.applied('update $.content_tree set aborted = aborted - ? where tenant = ? if exists', [settled, tenant], signal)
}

function* partitionsOf(tenant: string, buckets: ReadonlySet<number>): Generator<Partition> {
  for (const bucket of buckets)
    yield { table: 'content_node', of: ['tenant', 'bucket'], params: [tenant, bucket], key: ['order_key'], says: deleted }
  for (const part of partNumbers) {
    for (const kind of ['i', 'x'])
      yield { table: 'content_name', of: ['tenant', 'kind', 'part'], params: [tenant, kind, part], key: ['name'], says: leadsNowhere }
    for (const bucket of buckets) {
      const of = ['tenant', 'part', 'bucket']
      yield { table: 'content_child', of, params: [tenant, part, bucket], key: ['parent_id', 'order_key'], says: deleted }
    }
  }
}

async function purgePartition(
  db: Cassandra,
  { table, of, params, key, says }: Partition,
  oldest: number,
  givenUp: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<void> {
  const where = (columns: readonly string[]): string => `where ${columns.map((column) => `${column} = ?`).join(' and ')}`
  const stale = staleRows(oldest, givenUp, key, says)
  const scan = `select ${[...new Set([...key, 'version', says.column])].join(', ')} from $.${table} ${where(of)}`
  for await (const rows of db.pages(scan, params, pageRows, signal)) {
    const statements = rows.flatMap((row): Statement[] => {
      const range = stale(row)
      if (range === undefined) return []
      const query = `delete from $.${table} ${where([...of, ...key])} and version ${range.sign} ?`
      return [{ query, params: [...params, ...key.map((column) => row.get(column)), range.version] }]
    })
    await db.write([statements], signal)
  }
}

/**
 * Rows of a key come newest first: the first one that the oldest kept version shows is the last that anybody needs, and when it says that there
 * is nothing, nobody needs it either.
 * @returns what has to be removed when that row is met
 */
function staleRows(oldest: number, givenUp: ReadonlySet<number>, columns: readonly string[], { column, nothing }: Partition['says']) {
  let last: string | undefined
  /** undefined: what the oldest kept version shows was not met yet; null: what is below it was removed */
  let shown: number | null | undefined
  return (row: Row): { readonly sign: '=' | '<' | '<='; readonly version: number } | undefined => {
    const key = JSON.stringify(columns.map((each) => row.get(each)))
    if (key !== last) [last, shown] = [key, undefined]
    const version: number = row.get('version')
    if (shown === null) return undefined
    if (shown !== undefined) {
      const range = { sign: '<', version: shown } as const
      shown = null
      return range
    }
    if (givenUp.has(version)) return { sign: '=', version }
    if (version > oldest) return undefined
    shown = nothing(row.get(column)) ? null : version
    return shown === null ? { sign: '<=', version } : undefined
  }
}
