import { type Connection, connect, MultiMatchQuery, Session, type Table } from '@lancedb/lancedb'
import { systemClock } from '../../../foundation/clock.ts'
import { Circuit, isAway } from '../../../foundation/concurrency/circuit-breaker.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault, messageOf } from '../../../foundation/fault.ts'
import { FullDisk, saysDiskFull } from '../../../foundation/health/stalled.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { wordsOf } from '../../text/words.ts'
import { type Hit, inStableOrder, type SearchIndex } from '../search-index.ts'
import { among, conditionOf } from './lance-conditions.ts'
import { lanceExpressions, tidy } from './lance-expressions.ts'
import { phraseRows } from './lance-rows.ts'
import {
  currentTable,
  dropOtherKinds,
  expressionTable,
  makeTable,
  openCurrent,
  otherTables,
  phraseTable,
  pointTo,
  type TableKind,
} from './lance-tables.ts'
import { WriteBehind } from './lance-write-behind.ts'

const answerLimitMs = 10_000
/** retry interval while it fails: each attempt takes it seconds */
const retryEveryMs = 1000
/** Memory limits of LanceDB's caches; its defaults are 6 GB and 1 GB. An index of 100,000 vectors takes about 100 MB. */
const cacheBytes = { indices: 256n * 1024n * 1024n, metadata: 64n * 1024n * 1024n }
/** Number of versions since the last compaction that triggers an immediate one, since writes read each of them */
const manyVersions = 50
/** maximum share of time spent on compaction */
const tidyShare = 0.1
/** with fewer versions, compaction waits this long */
const tidyAfterMs = 60_000
/** building an index of a hundred thousand vectors takes half a minute */
const tidyLimitMs = 600_000

/**
 * The search index on LanceDB in a folder shared by the processes of one machine. A pointer file names the current table, so that a rebuilt one
 * replaces it atomically. @param options - `generation`: indices of other generations in the folder are left unchanged
 */
