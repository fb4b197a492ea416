import type { Table } from '@lancedb/lancedb'
import { dayReader } from '../../../foundation/calendar-day.ts'
import { pauses } from '../../../foundation/concurrency/steps.ts'
import { columnOf, rowOf } from '../../../foundation/filter/web-mercator.ts'
import type { ExpressionGroup, GroupedMember, Grouping, IndexedPlace, SearchFilter, SearchIndex } from '../search-index.ts'
import { conditionOf } from './lance-conditions.ts'

type Read = <Answer>(question: (table: Table) => Promise<Answer>) => Promise<Answer>

interface MatchingRow extends Record<GroupedMember, string | null> {
  readonly id: string
  readonly createdAt: number
  readonly position: { readonly lat: number; readonly lon: number } | null
}

interface Sums {
  count: number
  lon: number
  lat: number
  readonly first: MatchingRow
  readonly day: number | null
  readonly column: number
  readonly row: number
}

/** rows between which other work of the event loop runs */
const rowsAtOnce = 500

/**
 * Counts and lists expressions in memory, in steps of about 10 ms: a search may match every expression of the index.
 * @param read - queries the current table of expressions, again if it was replaced meanwhile
 */
export function lanceCounts(read: Read): Pick<SearchIndex, 'tally' | 'newest'> {
  return {
    tally: (filter, grouping) =>
      read(async (table) => {
        const groups = new Groups(grouping)
        const names = ['id', 'domain', 'sub_domain', 'sentiment', 'lang', 'lat', 'lon', 'created_at']
        await eachRow(table, filter, names, ([id, domain, subDomain, sentiment, lang, lat, lon, createdAt]) =>
          groups.add({
            id: String(id),
            ...{ domain: textOf(domain), subDomain: textOf(subDomain), sentiment: textOf(sentiment), lang: textOf(lang) },
            createdAt: Number(createdAt),
            position: lat == null || lon == null ? null : { lat: Number(lat), lon: Number(lon) },
          }),
        )
        return groups.all
      }),
    newest: (filter, { limit, isBackward = false, beyond }) =>
      read(async (table) => {
        const sign = isBackward ? 1 : -1
        const compare = (a: IndexedPlace, b: IndexedPlace): number =>
          sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id)))
        let places: IndexedPlace[] = []
        await eachRow(table, filter, ['id', 'created_at'], ([id, createdAt]) => {
          const place = { id: String(id), createdAt: new Date(Number(createdAt)) }
          if (beyond !== undefined && compare(place, beyond) <= 0) return
          places.push(place)
          // the others cannot be among the first
          if (places.length >= 2 * limit + rowsAtOnce) places = places.sort(compare).slice(0, limit)
        })
        return places.sort(compare).slice(0, limit)
      }),
  }
}

const textOf = (value: unknown): string | null => (value == null ? null : String(value))

/** Calls `take` with the columns of each matching row. */
async function eachRow(table: Table, filter: SearchFilter, columns: string[], take: (values: readonly unknown[]) => void): Promise<void> {
  const where = conditionOf(filter)
  const query = table.query().select(columns)
  const turn = pauses()
  for await (const batch of where === undefined ? query : query.where(where)) {
    const vectors = columns.map((name) => batch.getChild(name))
    for (let row = 0; row < batch.numRows; row++) {
      take(vectors.map((vector): unknown => vector?.get(row)))
      if (row % rowsAtOnce === 0) await turn()
    }
    await turn()
  }
}

/** Groups rows as they are read. */
class Groups {
  readonly #grouping: Grouping
  readonly #dayOf: ((moment: number) => number) | undefined
  readonly #groups = new Map<string, Sums>()
  /** number of expressions by tile */
  readonly #tiles = new Map<string, number>()

  constructor(grouping: Grouping) {
    this.#grouping = grouping
    this.#dayOf = grouping.daysOf === undefined ? undefined : dayReader(grouping.daysOf)
  }

  add(each: MatchingRow): void {
    const { by, tilesOf } = this.#grouping
    const { lat = 0, lon = 0 } = each.position ?? {}
    if (tilesOf !== undefined && each.position === null) return
    const day = this.#dayOf?.(each.createdAt) ?? null
    const [column, row] = tilesOf === undefined ? [0, 0] : [columnOf(lon, tilesOf), rowOf(lat, tilesOf)]
    const key = JSON.stringify([by.map((name) => each[name]), day, column, row])
    const group = this.#groups.get(key) ?? { count: 0, lon: 0, lat: 0, first: each, day, column, row }
    group.count += 1
    group.lon += lon
    group.lat += lat
    this.#groups.set(key, group)
    const tile = `${column}/${row}`
    this.#tiles.set(tile, (this.#tiles.get(tile) ?? 0) + 1)
  }

  get all(): readonly ExpressionGroup[] {
    const { by, tilesOf } = this.#grouping
    return [...this.#groups.values()].map(({ count, lon, lat, first, day, column, row }) => {
      const memberOf = (name: GroupedMember): string | null => (by.includes(name) ? first[name] : null)
      const only =
        this.#tiles.get(`${column}/${row}`) !== 1
          ? null
          : { id: first.id, subDomain: first.subDomain, lang: first.lang ?? 'und', createdAt: new Date(first.createdAt) }
      return {
        count,
        domain: memberOf('domain'),
        subDomain: memberOf('subDomain'),
        sentiment: memberOf('sentiment'),
        lang: memberOf('lang'),
        day,
        tile: tilesOf === undefined ? null : { column, row, lon: lon / count, lat: lat / count, only },
      }
    })
  }
}
