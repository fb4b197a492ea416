import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AnalyticsStore, analyticsTopic, type ExpressionRecord } from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { momentReached } from '../../../engines/event-feed/follower-lag.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { driftOf, readDrift } from '../../../engines/search-index/drift-report.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { type SearchIndex, searchIndexFollower } from '../../../engines/search-index/search-index.ts'
import { project, projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { Fault } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { searchIndexUpkeep } from '../../../subgraphs/classification/commands/search-index-upkeep.ts'
import type { ExpressionDocument } from '../../../subgraphs/classification/expression/expression-document.ts'
import { indexedOf } from '../../../subgraphs/classification/expression/expression-mapping.ts'
import { compareIndex } from '../../../subgraphs/classification/index-upkeep/compare-index.ts'
import { indexReconciler } from '../../../subgraphs/classification/index-upkeep/index-reconciler.ts'
import type { UpkeepIntervals } from '../../../subgraphs/classification/index-upkeep/upkeep-intervals.ts'
import { rankSimilar } from '../../../subgraphs/classification/search/search-expressions.ts'
import { StepRetries } from '../../../subgraphs/classification/step-retries/step-retries.ts'
import { synchroniseTaxonomy } from '../../../subgraphs/classification/taxonomy/synchronise-taxonomy.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { embeddedEngine, openMigrated, realElasticsearch, skippedWithout } from '../../support/engines/engines.ts'
import { expressionDocument } from '../../support/samples/expression-document.ts'

interface OpenIndex {
  readonly index: SearchIndex & Part
  /** Removes all documents without the knowledge of the upkeep. */
  readonly lose: () => Promise<void>
  readonly end: () => Promise<void>
}

const generation = '1-test'
const engines: Record<string, () => Promise<OpenIndex>> = {
  LanceDB: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
    // during the write
    const lose = () => rm(folder, { recursive: true, force: true, maxRetries: 10 })
    return { index: lanceSearchIndex({ folder, generation, log: silentLog }), lose, end: lose }
  },
}
const url = realElasticsearch()
if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'upkeep of an index on Elasticsearch')
else
  engines.Elasticsearch = async () => {
    const { prefix, clear } = freshPrefix(url)
    return { index: elasticSearchIndex({ url, prefix, generation, log: silentLog }), lose: clear, end: clear }
  }

/** Long enough for a test to finish first where it has to. */
const waits: UpkeepIntervals = { intakeMs: 1000, gatherMs: 100, retryMs: 100, checkEveryMs: 100, soonMs: 300, tidyEveryMs: 500 }
const encoder = projectionEncoder()
const { model } = encoder
const hourMs = 3_600_000
const longAgo = Date.now() - hourMs

function recordOf(
  text: string,
  members: Partial<ExpressionRecord<ExpressionDocument>> = {},
  revision = longAgo,
): ExpressionRecord<ExpressionDocument> {
  const id = members.id ?? randomUUID()
  const at = new Date(revision)
  const document = expressionDocument({ id, revision, text, embedding: { model, dims: 768 }, createdAt: at.toISOString() })
  return {
    id,
    source: 'test',
    externalId: null,
    text,
    lang: 'fr',
    author: null,
    unverifiedAuthor: null,
    domain: null,
    subDomain: null,
    sentiment: null,
    sentimentScore: null,
    position: null,
    createdAt: at,
    receivedAt: at,
    enrichment: document,
    embedding: project(text),
    embeddingModel: model,
    ...members,
  }
}

