import { Index, type Table } from '@lancedb/lancedb'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { type ExpressionIndex, type IndexedExpression, lastOfEach } from '../search-index.ts'
import { among, rangeCondition } from './lance-conditions.ts'
import { expressionRows } from './lance-rows.ts'

const writeAtOnce = 1000
/** with fewer rows looking at each is faster than any index, and exact */
const rowsWorthAnIndex = 20_000
/** of versions, which each look for the latest one passes by: longer than a question may take */
const keptVersionsMs = 20_000

/** Asks a table with a time limit; the table may be another one after a rebuild. */
export type AskTable = <Answer>(question: (table: Table) => Promise<Answer>) => Promise<Answer>

/** The expressions of one table. Writes of one process are gathered, since each makes a version of the table. */
export function lanceExpressions(ask: AskTable): ExpressionIndex {
  // to look for rows takes longer with each version since the table was tidied; to add them does not
  const add = (rows: readonly IndexedExpression[]): Promise<void> => ask(async (table) => void (await table.add(expressionRows(rows))))
  const merge = (rows: readonly IndexedExpression[], where?: string): Promise<void> =>
    ask(async (table) => {
      // by the index of the ids, two processes that write the same id at once would not notice each other
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
/** Brings what was added into the table's indices, and forgets old versions of it. */
export async function tidy(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - keptVersionsMs) })
  const indexed = new Set((await table.listIndices()).flatMap(({ columns }) => columns))
  const rows = await table.countRows()
  if (rows >= rowsWorthAnIndex) {
    for (const column of filtered) if (!indexed.has(column)) await table.createIndex(column, { config: Index.bitmap() })
    if (!indexed.has('vector'))
      await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'dot', m: 16, efConstruction: 100 }) })
  }
}
