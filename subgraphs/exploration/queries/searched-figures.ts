import type { ExpressionGroup, IndexedPlace, SearchFilter, SearchIndex } from '../../../engines/search-index/search-index.ts'
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
import { Tallying } from './tally.ts'
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

const keyedExpressions = 'roll_up_expression e join roll_up_key k on k.id = e.key where e.id = any($1::uuid[])'

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
    const { box: _, ...anywhere } = filterOf(selection, scope)
    const [groups, unlocated] = await Promise.all([
      index.tally({ ...filterOf(selection, scope), isLocated: true }, { by: ['domain', 'sentiment'], tilesOf: zoom + cellBits }),
      index.tally({ ...anywhere, isLocated: false }, { by: [] }),
    ])
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
    const filter = filterOf(counted, scope)
    const [from, to] = historyOf({ today }, counted)
    const votes = new VoteTally()
    const [groups, days] = await Promise.all([
      index.tally(filter, { by: ['domain', 'sentiment', 'lang'] }),
      index.tally(filterOf({ ...counted, from, to }, scope), { by: ['sentiment'], daysOf: timezone }),
      this.#addVotes(filter, signal, [], ([, , ...columns]) => votes.addRow(columns)),
    ])
    const byDay = Map.groupBy(days, ({ day }) => day ?? 0)
    const since = (first: number): number => totalOf(days.filter(({ day }) => day !== null && day >= first && day <= today))
    const byLang = [...Map.groupBy(groups, ({ lang }) => lang ?? 'und')].map(([lang, list]) => [lang, totalOf(list)] as const)
    const active = new Set(groups.flatMap(({ domain }) => domain ?? []))
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
    const filter = filterOf(selection, scope)
    const totals = new DomainTotals()
    const people = new Participants()
    const [groups, recent] = await Promise.all([
      index.tally(filter, { by: ['domain', 'subDomain', 'sentiment'] }),
      index.tally(filterOf({ ...selection, from: dayAfter(today, -13), to: today }, scope), {
        by: ['domain', 'subDomain'],
        daysOf: timezone,
      }),
      this.#addVotes(
        filter,
        signal,
        ['domain', 'sub_domain'],
        ([domain, subDomain, ...columns]) => totals.addVotes({ domain, subDomain }, (tally) => tally.addRow(columns)),
        people,
      ),
    ])
    for (const { domain, subDomain, sentiment, count } of groups)
      totals.addExpressions({ domain, subDomain }, sentimentOf(sentiment), count)
    const weekAgo = dayAfter(today, -6)
    for (const { domain, subDomain, day, count } of recent)
      totals.addRecent({ domain, subDomain }, (day ?? 0) >= weekAgo ? 'last7d' : 'previous7d', count)
    return { version, at, taxonomy, countsOfDomain: (id) => totals.countsOf(id, people.counts) }
  }

  /** Calls `take` with each matching expression that has a position, and returns the scope. @throws {InvalidInput} for an unknown domain */
  async places(
    selection: SearchedSelection,
    signal: AbortSignal,
    take: (place: SearchedPlace) => void,
  ): Promise<Pick<Scope, 'version' | 'at'>> {
    const scope = await this.#scopeOf(selection)
    const { version, at } = scope
    type Row = readonly [lon: number, lat: number, domain: string | null, sentiment: Sentiment | null, ...votes: VoteColumns<number>]
    await this.#eachPage({ ...filterOf(selection, scope), isLocated: true }, signal, async ({ rows }, ids) => {
      const statement = `select e.lon, e.lat, k.domain, k.sentiment, ${voteColumns} from ${keyedExpressions} and e.lat is not null`
      for (const [lon, lat, domain, sentiment, ...votes] of await rows<Row>(statement, [ids])) take({ lon, lat, domain, sentiment, votes })
    })
    return { version, at }
  }

  async #scopeOf(selection: SearchedSelection): Promise<Scope> {
    // read first: what is written meanwhile may be counted
    const at = await this.#engines.reached()
    return this.#engines.rollUps.read(async (snapshot) => {
      refuseUnknownDomain(snapshot, selection)
      const { taxonomy, timezone, today } = snapshot
      return { version: `search-${at.getTime()}`, at, taxonomy, timezone, today }
    })
  }

  /** Adds the votes on all matching expressions, grouped by columns of their keys, and their participants. */
  async #addVotes(
    filter: SearchFilter,
    signal: AbortSignal,
    columns: readonly ('domain' | 'sub_domain')[],
    add: (row: readonly [domain: string | null, subDomain: string | null, ...votes: VoteColumns]) => void,
    people?: Participants,
  ): Promise<void> {
    const shown = (['domain', 'sub_domain'] as const).map((name) => (columns.includes(name) ? `k.${name}` : 'null')).join(', ')
    const grouped = columns.length === 0 ? '' : `group by ${columns.map((name) => `k.${name}`).join(', ')}`
    type VoteRow = readonly [domain: string | null, subDomain: string | null, ...VoteColumns]
    type PersonRow = readonly [domain: string | null, subDomain: string | null, hmac: string]
    await this.#eachPage(filter, signal, async ({ rows }, ids) => {
      const statement = `select ${shown}, ${voteSums} from ${keyedExpressions} ${grouped}`
      for (const row of await rows<VoteRow>(statement, [ids])) add(row)
      if (people === undefined) return
      for (const [domain, subDomain, hmac] of await rows<PersonRow>(participantsOf, [ids])) people.add([domain, subDomain], hmac)
    })
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
            rows<Row>(
              `select e.id, e.lon, e.lat, ${voteColumns} from roll_up_expression e where e.id = any($1::uuid[]) and e.lat is not null`,
              [ids],
            ),
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

