import type { Cassandra, Row, Statement } from './cassandra-connection.ts'
import { changedKeys, forgetChanges, type VersionedKey } from './change-log.ts'
import { allRows, type RowSelection, rowsAt } from './versioned-rows.ts'

const pageRows = 2000
/** maximum number of changed keys per turn; later turns do the rest */
const keysPerPurge = 50_000

/**
 * Deletes rows that only versions superseded before a time show, and rows of abandoned versions, whose numbers are then forgotten. Writes one range
 * tombstone per key, so that readers skip one instead of one per row. Reads only keys that these versions changed, or the whole tree if an older
 * release wrote one of them.
 */
export async function purgeTenant(db: Cassandra, tenant: string, before: Date, signal: AbortSignal): Promise<void> {
  const [tree] = await db.rows('select * from $.content_tree where tenant = ?', [tenant], signal)
  const versions = await db.rows('select * from $.content_version where tenant = ?', [tenant], signal)
  const aborted = new Set<number>(tree?.get('aborted') ?? [])
  const published = versions
    .filter((row) => row.get('published_at') < before && row.get('version') <= tree?.get('version'))
    .map((row): number => row.get('version'))
  // the rows that the first one supersedes were purged when it became the first
  const [first, ...later] = published.filter((number) => !aborted.has(number))
  if (first === undefined) return
  const last = later.at(-1) ?? first
  // later ones may still be written to: their writers lost their turns only recently
  const settled = [...aborted].filter((number) => number < last)
  const due = [...later, ...settled].sort((one, other) => one - other)
  const changes = await changesOf(db, tenant, due, signal)
  const done = changes?.versions ?? due
  const oldest = done.findLast((number) => !aborted.has(number)) ?? first
  const rows = changes === undefined ? allRows(tenant, versions) : rowsAt(tenant, changes.keys, Math.max(oldest, ...done))
  for (const some of rows) await purgeRows(db, some, oldest, aborted, signal)
  for (const number of done) await forgetChanges(db, tenant, number, signal)
  if (oldest > first) await db.rows('delete from $.content_version where tenant = ? and version < ?', [tenant, oldest], signal)
  const abortedDone = done.filter((number) => aborted.has(number))
  if (abortedDone.length > 0)
    await db.applied('update $.content_tree set aborted = aborted - ? where tenant = ? if exists', [abortedDone, tenant], signal)
}

/** Returns the changes of the first of these versions, as many as fit in one turn. @returns undefined if one of them has no change log */
async function changesOf(
  db: Cassandra,
  tenant: string,
  due: readonly number[],
  signal: AbortSignal,
): Promise<{ readonly keys: readonly VersionedKey[]; readonly versions: readonly number[] } | undefined> {
  const keys: VersionedKey[] = []
  const versions: number[] = []
  for (const version of due) {
    const changed = await changedKeys(db, tenant, version, signal)
    if (changed === undefined) return undefined
    for (const key of changed) keys.push(key)
    versions.push(version)
    if (keys.length >= keysPerPurge) break
  }
  return { keys, versions }
}

async function purgeRows(
  db: Cassandra,
  { table, of, params, key, presence, among }: RowSelection,
  oldest: number,
  aborted: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<void> {
  const where = (columns: readonly string[]): string => `where ${columns.map((column) => `${column} = ?`).join(' and ')}`
  const stale = staleRows(oldest, aborted, key, presence)
  const these =
    among === undefined
      ? { text: '', params: [] }
      : { text: ` and ${among.column} in ? and version <= ?`, params: [among.keys, among.upTo] }
  const scan = `select ${[...new Set([...key, 'version', presence.column])].join(', ')} from $.${table} ${where(of)}${these.text}`
  for await (const rows of db.pages(scan, [...params, ...these.params], pageRows, signal)) {
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
 * Rows of a key are ordered newest first: the first one visible in the oldest retained version is the last one needed, or not needed either if it
 * marks a deletion. @returns the deletions due at a row
 */
function staleRows(
  oldest: number,
  aborted: ReadonlySet<number>,
  columns: readonly string[],
  { column, nothing }: RowSelection['presence'],
) {
  let last: string | undefined
  /** undefined: the row visible in the oldest retained version was not reached yet; null: the rows below it were deleted */
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
    if (aborted.has(version)) return { sign: '=', version }
    if (version > oldest) return undefined
    shown = nothing(row.get(column)) ? null : version
    return shown === null ? { sign: '<=', version } : undefined
  }
}
