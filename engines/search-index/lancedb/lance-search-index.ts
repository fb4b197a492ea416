import { type Connection, connect, MultiMatchQuery, Session, type Table } from '@lancedb/lancedb'
import { systemClock } from '../../../foundation/clock.ts'
import { Circuit, isUnavailable } from '../../../foundation/concurrency/circuit-breaker.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault, messageOf } from '../../../foundation/fault.ts'
import { FullDisk, isDiskFullError } from '../../../foundation/health/stalled.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { withinMemory } from '../../../foundation/process/memory-share.ts'
import { wordsOf } from '../../../foundation/text/words.ts'
import { type Hit, inStableOrder, type SearchIndex } from '../search-index.ts'
import { among, conditionOf } from './lance-conditions.ts'
import { lanceCounts } from './lance-counts.ts'
import { compactTable, lanceExpressions } from './lance-expressions.ts'
import { phraseRows } from './lance-rows.ts'
import {
  currentTable,
  dropOtherKinds,
  expressionTable,
  makeTable,
  openCurrent,
  otherTables,
  phraseTable,
  switchTable,
  type TableKind,
} from './lance-tables.ts'
import { WriteBehind } from './lance-write-behind.ts'

const answerLimitMs = 10_000
/** retry interval while it fails: each attempt takes it seconds */
const retryEveryMs = 1000
/** Memory limits of LanceDB's caches; its defaults are 6 GB and 1 GB. An index of 100,000 vectors takes about 100 MB. */
const cacheBytes = { indices: 256 * 1024 * 1024, metadata: 64 * 1024 * 1024 }
/** Its caches within the memory of the process. */
const session = (): Session =>
  new Session(BigInt(withinMemory(cacheBytes.indices, 1 / 16)), BigInt(withinMemory(cacheBytes.metadata, 1 / 64)))
/** Number of versions since the last compaction that triggers an immediate one, since writes read each of them */
const manyVersions = 50
/** maximum share of time spent on compaction */
const tidyShare = 0.1
/** with fewer versions, compaction waits this long */
const tidyAfterMs = 60_000
/** building an index of a hundred thousand vectors takes half a minute */
const tidyLimitMs = 600_000

type Question<Answer> = (table: Table) => Promise<Answer>
type Ask = <Answer>(kind: TableKind, question: Question<Answer>, signal?: AbortSignal) => Promise<Answer>

const unanswered = (): EngineUnavailable => new EngineUnavailable('search index', new Error('no response within the time limit'))

/** Opens the connection and the current tables of a folder on first use. */
function openTables(folder: string, disk: FullDisk) {
  let connection: Connection | undefined
  const opened = new Map<TableKind, Table>()
  const connected = async (): Promise<Connection> => {
    connection ??= await connect(folder, { readConsistencyInterval: 0 }, session())
    return connection
  }
  const tableOf = async (kind: TableKind): Promise<Table> => {
    const current = opened.get(kind)
    if (current !== undefined && current.name === (await currentTable(folder, kind))) return current
    const table = await openCurrent(await connected(), folder, kind)
    opened.set(kind, table)
    return table
  }
  return {
    connected,
    /** Repeats a failed query once: the table may have been replaced or its files deleted. */
    async queryWithin<Answer>(limitMs: number, kind: TableKind, question: Question<Answer>, signal?: AbortSignal): Promise<Answer> {
      const twice = async (): Promise<Answer> => {
        try {
          return await question(await tableOf(kind))
        } catch {
          opened.delete(kind)
          return await question(await tableOf(kind))
        }
      }
      try {
        return await withTimeout(twice(), limitMs, signal, () => new Error(`no response within ${limitMs} ms`))
      } catch (error) {
        disk.note(error)
        throw error instanceof Fault ? error : new EngineUnavailable('search index', error)
      }
    },
    close(): void {
      for (const table of opened.values()) table.close()
      opened.clear()
      connection?.close()
      connection = undefined
    },
  }
}

