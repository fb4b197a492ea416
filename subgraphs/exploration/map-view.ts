import type { Sentiment } from '../engines/analytics-store/analytics-store.ts'
import { coverOf, partsOf, wholeWorld, zoomFor } from './area.ts'
import { unlocated } from './cell-changes.ts'
import { unpackCounts } from './packed-counts.ts'
import { readCells, readEdges, readSingles } from './read-area.ts'
import type { RollUpKey } from './roll-up-keys.ts'
import type { Snapshot } from './roll-ups.ts'
import { matchingKeys, type Selection } from './selection.ts'
import { cellBits, cellOfPlace, deepestZoom, placeBits, placeOf } from './world-grid.ts'

export interface ToneCounts {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

/** -1 to 1: how much more often the tone is positive than negative among those that have one; null when none has. */
export function scoreOf({ positive, neutral, negative }: ToneCounts): number | null {
  const known = positive + neutral + negative
  return known === 0 ? null : Math.round(((positive - negative) / known) * 10_000) / 10_000
}

/** Several expressions, at the mean of their positions. */
export interface MapCluster extends ToneCounts {
  /** the tile that their cell is: zoom/column/row */
  readonly id: string
  readonly lon: number
  readonly lat: number
  readonly count: number
  readonly expansionZoom: number
  /** expressions by domain; those without one are in none */
  readonly domains: readonly (readonly [id: string, count: number])[]
}

/** One expression where it was said. */
export interface MapPoint {
  readonly id: string
  readonly lon: number
  readonly lat: number
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: Sentiment | null
  readonly lang: string
  readonly createdAt: Date
  readonly agree: number
  readonly disagree: number
  readonly pass: number
}

/** Sum of the clusters' counts, points and `unmapped` is `total`. */
export interface MapAnswer {
  readonly version: string
  readonly at: Date
  readonly total: number
  /** those that match but have no position */
  readonly unmapped: number
  readonly zoom: number
  readonly requestedZoom: number | null
  readonly clusters: readonly MapCluster[]
  readonly points: readonly MapPoint[]
}

interface Group {
  count: number
  positive: number
  neutral: number
  negative: number
  /** by the number of the domain in `domains` */
  readonly byDomain: number[]
  lon: number
  lat: number
  /** a key that it has some of */
  key: number
}

/** How each key counts, looked up once. */
class KeyColumns {
  readonly wanted: readonly boolean[]
  readonly isFiltered: boolean
  readonly tone: readonly (Sentiment | null)[]
  /** of the domain in `domains`, -1 for none */
  readonly domain: readonly number[]
  readonly domains: readonly string[]

  constructor(keys: readonly (RollUpKey | undefined)[], wanted: readonly boolean[]) {
    const domains = [...new Set(keys.flatMap((key) => key?.domain ?? []))].sort()
    const numbers = new Map(domains.map((id, index) => [id, index]))
    this.domains = domains
    this.wanted = wanted
    this.isFiltered = keys.some((key, index) => key !== undefined && wanted[index] !== true)
    this.tone = Array.from(keys, (key) => key?.sentiment ?? null)
    this.domain = Array.from(keys, (key) => numbers.get(key?.domain ?? '') ?? -1)
  }

