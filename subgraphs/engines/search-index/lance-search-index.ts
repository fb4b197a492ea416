import { type Connection, connect, Index, type Table } from '@lancedb/lancedb'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import { GroupCommit } from '../../foundation/group-commit.ts'
import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { within } from '../../foundation/within.ts'
import { wordsOf } from '../models/text-classifier-features.ts'
import { expressionSchema, openTable, phraseSchema } from './lance-tables.ts'
import type { Hit, IndexedExpression, IndexedPhrase, SearchFilter, SearchIndex } from './search-index.ts'

const answerLimitMs = 10_000
const writeAtOnce = 1000
const optimiseEveryMs = 60_000
/** with fewer rows looking at each is faster than any index, and exact */
const rowsWorthAnIndex = 20_000

interface Tables {
  readonly connection: Connection
  readonly expressions: Table
  readonly phrases: Table
}

/**
 * LanceDB in a folder that the processes of one machine share. Writes of one process are gathered, since each makes a version of the table;
 * old versions are cleaned up once a minute.
 */
export function lanceSearchIndex({ folder, log }: { readonly folder: string; readonly log: Log }): SearchIndex & Part {
  let tables: Tables | undefined
  const ask = async <Answer>(question: (tables: Tables) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
    try {
      const opened = tables ?? (await open())
      return await within(question(opened), answerLimitMs, signal, () => new Error('no answer in time'))
    } catch (error) {
      throw error instanceof Fault ? error : new EngineUnavailable('search index', error)
    }
  }
  const open = async (): Promise<Tables> => {
    const connection = await connect(folder, { readConsistencyInterval: 0 })
    const expressions = await openTable(connection, 'expressions', expressionSchema, async (table) => {
      // with it two processes that add the same id at once notice each other
      await table.setUnenforcedPrimaryKey('id')
      await table.createIndex('words', { config: Index.fts({ withPosition: false, stem: false, removeStopWords: false }) })
      await table.createIndex('id', { config: Index.btree() })
    })
    tables = { connection, expressions, phrases: await openTable(connection, 'phrases', phraseSchema, async () => undefined) }
    return tables
  }
  const writes = new GroupCommit<IndexedExpression>({
    mostItems: writeAtOnce,
    write: (expressions) =>
      ask(async (opened) => {
        const last = new Map(expressions.map((each) => [each.id, each]))
        await replace(opened.expressions, [...last.values()].map(rowOf))
      }),
  })
  const optimise = periodic(
    'search index upkeep',
    optimiseEveryMs,
    () =>
      ask(async ({ expressions }) => {
        const indices = await expressions.listIndices()
        if (!indices.some(({ columns }) => columns.includes('vector')) && (await expressions.countRows()) >= rowsWorthAnIndex)
          await expressions.createIndex('vector', { config: Index.hnswSq({ distanceType: 'dot', m: 20, efConstruction: 300 }) })
        await expressions.optimize({ cleanupOlderThan: new Date(Date.now() - optimiseEveryMs) })
      }),
    (error) => log.warn({ err: error }, 'the search index could not be tidied; the next round tries again'),
  )
  return {
    name: 'search index',
    engine: 'lancedb',
    put: (expressions) => writes.add(expressions),
    remove: (ids) =>
      ids.length === 0 ? Promise.resolve() : ask(async (opened) => void (await opened.expressions.delete(among('id', ids)))),
    async find(ids) {
      if (ids.length === 0) return new Map()
      const rows = await ask(({ expressions }) => expressions.query().where(among('id', ids)).select(['id', 'document']).toArray())
      return new Map(rows.map((row) => [String(row.id), String(row.document)]))
    },
    async near(vector, { filter, limit }) {
      const rows = await ask(({ expressions }) => {
        const query = expressions
          .vectorSearch(vector)
          .distanceType('dot')
          .ef(10 * limit)
          .select(['id', 'document', '_distance'])
          .limit(limit)
        const where = conditionOf(filter)
        return (where === undefined ? query : query.where(where)).toArray()
      })
      return rows.map((row): Hit => ({ id: String(row.id), document: String(row.document), score: 1 - Number(row._distance) }))
    },
    async match(text, { filter, limit }) {
      const words = wordsOf(text).join(' ')
      if (words === '') return []
      const rows = await ask(({ expressions }) => {
        const query = expressions
          .query()
          .fullTextSearch(words, { columns: ['words'] })
          .select(['id', 'document', '_score'])
          .limit(limit)
        const where = conditionOf(filter)
        return (where === undefined ? query : query.where(where)).toArray()
      })
      return rows.map((row): Hit => ({ id: String(row.id), document: String(row.document), score: Number(row._score) }))
    },
    async ids(after, limit) {
      const rows = await ask(({ expressions }) => {
        const query = expressions.query().select(['id'])
        return (after === undefined ? query : query.where(`id > ${quoted(after)}`)).toArray()
      })
      return rows
        .map((row) => String(row.id))
        .sort()
        .slice(0, limit)
    },
    count: () => ask(({ expressions }) => expressions.countRows()),
    async taxonomy() {
      const rows = await ask(({ phrases }) => phrases.query().select(['domain', 'revision']).toArray())
      return new Map(rows.map((row) => [String(row.domain), String(row.revision)]))
    },
    putPhrases: (domains, phrases) =>
      ask(async (opened) => {
        if (domains.length > 0) await opened.phrases.delete(among('domain', domains))
        if (phrases.length > 0) await opened.phrases.add(phrases.map(phraseRow))
      }),
    clear: () =>
      ask(async ({ expressions, phrases }) => {
        await expressions.delete('true')
        await phrases.delete('true')
      }),
    health: (signal) => ask(async ({ expressions }) => void (await expressions.version()), signal),
    async start(signal) {
      await ask(async () => undefined, signal).catch((error: unknown) =>
        log.warn({ err: error }, 'the search index cannot be opened; trying on'),
      )
      await optimise.start(signal)
    },
    async stop() {
      await optimise.stop()
      tables?.expressions.close()
      tables?.phrases.close()
      tables?.connection.close()
      tables = undefined
    },
  }
}

