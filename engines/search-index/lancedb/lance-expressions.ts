import { Index, type Table } from '@lancedb/lancedb'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { type ExpressionIndex, type IndexedExpression, lastOfEach } from '../search-index.ts'
import { among, rangeCondition } from './lance-conditions.ts'
import { expressionRows } from './lance-rows.ts'

const writeAtOnce = 1000
/** below this number of rows a scan is faster than any index, and exact */
const rowsWorthAnIndex = 20_000
/** how long versions are retained, which slow the search for the latest one; longer than a query may take */
const versionRetentionMs = 20_000

/** Runs a query with a time limit on the current table, which a rebuild may replace. */
export type QueryTable = <Answer>(question: (table: Table) => Promise<Answer>) => Promise<Answer>

/** The expressions of one table. Writes of a process are batched, since each creates a table version. */
export function lanceExpressions(ask: QueryTable): ExpressionIndex {
  // a lookup slows down with each version since the last compaction; an insert does not
  const add = (rows: readonly IndexedExpression[]): Promise<void> => ask(async (table) => void (await table.add(expressionRows(rows))))
  const merge = (rows: readonly IndexedExpression[], where?: string): Promise<void> =>
    ask(async (table) => {
      // with the id index, concurrent inserts of the same id by two processes would not conflict
      const merging = table
        .mergeInsert('id')
        .useIndex(false)
        .whenMatchedUpdateAll(where === undefined ? undefined : { where })
      await merging.whenNotMatchedInsertAll().execute(expressionRows(lastOfEach(rows)))
    })
  const writes = new GroupCommit<IndexedExpression>({
    maxWeight: writeAtOnce,
    write: (rows) => merge(rows, 'target.version <= source.version'),
  })
  return {
    put: async (expressions, { evenOlder = false, areNew = false } = {}) => {
      for (let start = 0; start < expressions.length; start += writeAtOnce) {
        const some = expressions.slice(start, start + writeAtOnce)
        await (areNew ? add(some) : evenOlder ? merge(some) : writes.add(some))
      }
    },
    async remove(ids) {
      if (ids.length > 0) await ask(async (table) => void (await table.delete(among('id', ids))))
    },
    async summarise(range) {
      const rows = await ask((table) => table.query().where(rangeCondition(range)).select(['fingerprint']).toArray())
      return { count: rows.length, sum: rows.reduce((sum, row) => sum + Number(row.fingerprint), 0) }
    },
    async versions(range, limit) {
      const rows = await ask((table) => table.query().where(rangeCondition(range)).select(['id', 'version']).toArray())
      const versions = new Map<string, number>()
      for (const row of rows) versions.set(String(row.id), versions.has(String(row.id)) ? -1 : Number(row.version))
      return new Map([...versions].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit))
    },
    count: () => ask((table) => table.countRows()),
  }
}

const filtered = ['domain', 'sub_domain', 'lang', 'sentiment']
/** Updates the indices of the table and removes old versions. */
export async function compactTable(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - versionRetentionMs) })
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns))
  const rows = await table.countRows()
  if (rows >= rowsWorthAnIndex) {
    for (const column of filtered) if (!indexed.has(column)) await table.createIndex(column, { config: Index.bitmap() })
    if (!indexed.has('vector'))
      await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'dot', m: 16, efConstruction: 100 }) })
  }
}