  add(group: Group, key: number, count: number): void {
    group.count += count
    const tone = this.tone[key]
    if (tone != null) group[tone] += count
    const domain = this.domain[key] ?? -1
    if (domain >= 0) group.byDomain[domain] = (group.byDomain[domain] ?? 0) + count
    if (count > 0) group.key = key
  }
}

/**
 * What of a selection lies where, in cells of a zoom.
 * @param requestedZoom - null: as deep as the area allows; it is lowered until the area has at most 64 tiles
 * @throws {InvalidInput} for an unknown domain
 */
export async function mapView(snapshot: Snapshot, selection: Selection, requestedZoom: number | null): Promise<MapAnswer> {
  const box = selection.box ?? wholeWorld
  const zoom = zoomFor(box, requestedZoom ?? deepestZoom)
  const wanted = matchingKeys(snapshot, selection)
  const columns = new KeyColumns(snapshot.keys, wanted)
  const keys = columns.isFiltered ? wanted.flatMap((is, key) => (is ? [key] : [])) : undefined
  const cover = coverOf(box, zoom)
  const shift = 2 * (placeBits - zoom - cellBits)
  const groups = new Map<number, Group>()
  const groupAt = (cell: number): Group => {
    let group = groups.get(cell)
    if (group === undefined) {
      group = { count: 0, positive: 0, neutral: 0, negative: 0, byDomain: columns.domains.map(() => 0), lon: 0, lat: 0, key: 0 }
      groups.set(cell, group)
    }
    return group
  }

  let unmapped = 0
  const nowhere = { zoom: unlocated, left: 0, right: 0, top: 0, bottom: 0 }
  // by cell and level: buckets of one cell are taken together before its mean is
  const rolled = new Map<string, { readonly cell: number; readonly counts: Map<number, number>; all: number; lon: number; lat: number }>()
  for (const [level, y, x, , times, counts, , lon, lat] of await readCells(snapshot, [nowhere, ...cover.cells], selection)) {
    if (level === unlocated) {
      unpackCounts(counts, (key, count) => {
        if (wanted[key]) unmapped += times * count
      })
      continue
    }
    const name = `${level}/${y}/${x}`
    let sums = rolled.get(name)
    if (sums === undefined) {
      const coarser = 2 ** (level - zoom)
      sums = { cell: placeOf(Math.floor(x / coarser), Math.floor(y / coarser)), counts: new Map(), all: 0, lon: 0, lat: 0 }
      rolled.set(name, sums)
    }
    const { counts: byKey } = sums
    let all = 0
    unpackCounts(counts, (key, count) => {
      all += count
      if (wanted[key]) byKey.set(key, (byKey.get(key) ?? 0) + times * count)
    })
    sums.all += times * all
    sums.lon += times * Number(lon)
    sums.lat += times * Number(lat)
  }
  for (const { cell, counts, all, lon, lat } of rolled.values()) {
    let matching = 0
    for (const count of counts.values()) matching += count
    if (matching === 0) continue
    const group = groupAt(cell)
    for (const [key, count] of counts) columns.add(group, key, count)
    // of all that is in it: the means of each key are not kept
    group.lon += (lon * matching) / all
    group.lat += (lat * matching) / all
  }
  for (const [cell, list, lon, lat] of await readEdges(snapshot, cover.edges, shift, { ...selection, keys })) {
    const group = groupAt(Number(cell))
    for (const key of list.split(' ')) columns.add(group, Number(key), 1)
    group.lon += Number(lon)
    group.lat += Number(lat)
  }

  const clusters: MapCluster[] = []
  const lone: { from: number; to: number; key: number }[] = []
  let total = unmapped
  const sorted = [...groups].sort(([a], [b]) => a - b)
  for (const [cell, group] of sorted) {
    total += group.count
    if (group.count === 1) lone.push({ from: cell * 2 ** shift, to: (cell + 1) * 2 ** shift, key: group.key })
    else if (group.count > 1) clusters.push(clusterOf(cell, group, zoom, columns.domains))
  }
  const points = (await readSingles(snapshot, lone, partsOf(box), selection)).map(
    ([index, id, createdAt, lon, lat, agree, disagree, pass]): MapPoint => {
      const { domain = null, subDomain = null, sentiment = null, lang = 'und' } = snapshot.keys[lone[index - 1]?.key ?? 0] ?? {}
      return { id, lon, lat, domain, subDomain, sentiment, lang, createdAt, agree, disagree, pass }
    },
  )
  const { version, at } = snapshot
  return { version, at, total, unmapped, zoom, requestedZoom, clusters, points }
}

function clusterOf(cell: number, group: Group, zoom: number, domains: readonly string[]): MapCluster {
  const { count, positive, neutral, negative, byDomain, lon, lat } = group
  const [column, row] = cellOfPlace(cell)
  const degrees = (sum: number): number => Math.round(sum / count) / 1e6
  return {
    id: `${zoom + cellBits}/${column}/${row}`,
    lon: degrees(lon),
    lat: degrees(lat),
    count,
    expansionZoom: Math.min(deepestZoom, zoom + 1),
    positive,
    neutral,
    negative,
    domains: domains.flatMap((id, index) => (byDomain[index] ? [[id, byDomain[index]] as const] : [])),
  }
}