type Row = Record<string, unknown>

async function replace(table: Table, rows: Row[]): Promise<void> {
  await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
}

function rowOf(expression: IndexedExpression): Row {
  const { id, text, lang, domain, subDomain, sentiment, position, createdAt, document, embedding } = expression
  return {
    id,
    words: wordsOf(text).join(' '),
    lang,
    domain,
    sub_domain: subDomain,
    sentiment,
    lat: position?.lat ?? null,
    lon: position?.lon ?? null,
    created_at: createdAt.getTime(),
    document,
    vector: [...embedding],
  }
}

const phraseRow = ({ embedding, ...members }: IndexedPhrase): Row => ({ ...members, vector: [...embedding] })

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const among = (column: string, values: readonly string[]): string => `${column} in (${values.map(quoted).join(', ')})`

/** The filter in LanceDB's SQL. */
function conditionOf({ domains, sentiment, lang, box }: SearchFilter): string | undefined {
  const conditions: string[] = []
  if (domains !== undefined)
    conditions.push(domains.length === 0 ? 'false' : `(${among('domain', domains)} or ${among('sub_domain', domains)})`)
  if (sentiment !== undefined) conditions.push(`sentiment = ${quoted(sentiment)}`)
  if (lang !== undefined) conditions.push(`lang = ${quoted(lang)}`)
  if (box !== undefined) {
    const { west, south, east, north } = box
    conditions.push(`lat >= ${south} and lat <= ${north}`)
    conditions.push(west <= east ? `lon >= ${west} and lon <= ${east}` : `(lon >= ${west} or lon <= ${east})`)
  }
  return conditions.length === 0 ? undefined : conditions.join(' and ')
}
