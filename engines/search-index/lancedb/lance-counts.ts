import type { Table } from '@lancedb/lancedb'
import { dayReader } from '../../../foundation/calendar-day.ts'
import { columnOf, rowOf } from '../../../foundation/filter/web-mercator.ts'
import type { ExpressionGroup, GroupedMember, Grouping, SearchFilter, SearchIndex } from '../search-index.ts'
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

/** Counts and lists expressions in memory. @param read - queries the current table of expressions */
export function lanceCounts(read: Read): Pick<SearchIndex, 'tally' | 'newest'> {
  const matching = (filter: SearchFilter, columns: string[]) =>
    read((table) => {
      const where = conditionOf(filter)
      const query = table.query().select(columns)
      return (where === undefined ? query : query.where(where)).toArray()
    })
  return {
    async tally(filter, grouping) {
      const rows = await matching(filter, ['id', 'domain', 'sub_domain', 'sentiment', 'lang', 'lat', 'lon', 'created_at'])
      const read = rows.map(
        (row): MatchingRow => ({
          id: String(row.id),
          domain: row.domain,
          subDomain: row.sub_domain,
          sentiment: row.sentiment,
          lang: row.lang,
          createdAt: Number(row.created_at),
          position: row.lat === null || row.lon === null ? null : { lat: Number(row.lat), lon: Number(row.lon) },
        }),
      )
      return groupsOf(read, grouping)
    },
    async newest(filter, { limit, isBackward = false, beyond }) {
      const rows = await matching(filter, ['id', 'created_at'])
      const places = rows.map((row) => ({ id: String(row.id), createdAt: new Date(Number(row.created_at)) }))
      const sign = isBackward ? 1 : -1
      const compare = (a: (typeof places)[number], b: typeof a): number =>
        sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id)))
      return places
        .filter((place) => beyond === undefined || compare(place, beyond) > 0)
        .sort(compare)
        .slice(0, limit)
    },
  }
}

function groupsOf(rows: readonly MatchingRow[], { by, daysOf, tilesOf }: Grouping): readonly ExpressionGroup[] {
  const dayOf = daysOf === undefined ? undefined : dayReader(daysOf)
  const groups = new Map<string, Sums>()
  /** number of expressions by tile */
  const tiles = new Map<string, number>()
  for (const each of rows) {
    const { lat = 0, lon = 0 } = each.position ?? {}
    if (tilesOf !== undefined && each.position === null) continue
    const day = dayOf?.(each.createdAt) ?? null
    const [column, row] = tilesOf === undefined ? [0, 0] : [columnOf(lon, tilesOf), rowOf(lat, tilesOf)]
    const key = JSON.stringify([by.map((name) => each[name]), day, column, row])
    const group = groups.get(key) ?? { count: 0, lon: 0, lat: 0, first: each, day, column, row }
    group.count += 1
    group.lon += lon
    group.lat += lat
    groups.set(key, group)
    const tile = `${column}/${row}`
    tiles.set(tile, (tiles.get(tile) ?? 0) + 1)
  }
  return [...groups.values()].map(({ count, lon, lat, first, day, column, row }) => {
    const memberOf = (name: GroupedMember): string | null => (by.includes(name) ? first[name] : null)
    const only =
      tiles.get(`${column}/${row}`) !== 1
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