/** authors and verified voters */
const participantsOf = `
  with e as (select e.id, e.author, k.domain, k.sub_domain from ${keyedExpressions})
  select domain, sub_domain, encode(author, 'hex') from e where author is not null
  union
  select e.domain, e.sub_domain, encode(v.voter, 'hex') from e join roll_up_vote v on v.expression_id = e.id where v.verified`

/** Counts distinct people by domain. */
class Participants {
  readonly #people = new Map<string, Set<string>>()

  add(domains: readonly (string | null)[], hmac: string): void {
    for (const domain of domains) {
      if (domain === null) continue
      const people = this.#people.get(domain) ?? new Set()
      this.#people.set(domain, people.add(hmac))
    }
  }

  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#people].map(([domain, { size }]) => [domain, size]))
  }
}

/** Adds groups of tiles up to cells. */
function cellsOf(groups: readonly ExpressionGroup[]): {
  readonly cells: ReadonlyMap<number, CellGroup>
  readonly tallying: Tallying
} {
  const keys = new Map<string, RollUpKey>()
  const keyOf = ({ domain, sentiment }: ExpressionGroup): RollUpKey => {
    const name = JSON.stringify([domain, sentiment])
    const key = keys.get(name) ?? { id: keys.size, domain, subDomain: null, sentiment: sentimentOf(sentiment), lang: 'und' }
    keys.set(name, key)
    return key
  }
  const keyed = groups.map((group) => ({ ...group, key: keyOf(group) }))
  const tallying = new Tallying(
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

const totalOf = (groups: readonly ExpressionGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0)

const sentimentOf = (text: string | null): Sentiment | null => sentiments.find((each) => each === text) ?? null

function sentimentsOf(groups: readonly ExpressionGroup[]): SentimentCounts {
  const of = (sentiment: Sentiment): number => totalOf(groups.filter((group) => group.sentiment === sentiment))
  return { positive: of('positive'), neutral: of('neutral'), negative: of('negative') }
}

/** Converts a selection to a filter of the index. */
function filterOf(
  { domain, sentiment, lang, box, text, from, to }: SearchedSelection,
  { taxonomy, timezone }: Pick<Scope, 'taxonomy' | 'timezone'>,
): SearchFilter {
  return {
    text,
    ...(domain !== null && { domains: taxonomy.storedIds(domain) }),
    ...(sentiment !== null && { sentiment }),
    ...(lang !== null && { lang }),
    ...(box !== null && { box }),
    ...(from !== null && { from: new Date(startOfDay(timezone, from)) }),
    ...(to !== null && { before: new Date(startOfDay(timezone, dayAfter(to, 1))) }),
  }
}