/** Candidates of a vector search: ten for each hit of a page, fewer for each of a long ranking, which would take seconds. */
const effortOf = (hits: number): number => Math.max(Math.ceil(1.5 * hits), Math.min(10 * hits, 1500))

/** The searches; `read` queries the current table of expressions. */
const searchesOf = (read: <Answer>(question: Question<Answer>) => Promise<Answer>): Pick<SearchIndex, 'near' | 'match'> => ({
  near(vector, { filter, limit }) {
    const where = conditionOf(filter)
    return inStableOrder(limit, async (size) => {
      const rows = await read((table) => {
        const query = table.vectorSearch(vector).distanceType('dot').ef(effortOf(size)).select(['id', '_distance']).limit(size)
        return (where === undefined ? query : query.where(where)).toArray()
      })
      return rows.map((row): Hit => ({ id: String(row.id), score: 1 - Number(row._distance) }))
    })
  },
  match(words, { filter, limit }) {
    const where = conditionOf(filter)
    return inStableOrder(limit, async (size) => {
      const rows = await read((table) => {
        const query = table
          .query()
          // results of a plain query are unordered until the words of some row are indexed (0.37.1)
          .fullTextSearch(new MultiMatchQuery(words, ['words']))
          .select(['id', '_score'])
          .limit(size)
        return (where === undefined ? query : query.where(where)).toArray()
      })
      return rows.map((row): Hit => ({ id: String(row.id), score: Number(row._score) }))
    })
  },
})

/** Makes an empty table that replaces the current one when it is published. */
async function rebuildTable(options: {
  readonly open: Connection
  readonly folder: string
  readonly kind: TableKind
  readonly ask: Ask
  readonly log: Log
}): ReturnType<SearchIndex['rebuild']> {
  const { open, folder, kind, ask, log } = options
  const dropOthers = async (): Promise<void> => {
    for (const name of await otherTables(open, folder, kind)) await open.dropTable(name)
  }
  const timed = <Answer>(work: Promise<Answer>, limitMs = answerLimitMs): Promise<Answer> =>
    withTimeout(work, limitMs, undefined, unanswered)
  await ask(kind, dropOthers)
  const table = await timed(makeTable(open, kind))
  const publish = async (): Promise<void> => {
    await compactTable(table)
    await switchTable(folder, kind, table.name)
    // a table with an active writer cannot be deleted
    await dropOthers().catch((error: unknown) =>
      log.info({ err: error }, 'could not delete a replaced search index; the next rebuild will'),
    )
  }
  return {
    ...lanceExpressions((question) => timed(question(table))),
    publish: () => timed(publish(), tidyLimitMs),
    discard: async () => {
      if ((await currentTable(folder, kind)) !== table.name) await timed(open.dropTable(table.name))
    },
  }
}

/** Returns a function that compacts a table when enough was written since the last compaction. */
function compaction(): Question<void> {
  let last = { name: '', versions: 0, endedAt: 0, tookMs: 0 }
  return async (table) => {
    const [now, version] = [performance.now(), await table.version()]
    const { name, versions, endedAt, tookMs } = last
    const isOther = name !== table.name
    const newer = version - versions
    const isWorth = newer >= manyVersions ? now - endedAt > tookMs / tidyShare : newer > 0 && now - endedAt > tidyAfterMs
    if (!isOther && !isWorth) return
    try {
      await compactTable(table)
    } catch (error) {
      // a concurrent write changed the same rows: the next run repeats this
      if (isConflict(error)) return
      throw error
    }
    const ended = performance.now()
    last = { name: table.name, versions: await table.version(), endedAt: ended, tookMs: ended - now }
  }
}

/**
 * The search index on LanceDB in a folder shared by the processes of one machine. A pointer file names the current table, so that a rebuilt one
 * replaces it atomically. @param options - `generation`: indices of other generations in the folder are left unchanged
 */