export function lanceSearchIndex(options: { readonly folder: string; readonly generation: string; readonly log: Log }): SearchIndex & Part {
  const { folder, generation, log } = options
  const expressionKind = expressionTable(generation)
  const phraseKind = phraseTable(generation)
  let connection: Connection | undefined
  let tidied = { name: '', versions: 0, endedAt: 0, tookMs: 0 }
  const opened = new Map<TableKind, Table>()
  const disk = new FullDisk()

  const connected = async (): Promise<Connection> => {
    connection ??= await connect(folder, { readConsistencyInterval: 0 }, new Session(cacheBytes.indices, cacheBytes.metadata))
    return connection
  }
  const tableOf = async (kind: TableKind): Promise<Table> => {
    const known = opened.get(kind)
    if (known !== undefined && known.name === (await currentTable(folder, kind))) return known
    const table = await openCurrent(await connected(), folder, kind)
    opened.set(kind, table)
    return table
  }
  /** Repeats a failed query once: the table may have been replaced or its files deleted. */
  const askWithin = async <Answer>(
    limitMs: number,
    kind: TableKind,
    question: (table: Table) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    const twice = async (): Promise<Answer> => {
      try {
        return await question(await tableOf(kind))
      } catch {
        opened.delete(kind)
        return await question(await tableOf(kind))
      }
    }
    try {
      return await withTimeout(twice(), limitMs, signal, () => new Error('no answer in time'))
    } catch (error) {
      disk.note(error)
      throw error instanceof Fault ? error : new EngineUnavailable('search index', error)
    }
  }
  const circuit = new Circuit({
    clock: systemClock,
    engine: 'search index',
    answerLimitMs,
    retryEveryMs,
    // searches still work
    counts: (error) => isAway(error) && !(error instanceof Error && saysDiskFull(error.cause)),
  })
  const ask = <Answer>(kind: TableKind, question: (table: Table) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> =>
    circuit.run(() => askWithin(answerLimitMs, kind, question, signal), signal)
  /** Repeats a read if the table was replaced meanwhile, since its files are deleted newest first. */
  const read = async <Answer>(question: (table: Table) => Promise<Answer>): Promise<Answer> => {
    const { name, answer } = await ask(expressionKind, async (table) => ({ name: table.name, answer: await question(table) }))
    return name === (await currentTable(folder, expressionKind)) ? answer : ask(expressionKind, question)
  }
  const written = lanceExpressions((question) => ask(expressionKind, question))
  const soon = new WriteBehind({ add: (rows) => written.put(rows, { areNew: true }), merge: (rows) => written.put(rows) })
  const settled = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    await soon.settle()
    return work()
  }
  return {
    name: 'search index',
    engine: 'lancedb',
    put: (expressions, options = {}) =>
      options.isSoonEnough ? soon.put(expressions, options.areNew ?? false) : settled(() => written.put(expressions, options)),
    async remove(ids) {
      if (ids.length === 0) return
      soon.forget(ids)
      await settled(() => written.remove(ids))
    },
    summarise: (range) => settled(() => written.summarise(range)),
    versions: (range, limit) => settled(() => written.versions(range, limit)),
    count: () => settled(() => written.count()),
    async find(ids) {
      const kept = ids.flatMap((id) => soon.get(id) ?? [])
      const found = new Map(kept.map(({ id, document }) => [id, document]))
      const others = ids.filter((id) => !found.has(id))
      if (others.length === 0) return found
      const rows = await read((table) => table.query().where(among('id', others)).select(['id', 'document']).toArray())
      for (const row of rows) found.set(String(row.id), String(row.document))
      return found
    },
    async near(vector, { filter, limit }) {
      if (vector.every((value) => value === 0)) return []
      await soon.settle()
      const where = conditionOf(filter)
      return inStableOrder(limit, async (most) => {
        const rows = await read((table) => {
          const query = table
            .vectorSearch(vector)
            .distanceType('dot')
            .ef(10 * most)
            .select(['id', 'document', '_distance'])
            .limit(most)
          return (where === undefined ? query : query.where(where)).toArray()
        })
        return rows.map((row): Hit => ({ id: String(row.id), document: String(row.document), score: 1 - Number(row._distance) }))
      })
    },
    async match(text, { filter, limit }) {
      const words = wordsOf(text).join(' ')
      if (words === '') return []
      await soon.settle()
      const where = conditionOf(filter)
      return inStableOrder(limit, async (most) => {
        const rows = await read((table) => {
          const query = table
            .query()
            // results of a plain query are unordered until the words of some row are indexed (0.37.1)
            .fullTextSearch(new MultiMatchQuery(words, ['words']))
            .select(['id', 'document', '_score'])
            .limit(most)
          return (where === undefined ? query : query.where(where)).toArray()
        })
        return rows.map((row): Hit => ({ id: String(row.id), document: String(row.document), score: Number(row._score) }))
      })
    },
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
    async rebuild() {
      const open = await connected()
      const dropOthers = async (): Promise<void> => {
        for (const name of await otherTables(open, folder, expressionKind)) await open.dropTable(name)
      }
      const timed = <Answer>(work: Promise<Answer>, limitMs = answerLimitMs): Promise<Answer> =>
        withTimeout(work, limitMs, undefined, () => new EngineUnavailable('search index', new Error('no answer in time')))
      await ask(expressionKind, dropOthers)
      const table = await timed(makeTable(open, expressionKind))
      const publish = async (): Promise<void> => {
        await tidy(table)
        await pointTo(folder, expressionKind, table.name)
        // a table with an active writer cannot be deleted
        await dropOthers().catch((error: unknown) =>
          log.info({ err: error }, 'could not delete a replaced search index; the next rebuild will'),
        )
      }
      return {
        ...lanceExpressions((question) => timed(question(table))),
        publish: () => timed(publish(), tidyLimitMs),
        discard: async () => {
          if ((await currentTable(folder, expressionKind)) !== table.name) await timed(open.dropTable(table.name))
        },
      }
    },
    prune: () =>
      withTimeout(
        connected().then((open) => dropOtherKinds(open, folder, [expressionKind, phraseKind])),
        tidyLimitMs,
        undefined,
        () => new EngineUnavailable('search index', new Error('no answer in time')),
      ),
    async tidy() {
      await askWithin(tidyLimitMs, expressionKind, async (table) => {
        const [now, version] = [performance.now(), await table.version()]
        const { name, versions, endedAt, tookMs } = tidied
        const isOther = name !== table.name
        const newer = version - versions
        const isWorth = newer >= manyVersions ? now - endedAt > tookMs / tidyShare : newer > 0 && now - endedAt > tidyAfterMs
        if (!isOther && !isWorth) return
        try {
          await tidy(table)
        } catch (error) {
          // a concurrent write changed the same rows: the next run repeats this
          if (isConflict(error)) return
          throw error
        }
        const ended = performance.now()
        tidied = { name: table.name, versions: await table.version(), endedAt: ended, tookMs: ended - now }
      })
    },
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
      for (const table of opened.values()) table.close()
      opened.clear()
      connection?.close()
      connection = undefined
    },
  }
}

/** Whether another process or another write of this one was faster (Lance, "Conflict Resolution"). */
const isConflict = (error: unknown): boolean => messageOf(error).includes('commit conflict')
