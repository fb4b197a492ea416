import type { ExpressionGroup, Grouping, IndexedPlace, SearchFilter, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { dayAfter, startOfDay } from '../../../foundation/calendar-day.ts'
import { type Position, wholeWorld } from '../../../foundation/filter/bounding-box.ts'
import { type Sentiment, sentiments } from '../../../foundation/filter/expression-filter.ts'
import { zoomFor } from '../geometry/area.ts'
import { cellBits, deepestZoom, placeOf } from '../geometry/world-grid.ts'
import { millionths } from '../roll-ups/cell-changes.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'
import { type DomainCounts, DomainTotals } from './domain-statistics.ts'
import { type CellGroup, clusterOf, type MapAnswer, type MapPoint, type SentimentCounts } from './map-view.ts'
import { voteColumns, voteSums } from './read-area.ts'
import type { RollUps, Snapshot } from './roll-up-reader.ts'
import { refuseUnknownDomain, type SearchedSelection } from './selection.ts'
import { historyOf, type StatisticsAnswer, withScore } from './statistics.ts'
import { CountTally } from './tally.ts'
import type { TaxonomyTree } from './taxonomy-tree.ts'
import { type VoteColumns, VoteTally } from './vote-tally.ts'

export interface SearchedEngines {
  readonly rollUps: Pick<RollUps, 'read'>
  readonly index: Pick<SearchIndex, 'tally' | 'newest'>
  /** returns the moment that the index has reached */
  readonly reached: () => Promise<Date>
}

/** An expression at its position, with its votes. */
export interface SearchedPlace extends Position {
  readonly domain: string | null
  readonly sentiment: Sentiment | null
  readonly votes: VoteColumns
}

/** expressions joined by one statement */
const idsAtOnce = 10_000

const selected = 'from roll_up_expression e where e.id = any($1::uuid[])'

/** One row for each key: votes, and people in hexadecimal, separated by spaces; without a join to the keys, which a snapshot knows. */
const votesAndPeople = `
  with e as materialized (select e.id, e.key, e.author, ${voteColumns} ${selected}),
  v as materialized (
    select e.key, string_agg(encode(v.voter, 'hex'), ' ') as people from e join roll_up_vote v on v.expression_id = e.id
    where v.verified and e.agree + e.disagree + e.pass > 0 group by e.key
  )
  select e.key, string_agg(encode(e.author, 'hex'), ' '), (select v.people from v where v.key = e.key), ${voteSums} from e group by e.key`

type People = string | null

type Scope = Pick<Snapshot, 'version' | 'at' | 'timezone' | 'today' | 'taxonomy'>

/** Figures of the expressions whose text contains words: counted by the search index, with the votes of the roll-ups. */
export class SearchedFigures {
  readonly #engines: SearchedEngines

  constructor(engines: SearchedEngines) {
    this.#engines = engines
  }

  /**
   * As `mapView`, with the taxonomy of the points.
   * @throws {InvalidInput} for an unknown domain  @throws {EngineUnavailable} while the index is unavailable
   */
  async map(
    selection: SearchedSelection,
    requestedZoom: number | null,
  ): Promise<{ readonly answer: MapAnswer; readonly taxonomy: TaxonomyTree }> {
    const { index } = this.#engines
    const scope = await this.#scopeOf(selection)
    const { version, at, taxonomy } = scope
    const zoom = zoomFor(selection.box ?? wholeWorld, requestedZoom ?? deepestZoom)
    const filter = await this.#filterOf(selection, scope)
    const { box: _, ...anywhere } = filter
    const located = { ...filter, isLocated: true }
    const tiles = (by: Grouping['by']) => index.tally(located, { by, tilesOf: zoom + cellBits })
    const [tiled, stored, unlocated] = await Promise.all([
      tiles(['domain', 'sentiment']),
      index.tally(located, { by: ['domain', 'subDomain'] }),
      index.tally({ ...anywhere, isLocated: false }, { by: [] }),
    ])
    // only while expressions of moved sub-domains wait to be classified again: a group of each sub-domain in each tile takes longer
    const isCurrent = stored.every((group) => taxonomy.currentKey(group).domain === group.domain)
    const groups = isCurrent ? tiled : currentGroups(taxonomy)(await tiles(['domain', 'subDomain', 'sentiment']))
    const { cells, tallying } = cellsOf(groups)
    const unmapped = totalOf(unlocated)
    const clusters = [...cells]
      .filter(([, { tally }]) => tally.count > 1)
      .sort(([a], [b]) => a - b)
      .map(([cell, group]) => clusterOf(cell, group, zoom, tallying.domains))
    const points = await this.#pointsOf(groups)
    return { answer: { version, at, total: totalOf(groups) + unmapped, unmapped, zoom, requestedZoom, clusters, points }, taxonomy }
  }

  /** As `statisticsOf`. @throws {InvalidInput} for an unknown domain  @throws {EngineUnavailable} while the index is unavailable */
  async statistics(selection: SearchedSelection, signal: AbortSignal): Promise<StatisticsAnswer> {
    const { index } = this.#engines
    const counted: SearchedSelection = { ...selection, sentiment: null, lang: null }
    const scope = await this.#scopeOf(counted)
    const { version, at, taxonomy, timezone, today } = scope
    const filter = await this.#filterOf(counted, scope)
    const [from, to] = historyOf({ today }, counted)
    const votes = new VoteTally()
    const [groups, domains, days] = await Promise.all([
      index.tally(filter, { by: ['sentiment', 'lang'] }),
      index.tally(filter, { by: ['domain', 'subDomain'] }).then(currentGroups(taxonomy)),
      index.tally({ ...filter, ...periodOf({ from, to }, scope) }, { by: ['sentiment'], daysOf: timezone }),
      this.#eachPage(filter, signal, async ({ rows }, ids) => {
        for (const columns of await rows<VoteColumns>(`select ${voteSums} ${selected}`, [ids])) votes.addRow(columns)
      }),
    ])
    const byDay = Map.groupBy(days, ({ day }) => day ?? 0)
    const since = (first: number): number => totalOf(days.filter(({ day }) => day !== null && day >= first && day <= today))
    const byLang = [...Map.groupBy(groups, ({ lang }) => lang ?? 'und')].map(([lang, list]) => [lang, totalOf(list)] as const)
    const active = new Set(domains.flatMap(({ domain }) => domain ?? []))
    return {
      version,
      at,
      expressions: {
        total: totalOf(groups),
        today: since(today),
        last7d: since(dayAfter(today, -6)),
        byLang: byLang.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)),
      },
      votes: votes.figures,
      sentiment: {
        ...withScore(sentimentsOf(groups)),
        history: [...byDay]
          .sort(([a], [b]) => a - b)
          .map(([day, list]) => ({ day, expressions: totalOf(list), ...withScore(sentimentsOf(list)) })),
      },
      participants: null,
      domains: { total: taxonomy.roots.length, active: active.size },
    }
  }

  /** As `domainCounts`, with the taxonomy. @throws {EngineUnavailable} while the index is unavailable */
  async domains(
    selection: SearchedSelection,
    signal: AbortSignal,
  ): Promise<Pick<Scope, 'version' | 'at' | 'taxonomy'> & { readonly countsOfDomain: (id: string) => DomainCounts }> {
    const { index } = this.#engines
    const scope = await this.#scopeOf(selection)
    const { version, at, taxonomy, timezone, today } = scope
    const totals = new DomainTotals()
    const people = new Participants()
    const filter = await this.#filterOf(selection, scope)
    const recentOnly = { ...filter, ...periodOf({ from: dayAfter(today, -13), to: today }, scope) }
    const [groups, recent] = await Promise.all([
      index.tally(filter, { by: ['domain', 'subDomain', 'sentiment'] }).then(currentGroups(taxonomy)),
      index.tally(recentOnly, { by: ['domain', 'subDomain'], daysOf: timezone }).then(currentGroups(taxonomy)),
      this.#eachPage(filter, signal, async ({ rows, keys }, ids) => {
        type Row = readonly [key: number, authors: People, voters: People, ...VoteColumns]
        for (const [number, authors, voters, ...votes] of await rows<Row>(votesAndPeople, [ids])) {
          const { domain = null, subDomain = null } = keys[number] ?? {}
          totals.addVotes({ domain, subDomain }, (tally) => tally.addRow(votes))
          for (const list of [authors, voters]) people.add([domain, subDomain], list?.split(' ') ?? [])
        }
      }),
    ])
    for (const { domain, subDomain, sentiment, count } of groups)
      totals.addExpressions({ domain, subDomain }, sentimentOf(sentiment), count)
    const weekAgo = dayAfter(today, -6)
    for (const { domain, subDomain, day, count } of recent)
      totals.addRecent({ domain, subDomain }, (day ?? 0) >= weekAgo ? 'last7d' : 'previous7d', count)
    return { version, at, taxonomy, countsOfDomain: (id) => totals.countsOf(id, people.counts) }
  }

  /** Returns the version of an answer now. */
  async version(): Promise<string> {
    return versionAt(await this.#engines.reached())
  }

  /** Calls `take` with each matching expression that has a position, and returns the scope. @throws {InvalidInput} for an unknown domain */
  async places(
    selection: SearchedSelection,
    signal: AbortSignal,
    take: (place: SearchedPlace) => void,
  ): Promise<Pick<Scope, 'version' | 'at'>> {
    const scope = await this.#scopeOf(selection)
    const { version, at } = scope
    type Row = readonly [key: number, lon: number, lat: number, ...votes: VoteColumns<number>]
    await this.#eachPage({ ...(await this.#filterOf(selection, scope)), isLocated: true }, signal, async ({ rows, keys }, ids) => {
      const statement = `select e.key, e.lon, e.lat, ${voteColumns} ${selected} and e.lat is not null`
      for (const [number, lon, lat, ...votes] of await rows<Row>(statement, [ids])) {
        const { domain = null, sentiment = null } = keys[number] ?? {}
        take({ lon, lat, domain, sentiment, votes })
      }
    })
    return { version, at }
  }

  async #scopeOf(selection: SearchedSelection): Promise<Scope> {
    // read first: what is written meanwhile may be counted
    const at = await this.#engines.reached()
    return this.#engines.rollUps.read(async (snapshot) => {
      refuseUnknownDomain(snapshot, selection)
      const { taxonomy, timezone, today } = snapshot
      return { version: versionAt(at), at, taxonomy, timezone, today }
    })
  }

  /**
   * Converts a selection to a filter of the index: expressions that are stored with an id of the selected domain or of its sub-domains, except those
   * whose sub-domain belongs to another domain now.
   */
  async #filterOf(selection: SearchedSelection, scope: Scope): Promise<SearchFilter> {
    const filter = storedIn(selection, scope)
    const { taxonomy } = scope
    const { domain } = selection
    if (domain === null) return filter
    const selected = taxonomy.current(domain)?.id ?? domain
    // anywhere: the filter also counts expressions without a position, which are in no box
    const { box: _, ...anywhere } = filter
    const stored = await this.#engines.index.tally(anywhere, { by: ['domain', 'subDomain'] })
    const exceptSubDomains = stored.flatMap((group) => {
      const key = taxonomy.currentKey(group)
      return key.domain === selected || key.subDomain === selected ? [] : (group.subDomain ?? [])
    })
    return exceptSubDomains.length === 0 ? filter : { ...filter, exceptSubDomains }
  }

  /** Calls `work` with the ids of all matching expressions, page by page, each with a snapshot of its own. */
  async #eachPage(
    filter: SearchFilter,
    signal: AbortSignal,
    work: (snapshot: Snapshot, ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const { rollUps, index } = this.#engines
    let beyond: IndexedPlace | undefined
    do {
      signal.throwIfAborted()
      const places: readonly IndexedPlace[] = await index.newest(filter, { limit: idsAtOnce, beyond })
      const ids = places.map(({ id }) => id)
      if (ids.length > 0) await rollUps.read((snapshot) => work(snapshot, ids))
      beyond = places.length < idsAtOnce ? undefined : places.at(-1)
    } while (beyond !== undefined)
  }

  /** Returns single expressions; their votes are those of the roll-ups. */
  async #pointsOf(groups: readonly ExpressionGroup[]): Promise<readonly MapPoint[]> {
    const ids = groups.flatMap(({ tile }) => tile?.only?.id ?? [])
    type Row = readonly [id: string, lon: number, lat: number, ...VoteColumns<number>]
    const rows =
      ids.length === 0
        ? []
        : await this.#engines.rollUps.read(({ rows }) =>
            rows<Row>(`select e.id, e.lon, e.lat, ${voteColumns} ${selected} and e.lat is not null`, [ids]),
          )
    const counted = new Map(rows.map(([id, ...columns]) => [id, columns]))
    return groups.flatMap(({ tile, domain, sentiment }): readonly MapPoint[] => {
      if (tile?.only == null) return []
      const { only, ...indexed } = tile
      const [lon, lat, agree = 0, disagree = 0, pass = 0, ...others] = counted.get(only.id) ?? [indexed.lon, indexed.lat]
      const unverified = { agree: others[0] ?? 0, disagree: others[1] ?? 0, pass: others[2] ?? 0 }
      return [{ ...only, lon, lat, domain, sentiment: sentimentOf(sentiment), agree, disagree, pass, unverified }]
    })
  }
}

