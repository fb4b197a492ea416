import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExpressionRecord } from '../../../engines/analytics-store/analytics-store.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import type { IndexedExpression, SearchIndex } from '../../../engines/search-index/search-index.ts'
import type { Position } from '../../../foundation/filter/bounding-box.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { domainCounts } from '../../../subgraphs/exploration/queries/domain-statistics.ts'
import { mapView } from '../../../subgraphs/exploration/queries/map-view.ts'
import { SearchedFigures } from '../../../subgraphs/exploration/queries/searched-figures.ts'
import { isSearched, type SearchedSelection, type Selection, selectionOf } from '../../../subgraphs/exploration/queries/selection.ts'
import { statisticsOf } from '../../../subgraphs/exploration/queries/statistics.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { realElasticsearch, skippedWithout } from '../../support/engines/engines.ts'
import { anyNetwork, randomPosition, randomSelection, sentiments } from './counting.ts'
import { type ExplorationStore, expressionOf, noon, openExploring, randomOf, taxonomy } from './support.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1e9)
const random = randomOf(seed)
const { pick, chance, below } = random
const { signal } = new AbortController()

type OpenedIndex = SearchIndex & Part & AsyncDisposable

async function embedded(): Promise<OpenedIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-searched-'))
  const index = lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
  const dispose = async (): Promise<void> => {
    await index.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return Object.assign(index, { [Symbol.asyncDispose]: dispose })
}

async function elastic(url: string): Promise<OpenedIndex> {
  const { prefix, clear } = freshPrefix(url)
  const index = elasticSearchIndex({ url, prefix, generation: '1-test', log: silentLog })
  await index.start(AbortSignal.timeout(60_000))
  const dispose = async (): Promise<void> => {
    await index.stop()
    await clear()
  }
  return Object.defineProperty(index, Symbol.asyncDispose, { value: dispose }) as OpenedIndex
}

const indexedOf = ({ id, text, lang, domain, subDomain, sentiment, position, createdAt }: ExpressionRecord): IndexedExpression => {
  const members = { id, text, lang, domain, subDomain, sentiment, position, createdAt }
  return { ...members, embedding: new Float32Array(768), document: '{}', version: 1 }
}

/** Elasticsearch stores positions in steps of 8.4e-8 degrees: it does not distinguish a closer one from the edge of a box. */
const indexable = (position: Position | null): Position | null =>
  position && { lat: Number(position.lat.toFixed(6)), lon: Number(position.lon.toFixed(6)) }

function randomRecord(text: string): ExpressionRecord {
  const subDomain = chance(0.7) ? pick(taxonomy.filter(({ parentId }) => parentId !== null)) : undefined
  return expressionOf({
    text,
    lang: pick(['fr', 'en', 'wo', 'ar', 'und']),
    author: chance(0.5) ? below(20).toString(16).padStart(64, '0') : null,
    domain: subDomain?.parentId ?? (chance(0.5) ? pick(taxonomy.filter(({ parentId }) => parentId === null)).id : null),
    subDomain: subDomain?.id ?? null,
    sentiment: chance(0.8) ? pick(sentiments) : null,
    position: indexable(randomPosition(random)),
    createdAt: new Date(noon - below(80) * 86_400_000 - below(12) * 3_600_000),
  })
}

const searchedOf = (selection: Selection): SearchedSelection => {
  const all = { ...selection, ...selectionOf({ q: 'mot' }), ...selection }
  return isSearched(all) ? all : expect.fail('no words')
}

/** Stores expressions that all have the word, and indexes others without it: a search for the word finds what the roll-ups count. */
async function fill(exploring: ExplorationStore, index: SearchIndex): Promise<void> {
  const records = Array.from({ length: 400 }, (_, n) => randomRecord(`Un mot, numéro ${n}`))
  await exploring.store.saveExpressions(records)
  for (const { id } of records.filter(() => chance(0.4))) {
    await exploring.store.castVote(id, below(30).toString(16).padStart(64, 'c'), pick(['agree', 'disagree', 'pass']))
    if (chance(0.5)) await exploring.store.castPublicVote(id, below(30).toString(16).padStart(64, 'd'), 'agree', anyNetwork)
  }
  await index.put([...records, ...Array.from({ length: 50 }, () => randomRecord('Des mots'))].map(indexedOf))
  await exploring.settled()
}

