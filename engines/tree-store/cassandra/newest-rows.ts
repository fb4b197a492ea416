import type { Row } from './cassandra-connection.ts'

/** Rows with one version per change of a key. */
export interface VersionedRows {
  readonly key: 'order_key' | 'name'
  /** whether the versions of a key are ordered oldest first */
  readonly isOldestFirst: boolean
  /** At most `limit` rows of the keys after one, rows of a key together. */
  page(behind: string | undefined, limit: number): Promise<readonly Row[]>
  /** Rows of one key, newest first. */
  versions(key: string): AsyncIterable<readonly Row[]>
}

/** Size of the first page and the maximum, to which the following ones grow */
export interface PageSize {
  readonly first: number
  readonly max: number
}

const growth = 4

/** Yields the newest visible row of each key. Skips superseded rows: a key costs at most the page it is on, however often it was changed. */
export async function* newestOfEach(
  rows: VersionedRows,
  { first, max }: PageSize,
  isVisible: (row: Row) => boolean,
): AsyncGenerator<Row, undefined> {
  let behind: string | undefined
  for (let limit = first; ; limit = Math.min(limit * growth, Math.max(first, max))) {
    const page = await rows.page(behind, limit)
    const isLast = page.length < limit
    let best: Row | undefined
    let key: string | undefined
    for (const row of page) {
      const own: string = row.get(rows.key)
      if (own !== key) {
        if (best !== undefined) yield best
        best = undefined
        key = own
      }
      if ((best === undefined || rows.isOldestFirst) && isVisible(row)) best = row
    }
    if (key === undefined) return
    // versions of the last key may continue after the page
    if (!isLast && (best === undefined || rows.isOldestFirst)) best = await newestOf(rows.versions(key), isVisible)
    if (best !== undefined) yield best
    if (isLast) return
    behind = key
  }
}

async function newestOf(pages: AsyncIterable<readonly Row[]>, isVisible: (row: Row) => boolean): Promise<Row | undefined> {
  for await (const rows of pages) {
    const visible = rows.find(isVisible)
    if (visible !== undefined) return visible
  }
  return undefined
}
