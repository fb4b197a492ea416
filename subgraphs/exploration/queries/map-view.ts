import type { VoteCounts } from '../../../engines/analytics-store/analytics-store.ts'
import { partsOfBoundingBox, wholeWorld } from '../../../foundation/filter/bounding-box.ts'
import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import { coverOf, zoomFor } from '../geometry/area.ts'
import { cellBits, cellOfPlace, deepestZoom, placeBits, placeOf } from '../geometry/world-grid.ts'
import { unlocated } from '../roll-ups/cell-changes.ts'
import { type CellRow, readCells, readEdges, readSingles } from './read-area.ts'
import type { Snapshot } from './roll-up-reader.ts'
import { matchingKeys, type Selection } from './selection.ts'
import { CountTally, type Tally } from './tally.ts'

export interface SentimentCounts {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

/** Returns (positive - negative) / (positive + neutral + negative), from -1 to 1; null when no expression has a sentiment. */
export function scoreOf({ positive, neutral, negative }: SentimentCounts): number | null {
  const classified = positive + neutral + negative
  return classified === 0 ? null : Math.round(((positive - negative) / classified) * 10_000) / 10_000
}

/** Several expressions at their mean position. */
export interface MapCluster extends SentimentCounts {
  /** the tile of the cluster's cell: zoom/column/row */
  readonly id: string
  readonly lon: number
  readonly lat: number
  readonly count: number
  readonly expansionZoom: number
  /** number of expressions by domain; expressions without a domain are not counted */
  readonly domains: readonly (readonly [id: string, count: number])[]
}

/** One expression at its position. */
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
  readonly unverified: VoteCounts
}

/** `total` is the sum of the clusters' counts, the points and `unmapped`. */
export interface MapAnswer {
  readonly version: string
  readonly at: Date
  readonly total: number
  /** matching expressions without a position */
  readonly unmapped: number
  readonly zoom: number
  readonly requestedZoom: number | null
  readonly clusters: readonly MapCluster[]
  readonly points: readonly MapPoint[]
}

/** The expressions of a cell. @see Tally */
export interface CellGroup {
  readonly tally: Tally
  /** sums in millionths of degrees */
  lon: number
  lat: number
}

/**
 * Returns the expressions of a selection by cells of a zoom.
 * @param requestedZoom - null for the deepest zoom; it is lowered until the area has at most 64 tiles
 * @throws {InvalidInput} for an unknown domain
 */
export async function mapView(snapshot: Snapshot, selection: Selection, requestedZoom: number | null): Promise<MapAnswer> {
  const box = selection.box ?? wholeWorld
  const zoom = zoomFor(box, requestedZoom ?? deepestZoom)
  const tallying = new CountTally(snapshot.keys, matchingKeys(snapshot, selection))
  const cover = coverOf(box, zoom)
  const shift = 2 * (placeBits - zoom - cellBits)
  const groups = new Map<number, CellGroup>()
  const groupAt = (cell: number): CellGroup => {
    let group = groups.get(cell)
    if (group === undefined) {
      group = { tally: tallying.fresh(), lon: 0, lat: 0 }
      groups.set(cell, group)
    }
    return group
  }

  const unlocatedTally = tallying.fresh()
  for (const { level, y, x, rows } of byCell(await readCells(snapshot, [unlocatedCell, ...cover.cells], selection))) {
    if (level === unlocated) {
      for (const [, , , , times, counts] of rows) tallying.add(unlocatedTally, counts, times)
      continue
    }
    const coarser = 2 ** (level - zoom)
    const group = groupAt(placeOf(Math.floor(x / coarser), Math.floor(y / coarser)))
    const { tally } = group
    const [count, all] = [tally.count, tally.all]
    let [lonSum, latSum] = [0, 0]
    for (const [, , , , times, counts, , lon, lat] of rows) {
      tallying.add(tally, counts, times)
      lonSum += times * Number(lon)
      latSum += times * Number(lat)
    }
    // the mean of the whole cell: positions per key are not stored
    const part = tally.all === all ? 0 : (tally.count - count) / (tally.all - all)
    group.lon += lonSum * part
    group.lat += latSum * part
  }
  for (const [cell, list, lon, lat] of await readEdges(snapshot, cover.edges, shift, { ...selection, keys: tallying.wantedKeys })) {
    const group = groupAt(Number(cell))
    for (const key of list.split(' ')) tallying.addOne(group.tally, Number(key), 1)
    group.lon += Number(lon)
    group.lat += Number(lat)
  }
  const unmapped = unlocatedTally.count

  const clusters: MapCluster[] = []
  const singles: { from: number; to: number; key: number }[] = []
  let total = unmapped
  const sorted = [...groups].sort(([a], [b]) => a - b)
  for (const [cell, group] of sorted) {
    const { count, keySum } = group.tally
    total += count
    if (count === 1) singles.push({ from: cell * 2 ** shift, to: (cell + 1) * 2 ** shift, key: keySum })
    else if (count > 1) clusters.push(clusterOf(cell, group, zoom, tallying.domains))
  }
  const points = (await readSingles(snapshot, singles, partsOfBoundingBox(box), selection)).map(
    ([index, id, createdAt, lon, lat, agree, disagree, pass, ...others]): MapPoint => {
      const { domain = null, subDomain = null, sentiment = null, lang = 'und' } = snapshot.keys[singles[index - 1]?.key ?? 0] ?? {}
      const unverified = { agree: others[0], disagree: others[1], pass: others[2] }
      return { id, lon, lat, domain, subDomain, sentiment, lang, createdAt, agree, disagree, pass, unverified }
    },
  )
  const { version, at } = snapshot
  return { version, at, total, unmapped, zoom, requestedZoom, clusters, points }
}

const unlocatedCell = { zoom: unlocated, left: 0, right: 0, top: 0, bottom: 0 }

interface RolledCell {
  readonly level: number
  readonly y: number
  readonly x: number
  /** its ranges of time */
  readonly rows: CellRow[]
}

function byCell(rows: readonly CellRow[]): Iterable<RolledCell> {
  const cells = new Map<number, RolledCell>()
  for (const row of rows) {
    const [level, y, x] = row
    const name = ((level + 2) * 4096 + y) * 4096 + x
    const cell = cells.get(name)
    if (cell === undefined) cells.set(name, { level, y, x, rows: [row] })
    else cell.rows.push(row)
  }
  return cells.values()
}

/** Returns the cluster of a cell. @param domains - of the tally, in order */
export function clusterOf(cell: number, { tally, lon, lat }: CellGroup, zoom: number, domains: readonly string[]): MapCluster {
  const { count, positive, neutral, negative } = tally
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
    domains: domains.flatMap((id, index) => (tally.domains[index] ? [[id, tally.domains[index]] as const] : [])),
  }
}
