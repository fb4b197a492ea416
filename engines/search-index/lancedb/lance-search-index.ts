import { type Connection, connect, MultiMatchQuery, Session, type Table } from '@lancedb/lancedb'
import { systemClock } from '../../../foundation/clock.ts'
import { Circuit, isAway } from '../../../foundation/concurrency/circuit-breaker.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault, messageOf } from '../../../foundation/fault.ts'
import { FullDisk, saysDiskFull } from '../../../foundation/health/full-disk.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { wordsOf } from '../../text/words.ts'
import type { Hit, SearchIndex } from '../search-index.ts'
import { inStableOrder } from '../stable-order.ts'
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
/** how often somebody tries again while it fails: each try takes it seconds */
const retryEveryMs = 1000
/** What LanceDB may keep in memory; its own limits are 6 GB and 1 GB. An index of 100,000 vectors takes about 100 MB. */
const cacheBytes = { indices: 256n * 1024n * 1024n, metadata: 64n * 1024n * 1024n }
/** Writes look through what each version has added since the table was tidied; after so many it is done at once */
const manyVersions = 50
/** most of the time that goes into it then */
const tidyShare = 0.1
/** with fewer, it is done after so long */
const tidyAfterMs = 60_000
/** making an index of a hundred thousand vectors takes half a minute */
const tidyLimitMs = 600_000

/**
 * LanceDB in a folder that the processes of one machine share. A file beside the tables names the one that answers, so that a rebuilt
 * one takes its place at once.
 * @param options - `generation`: indices of other generations in the folder are left alone
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
  /** Once more when it fails: the table may have been replaced, or its files removed. */
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
    // who searches is answered all the same
    counts: (error) => isAway(error) && !(error instanceof Error && saysDiskFull(error.cause)),
  })
  const ask = <Answer>(kind: TableKind, question: (table: Table) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> =>
    circuit.run(() => askWithin(answerLimitMs, kind, question, signal), signal)
  /** A table that was replaced meanwhile may have been read while its files were removed, newest first: then the new one is asked. */
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
            // of a plain query the answers are in no order as long as the words of no row are in the index (0.37.1)
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
        // one that is still written to does not go
        await dropOthers().catch((error: unknown) => log.info({ err: error }, 'a replaced search index is left until the next rebuild'))
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
          // somebody has written to the same rows meanwhile: the next time will do
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
        log.warn({ err: error }, 'the search index cannot be opened; trying on'),
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

/** Another process, or another write of this one, was faster (Lance, "Conflict Resolution"). */
const isConflict = (error: unknown): boolean => messageOf(error).includes('commit conflict')