/** Counts distinct people by domain. */
class Participants {
  readonly #people = new Map<string, Set<string>>()

  add(domains: readonly (string | null)[], people: readonly string[]): void {
    for (const domain of domains) {
      if (domain === null) continue
      const known = this.#people.get(domain) ?? new Set()
      for (const hmac of people) known.add(hmac)
      this.#people.set(domain, known)
    }
  }

  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#people].map(([domain, { size }]) => [domain, size]))
  }
}

/** Adds groups of tiles up to cells. */
function cellsOf(groups: readonly ExpressionGroup[]): {
  readonly cells: ReadonlyMap<number, CellGroup>
  readonly tallying: CountTally
} {
  const keys = new Map<string, RollUpKey>()
  const keyOf = ({ domain, sentiment }: ExpressionGroup): RollUpKey => {
    const name = JSON.stringify([domain, sentiment])
    const key = keys.get(name) ?? { id: keys.size, domain, subDomain: null, sentiment: sentimentOf(sentiment), lang: 'und' }
    keys.set(name, key)
    return key
  }
  const keyed = groups.map((group) => ({ ...group, key: keyOf(group) }))
  const tallying = new CountTally(
    [...keys.values()],
    [...keys.values()].map(() => true),
  )
  const cells = new Map<number, CellGroup>()
  for (const { tile, count, key } of keyed) {
    if (tile === null) continue
    const cell = placeOf(tile.column, tile.row)
    const group = cells.get(cell) ?? { tally: tallying.fresh(), lon: 0, lat: 0 }
    tallying.addOne(group.tally, key.id, count)
    group.lon += millionths(tile.lon * count)
    group.lat += millionths(tile.lat * count)
    cells.set(cell, group)
  }
  return { cells, tallying }
}

