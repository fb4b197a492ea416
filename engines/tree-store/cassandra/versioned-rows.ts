import type { Row } from './cassandra-connection.ts'
import { partNumbers } from './cassandra-tree-view.ts'
import type { VersionedKey } from './change-log.ts'
import type { Buckets } from './tree-buckets.ts'

/** Versioned rows of one partition, or of one parent within it. */
export interface RowSelection {
  readonly table: string
  readonly of: readonly string[]
  readonly params: readonly unknown[]
  /** columns that identify a key within them */
  readonly key: readonly string[]
  /** the column that marks a deletion */
  readonly presence: { readonly column: string; readonly nothing: (value: unknown) => boolean }
  /** only these keys up to a version; all if absent */
  readonly among?: { readonly column: string; readonly keys: readonly string[]; readonly upTo: number }
}

/** maximum keys of one `in` */
const keysAtOnce = 100
const deleted: RowSelection['presence'] = { column: 'deleted', nothing: (value) => value === true }
const leadsNowhere: RowSelection['presence'] = { column: 'order_key', nothing: (value) => value === null }

const nodes = (tenant: string, bucket: number): RowSelection => ({
  table: 'content_node',
  of: ['tenant', 'bucket'],
  params: [tenant, bucket],
  key: ['order_key'],
  presence: deleted,
})
const names = (tenant: string, kind: string, part: number): RowSelection => ({
  table: 'content_name',
  of: ['tenant', 'kind', 'part'],
  params: [tenant, kind, part],
  key: ['name'],
  presence: leadsNowhere,
})
const children = (tenant: string, part: number, bucket: number): RowSelection => ({
  table: 'content_child',
  of: ['tenant', 'part', 'bucket'],
  params: [tenant, part, bucket],
  key: ['parent_id', 'order_key'],
  presence: deleted,
})
const childrenOf = (tenant: string, part: number, bucket: number, parentId: string): RowSelection => {
  const { of, params, ...rest } = children(tenant, part, bucket)
  return { ...rest, of: [...of, 'parent_id'], params: [...params, parentId], key: ['order_key'] }
}

/** Yields all rows of a tree. @param versions - rows that list its buckets */
export function* allRows(tenant: string, versions: readonly Row[]): Generator<RowSelection> {
  const buckets = new Set(versions.flatMap((row) => (JSON.parse(row.get('buckets')) as Buckets).map(({ id }) => id)))
  for (const bucket of buckets) yield nodes(tenant, bucket)
  for (const part of partNumbers) {
    for (const kind of ['i', 'x']) yield names(tenant, kind, part)
    for (const bucket of buckets) yield children(tenant, part, bucket)
  }
}

/** Yields rows of these keys up to version `upTo`. */
export function* rowsAt(tenant: string, keys: readonly VersionedKey[], upTo: number): Generator<RowSelection> {
  const placeOf = (key: VersionedKey): string => JSON.stringify(key.slice(0, -1))
  for (const some of Map.groupBy(keys, placeOf).values()) {
    const [first] = some
    if (first === undefined) continue
    const rows = partitionOf(tenant, first)
    const own = [...new Set(some.map((key) => String(key.at(-1))))]
    const [column = ''] = rows.key
    for (let at = 0; at < own.length; at += keysAtOnce) yield { ...rows, among: { column, keys: own.slice(at, at + keysAtOnce), upTo } }
  }
}

function partitionOf(tenant: string, key: VersionedKey): RowSelection {
  switch (key[0]) {
    case 'n':
      return nodes(tenant, key[1])
    case 'c':
      return childrenOf(tenant, key[1], key[2], key[3])
    default:
      return names(tenant, key[0], key[1])
  }
}