const url = realElasticsearch()
if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'figures of a search on Elasticsearch')
const engines = [['LanceDB', embedded] as const, ...(url === undefined ? [] : [['Elasticsearch', () => elastic(url)] as const])]

describe.each(engines)(`figures of a search on %s (seed ${seed})`, (_, open) => {
  it('equal those of the roll-ups for the same expressions, with every filter', async () => {
    await using exploring = await openExploring()
    await using index = await open()
    await exploring.startWorker()
    await fill(exploring, index)
    const reached = new Date(noon)
    const searched = new SearchedFigures({ rollUps: exploring.rollUps, index, reached: async () => reached })
    const marks = { version: `search-${noon}`, at: reached }
    const compare = async (selection: Selection): Promise<void> => {
      const zoom = below(11)
      const expected = await exploring.rollUps.read((snapshot) => mapView(snapshot, selection, zoom))
      const { answer } = await searched.map(searchedOf(selection), zoom)
      const question = JSON.stringify([selection, zoom])
      const features = ({ clusters, points }: typeof answer) => ({
        clusters: clusters.map(({ lon: _lon, lat: _lat, ...cluster }) => ({
          ...cluster,
          domains: cluster.domains.map(([id, count]) => `${id} ${count}`),
        })),
        points: points.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      })
      expect(features(answer), question).toEqual(features(expected))
      const sum = answer.clusters.reduce((total, { count }) => total + count, 0) + answer.points.length + answer.unmapped
      expect({ ...answer, clusters: sum, points: 0 }, question).toEqual({ ...expected, ...marks, clusters: expected.total, points: 0 })
      const isWhole =
        selection.domain === null &&
        selection.sentiment === null &&
        selection.lang === null &&
        selection.from === null &&
        selection.to === null
      for (const [at, cluster] of isWhole ? answer.clusters.entries() : []) {
        expect(cluster.lat, question).toBeCloseTo(expected.clusters[at]?.lat ?? Number.NaN, 4)
        expect(cluster.lon, question).toBeCloseTo(expected.clusters[at]?.lon ?? Number.NaN, 4)
      }
      const figures = { ...selection, sentiment: null, lang: null }
      const statistics = await exploring.rollUps.read((snapshot) => statisticsOf(snapshot, figures))
      expect(await searched.statistics(searchedOf(figures), signal), question).toEqual({ ...statistics, ...marks, participants: null })
    }
    const compareDomains = async (): Promise<void> => {
      const { countsOfDomain } = await searched.domains(searchedOf(selectionOf({})), signal)
      const expected = await exploring.rollUps.read(domainCounts)
      for (const { id } of taxonomy) expect(countsOfDomain(id), id).toEqual(expected(id))
    }
    for (let n = 0; n < 20; n++) await compare(randomSelection(random))
    await compareDomains()

    // stored expressions are not classified again here
    const roots = taxonomy.filter(({ parentId }) => parentId === null)
    const [first, second, third] = roots.map(({ id }) => id)
    if (first === undefined || second === undefined || third === undefined) return expect.fail('too few domains')
    const [moved] = taxonomy.filter(({ parentId }) => parentId === first)
    if (moved === undefined) return expect.fail('no sub-domain')
    const domains = taxonomy
      .filter(({ id }) => id !== third)
      .map((each) => (each.id === moved.id || each.parentId === third ? { ...each, parentId: second } : each))
    await exploring.store.publishTaxonomy({ domains, successors: { [third]: second }, author: 'tests', note: 'moved' })
    await expect.poll(() => exploring.rollUps.read(async ({ taxonomy: tree }) => tree.find(moved.id)?.parentId)).toBe(second)
    for (const domainId of [first, second, third, moved.id]) await compare(selectionOf({ domainId }))
    for (let n = 0; n < 10; n++) await compare(randomSelection(random))
    const { countsOfDomain } = await searched.domains(searchedOf(selectionOf({})), signal)
    const expected = await exploring.rollUps.read(domainCounts)
    // participants of the roll-ups follow when expressions are classified again
    for (const { id } of taxonomy) expect({ ...countsOfDomain(id), participants: 0 }, id).toEqual({ ...expected(id), participants: 0 })
    await expect(searched.map(searchedOf(selectionOf({ domainId: 'unknown' })), 3)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  }, 120_000)
})