const versionAt = (moment: Date): string => `search-${moment.getTime()}`

const totalOf = (groups: readonly ExpressionGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0)

const sentimentOf = (text: string | null): Sentiment | null => sentiments.find((each) => each === text) ?? null

function sentimentsOf(groups: readonly ExpressionGroup[]): SentimentCounts {
  const of = (sentiment: Sentiment): number => totalOf(groups.filter((group) => group.sentiment === sentiment))
  return { positive: of('positive'), neutral: of('neutral'), negative: of('negative') }
}

/** Counts expressions whose sub-domain was moved, or whose domain was retired, under the current domain until they are classified again. */
const currentGroups =
  (taxonomy: TaxonomyTree) =>
  (groups: readonly ExpressionGroup[]): readonly ExpressionGroup[] =>
    groups.map((group) => taxonomy.currentKey(group))

/** Converts a selection to a filter of the index, with the ids under which expressions of its domain may be stored. */
function storedIn({ domain, sentiment, lang, box, text, from, to }: SearchedSelection, scope: Scope): SearchFilter {
  return {
    text,
    ...(domain !== null && { domains: scope.taxonomy.storedIdsWithin(domain) }),
    ...(sentiment !== null && { sentiment }),
    ...(lang !== null && { lang }),
    ...(box !== null && { box }),
    ...periodOf({ from, to }, scope),
  }
}

function periodOf({ from, to }: Pick<SearchedSelection, 'from' | 'to'>, { timezone }: Pick<Scope, 'timezone'>): SearchFilter {
  return {
    ...(from !== null && { from: new Date(startOfDay(timezone, from)) }),
    ...(to !== null && { before: new Date(startOfDay(timezone, dayAfter(to, 1))) }),
  }
}