export function lanceSearchIndex(options: { readonly folder: string; readonly generation: string; readonly log: Log }): SearchIndex & Part {
  const { folder, generation, log } = options
  const expressionKind = expressionTable(generation)
  const phraseKind = phraseTable(generation)
  const disk = new FullDisk()
  const tables = openTables(folder, disk)
  const compact = compaction()
  const circuit = new Circuit({
    clock: systemClock,
    engine: 'search index',
    answerLimitMs,
    retryEveryMs,
    // searches still work
    counts: (error) => isUnavailable(error) && !(error instanceof Error && isDiskFullError(error.cause)),
  })
  const ask: Ask = (kind, question, signal) => circuit.run(() => tables.queryWithin(answerLimitMs, kind, question, signal), signal)
  /** Repeats a read if the table was replaced meanwhile, since its files are deleted newest first. */
  const read = async <Answer>(question: Question<Answer>): Promise<Answer> => {
    const { name, answer } = await ask(expressionKind, async (table) => ({ name: table.name, answer: await question(table) }))
    return name === (await currentTable(folder, expressionKind)) ? answer : ask(expressionKind, question)
  }
  const written = lanceExpressions((question) => ask(expressionKind, question))
  const soon = new WriteBehind({ add: (rows) => written.put(rows, { areNew: true }), merge: (rows) => written.put(rows) })
  const settled = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    await soon.settle()
    return work()
  }
  const searches = searchesOf(read)
  const counts = lanceCounts(read)
  return {
    name: 'search index',
    engine: 'lancedb',
    put: (expressions, options = {}) =>
      options.isDelayAllowed ? soon.put(expressions, options.areNew ?? false) : settled(() => written.put(expressions, options)),
    async remove(ids) {
      if (ids.length === 0) return
      soon.forget(ids)
      await settled(() => written.remove(ids))
    },
    summarise: (range) => settled(() => written.summarise(range)),
    versions: (range, limit) => settled(() => written.versions(range, limit)),
    count: () => settled(() => written.count()),
    async find(ids) {
      const buffered = ids.flatMap((id) => soon.get(id) ?? [])
      const documents = new Map(buffered.map(({ id, document }) => [id, document]))
      const others = ids.filter((id) => !documents.has(id))
      if (others.length === 0) return documents
      const rows = await read((table) => table.query().where(among('id', others)).select(['id', 'document']).toArray())
      for (const row of rows) documents.set(String(row.id), String(row.document))
      return documents
    },
    near: async (vector, search) => (vector.every((value) => value === 0) ? [] : settled(() => searches.near(vector, search))),
    async match(text, search) {
      const words = wordsOf(text).join(' ')
      return words === '' ? [] : settled(() => searches.match(words, search))
    },
    tally: (filter, grouping) => settled(() => counts.tally(filter, grouping)),
    newest: (filter, window) => settled(() => counts.newest(filter, window)),
    async taxonomy() {
      const rows = await ask(phraseKind, (table) => table.query().select(['domain', 'revision']).toArray())
      return new Map(rows.map((row) => [String(row.domain), String(row.revision)]))
    },
    putPhrases: (domains, phrases) =>
      ask(phraseKind, async (table) => {
        if (domains.length > 0) await table.delete(among('domain', domains))
        if (phrases.length > 0) await table.add(phraseRows(phrases))
      }),
    identity: () => ask(expressionKind, async ({ name }) => name),
    rebuild: async () => rebuildTable({ open: await tables.connected(), folder, kind: expressionKind, ask, log }),
    prune: () =>
      withTimeout(
        tables.connected().then((open) => dropOtherKinds(open, folder, [expressionKind, phraseKind])),
        tidyLimitMs,
        undefined,
        unanswered,
      ),
    tidy: () => tables.queryWithin(tidyLimitMs, expressionKind, compact),
    async health(signal) {
      await ask(expressionKind, async (table) => void (await table.version()), signal)
      disk.refuse()
    },
    async start(signal) {
      await ask(expressionKind, async () => undefined, signal).catch((error: unknown) =>
        log.warn({ err: error }, 'could not open the search index, retrying'),
      )
    },
    async stop() {
      await soon.close()
      tables.close()
    },
  }
}

/** Whether another process or another write of this one was faster (Lance, "Conflict Resolution"). */
const isConflict = (error: unknown): boolean => messageOf(error).includes('commit conflict')