describe.each(Object.keys(engines))('the upkeep of the search index on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof openMigrated>>
  let database: Database
  let feed: ReturnType<typeof relayEventFeed>
  let store: AnalyticsStore<ExpressionDocument>
  let opened: OpenIndex
  let index: SearchIndex
  const signal = new AbortController().signal
  const running: Part[] = []

  beforeAll(async () => {
    fresh = await openMigrated(embeddedEngine)
    database = fresh.database
    feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => fresh.url }, log: silentLog, window: 3 })
    await feed.start(AbortSignal.timeout(60_000))
    store = postgresAnalyticsStore<ExpressionDocument>({ database, feed })
    opened = (await engines[engine]?.()) ?? expect.fail(engine)
    index = opened.index
    await opened.index.start(AbortSignal.timeout(60_000))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const part of running.splice(0)) await part.stop()
  })
  afterAll(async () => {
    await opened?.index.stop()
    await opened?.end()
    await feed?.stop()
    await fresh?.[Symbol.asyncDispose]()
  })

  const queue = {
    engine: 'test',
    depth: async () => 0,
    oldestAgeMs: async () => 0,
    newer: async () => 0,
    send: () => expect.fail('nothing is sent'),
  }
  const compared = () => ({ index, store, model, clock: systemClock, retries: new StepRetries(database), mayWrite: () => undefined })
  const compare = (repair: boolean, queueIsBusy = false) => compareIndex(compared(), { repair, queueIsBusy, signal, rowsInRange: 500 })
  const nothing = { missing: 0, stale: 0, extra: 0 }
  let comparisons = 0
  const synchronise = (until: AbortSignal) => synchroniseTaxonomy({ store, index, keyValue: memoryKeyValue(), encoder }, until)
  const start = async (over = index, others: Partial<Parameters<typeof indexReconciler>[0]> = {}): Promise<void> => {
    comparisons = 0
    const part = indexReconciler({
      ...compared(),
      index: over,
      database,
      feed,
      log: silentLog,
      waits,
      queue,
      synchronise,
      onCompared: () => void comparisons++,
      ...others,
    })
    running.push(part)
    await part.start(AbortSignal.timeout(60_000))
  }
  const eventually = (expectation: () => Promise<void>) => vi.waitFor(expectation, { timeout: 60_000, interval: 100 })
  const untilEqual = () =>
    eventually(async () => {
      expect(await index.count()).toBe(await store.countExpressions())
      expect(await compare(false)).toMatchObject(nothing)
    })

  it('finds missing, stale and extra documents by range, and corrects them from the store, in many ranges or one', async () => {
    const rows = Array.from({ length: 1200 }, (_, n) => recordOf(`Le robinet ${n}`, { embedding: null }))
    await store.saveExpressions(rows)
    expect(await compare(false)).toEqual({ compared: 1200, missing: 1200, stale: 0, extra: 0 })
    expect(await index.count()).toBe(0)
    expect(await compare(true)).toMatchObject({ missing: 1200 })
    expect(await compare(false)).toEqual({ compared: 1200, ...nothing })

    const ids = rows.map(({ id }) => id).sort()
    const at = (n: number): string => ids[n] ?? ''
    const indexed = (record: ExpressionRecord<ExpressionDocument>) => indexedOf(record, new Date().toISOString(), model)
    await index.remove([at(0), at(600), at(1199)])
    await index.put([indexed(recordOf('older', { id: at(7) }, longAgo - 5))], { evenOlder: true })
    await index.put([indexed(recordOf('newer than the store', { id: at(1100) }, longAgo + 5))])
    const adopted = randomUUID()
    await index.put([adopted, '0', 'no uuid'].map((id) => indexed(recordOf('in no store', { id }))))
    const withdrawn = recordOf('withdrawn')
    await store.saveExpressions([withdrawn])
    await store.withdrawExpression(withdrawn.id)
    await index.put([indexed(withdrawn)])
    // written a moment ago: the queue may still hold it
    const underWay = recordOf('on its way', {}, Date.now())
    await index.put([indexed(underWay)])
    expect(await compare(true, true)).toEqual({ compared: 1200, missing: 3, stale: 1, extra: 0 })
    expect(await compare(true)).toEqual({ compared: 1200, missing: 0, stale: 1, extra: 4 })
    // documents that only the index had are in the store now, with a retry for the vector; withdrawn ones are in neither
    expect(await compare(true)).toEqual({ compared: 1201, ...nothing })
    expect(await store.findExpressions([adopted])).toMatchObject([
      { text: 'in no store', embedding: null, enrichment: { embedding: null } },
    ])
    expect(await new StepRetries(database).waiting()).toBe(1)
    expect(await index.count()).toBe(1202)
    expect((await index.find([at(7), at(1100), underWay.id])).get(at(1100))).toContain(rows.find(({ id }) => id === at(1100))?.text)
    await index.remove([underWay.id])
  })

  it('leaves one document of an expression that was added twice as new', async () => {
    const record = recordOf('Le robinet qui fuit deux fois')
    await store.saveExpressions([record])
    const put = () => index.put([indexedOf(record, new Date().toISOString(), model)], { areNew: true })
    await Promise.all([put(), put()])
    await put()
    await compare(true)
    expect(await compare(false)).toMatchObject(nothing)
    const hits = await index.near(project(record.text), { filter: {}, limit: 5 })
    expect(hits.filter(({ id }) => id === record.id)).toHaveLength(1)
    expect(await index.count()).toBe(await store.countExpressions())
  })

  it('leaves new expressions to the intake for a while, then indexes them if the intake did not', async () => {
    await start()
    const record = recordOf('Le lampadaire de la place est éteint', {}, Date.now())
    await store.saveExpressions([record])
    const storedBy = await momentReached(database, 'no follower', 'no topic')
    for (let size = 0; size === 0; ) {
      const reached = await momentReached(database, searchIndexFollower, analyticsTopic)
      size = (await index.find([record.id])).size
      if (size === 0) expect(reached.getTime()).toBeLessThan(storedBy.getTime())
    }
    await untilEqual()
  })

  it('does not index expressions that the intake is about to index, however long a language model takes, when it follows and when it compares', async () => {
    const byIntake = (record: ExpressionRecord<ExpressionDocument>) =>
      index.put([indexedOf(record, new Date().toISOString(), model)], { areNew: true })
    const [readIds, byUpkeep] = [new Set<string>(), new Set<string>()]
    const young = recordOf('Le marché ferme trop tôt', {}, Date.now() - 4000)
    let putting: Promise<void> | undefined
    const watched: SearchIndex = {
      ...index,
      // the intake indexes it after the first read misses it, before the next read
      async versions(range, limit) {
        await putting
        const versions = await index.versions(range, limit)
        putting ??= byIntake(young)
        return versions
      },
      async find(ids) {
        const hits = await index.find(ids)
        for (const id of ids) readIds.add(id)
        return hits
      },
      put(expressions, options) {
        for (const { id } of expressions) byUpkeep.add(id)
        return index.put(expressions, options)
      },
    }
    await store.saveExpressions([young])
    await compareIndex(
      { ...compared(), index: watched },
      { repair: true, queueIsBusy: false, intakeIsOn: true, intakeMs: waits.intakeMs, signal },
    )
    expect([...byUpkeep]).toEqual([])
    expect(await index.count()).toBe(await store.countExpressions())

    await start(watched)
    await eventually(async () => expect(comparisons).toBeGreaterThan(0))
    // more than one pass reads, and no later changes
    const followed = Array.from({ length: 600 }, (_, n) => recordOf(`Le marché numéro ${n}`, {}, Date.now() - 4000))
    const [late = expect.fail(), ...others] = followed
    // time stands still until the intake has indexed the first
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    await store.saveExpressions(followed)
    await eventually(async () => expect(readIds).toContain(late.id))
    await byIntake(late)
    clock.mockRestore()
    await eventually(async () => expect((await index.find(others.map(({ id }) => id))).size).toBe(others.length))
    expect(byUpkeep).not.toContain(late.id)
    expect(await index.count()).toBe(await store.countExpressions())
    expect(await compare(false)).toMatchObject(nothing)
  })

  it('begins behind a pruned change log, follows each change, and reports the drift', async () => {
    await feed.prune()
    const unseen = recordOf('Le pont est cassé')
    await store.saveExpressions([unseen])
    const likeIt = (id: string) => rankSimilar({ index, store, encoder }, id, signal)
    // not in the index yet
    expect(await likeIt(unseen.id)).toEqual(expect.any(Array))
    await start()
    await untilEqual()
    const record = recordOf('Les lampadaires de l’avenue sont éteints')
    await store.saveExpressions([record])
    await eventually(async () => {
      const [hit] = await index.near(project(record.text), { filter: {}, limit: 1 })
      expect(hit).toMatchObject({ id: record.id })
      expect(hit?.score).toBeGreaterThan(0.97)
    })
    const later = { ...record, enrichment: { ...record.enrichment, revision: longAgo + 1, text: 'Corrected' }, text: 'Corrected' }
    await store.saveExpressions([later])
    await eventually(async () => expect((await index.find([record.id])).get(record.id)).toContain('Corrected'))
    await store.withdrawExpression(record.id)
    await eventually(async () => expect((await index.find([record.id])).size).toBe(0))
    await expect(likeIt(record.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readDrift(database)).toMatchObject({ compared: expect.any(Number), at: expect.any(Date) })
  })

  it('leaves the taxonomy to a process that already synchronises it, and logs nothing', async () => {
    const lines: string[] = []
    const done = vi.fn()
    vi.spyOn(index, 'taxonomy').mockResolvedValue(new Map())
    await start(index, {
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
      synchronise: vi
        .fn(async () => done())
        .mockRejectedValueOnce(new Fault('CONFLICT', 'being synchronised'))
        .mockRejectedValueOnce(new Fault('CONFLICT', 'being synchronised')),
    })
    await eventually(async () => expect(done).toHaveBeenCalled())
    expect(lines.filter((line) => line.includes('being synchronised'))).toEqual([])
  })

  it('refills a lost index, and logs the loss', async () => {
    await start()
    await untilEqual()
    await opened.lose()
    await eventually(async () => expect(await driftOf(database)).toBeGreaterThan(1000))
    await untilEqual()
    await eventually(async () => expect(await driftOf(database)).toBe(0))
  })

  it('is rebuilt during writes, with searches answered throughout and equal counts at the end', async () => {
    // expressions that arrive during the switch are added
    await start()
    const before = await index.identity()
    const [first] = await store.pageOfExpressions(undefined, 1)
    let rebuilding = true
    let answers = 0
    const newcomers: string[] = []
    const arrivals = (async () => {
      for (let n = 0; rebuilding; n++) {
        const record = recordOf(`Nouveau ${n}`, {}, Date.now())
        await index.put([indexedOf(record, new Date().toISOString(), model)])
        await store.saveExpressions([record])
        newcomers.push(record.id)
        if ((await index.find([first?.id ?? ''])).size === 1) answers++
        else expect.fail('an answer was missing')
      }
    })()
    const filled: number[] = []
    const [begun, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const depth = async () => {
      begun.resolve()
      await other.promise
      return 0
    }
    const { rebuild } = await searchIndexUpkeep({ database, feed, index, model, queue: { ...queue, depth }, signal })
    const rebuilt = rebuild((what, done) => void (what === 'filled' && filled.push(done)))
    await begun.promise
    // a concurrent second rebuild is refused
    const { rebuild: again } = await searchIndexUpkeep({ database, feed, index, model, queue, signal })
    await expect(again(() => undefined)).rejects.toMatchObject({ code: 'CONFLICT' })
    other.resolve()
    await rebuilt
    rebuilding = false
    await arrivals
    expect(answers).toBeGreaterThan(2)
    expect(filled.at(-1)).toBeGreaterThan(1000)
    expect(await index.identity()).not.toBe(before)
    await untilEqual()
    expect((await index.find(newcomers)).size).toBe(newcomers.length)
  })
})
