import { type Box, boxOfTile } from './view.ts'

/** limit of the service: a larger area is answered at a lower zoom */
const maxTiles = 64

/** of a border of tiles in degrees, as a part of a tile */
const rounding = 1e-6

/** Adjacent tiles of a zoom; columns continue beyond the antimeridian. */
export interface TileRange {
  readonly zoom: number
  readonly left: number
  readonly top: number
  readonly columns: number
  readonly rows: number
}

/** Returns the column and the row of a place in a zoom, as fractions. */
export function tileOfPlace([lon, lat]: readonly [number, number], zoom: number): readonly [column: number, row: number] {
  const size = 2 ** zoom
  const within = (part: number): number => Math.min(1 - Number.EPSILON, Math.max(0, part)) * size
  const down = Math.abs(lat) >= 90 ? (lat < 0 ? 1 : 0) : 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
  return [within((lon + 180) / 360), within(down)]
}

/** Returns the tiles of a zoom that an area intersects; undefined if they are more than one request can read. */
export function tilesAround({ west, south, east, north }: Box, zoom: number): TileRange | undefined {
  const size = 2 ** zoom
  const [left, top] = tileOfPlace([west, north], zoom).map((at) => Math.floor(at + rounding)) as [number, number]
  const [right, bottom] = tileOfPlace([east, south], zoom).map((at) => Math.ceil(at - rounding)) as [number, number]
  const columns = Math.min(size, Math.max(1, east < west ? right + size - left : right - left))
  const rows = Math.max(1, Math.min(size - top, bottom - top))
  return columns * rows > maxTiles ? undefined : { zoom, left, top, columns, rows }
}

/** Returns the tiles around some tiles of a zoom; undefined if they are more than one request can read. */
export function tilesAroundTiles(names: readonly string[]): TileRange | undefined {
  const tiles = names.map((name) => name.split('/').map(Number) as [number, number, number])
  const [[zoom] = [0]] = tiles
  const [columns, rows] = [tiles.map(([, column]) => column), tiles.map(([, , row]) => row)]
  const [left, top] = [Math.min(...columns), Math.min(...rows)]
  const range = { zoom, left, top, columns: Math.max(...columns) - left + 1, rows: Math.max(...rows) - top + 1 }
  return range.columns * range.rows > maxTiles ? undefined : range
}

export function boxOfTiles({ zoom, left, top, columns, rows }: TileRange): Box {
  const size = 2 ** zoom
  const { west, north } = boxOfTile(`${zoom}/${left}/${top}`)
  const { east, south } = boxOfTile(`${zoom}/${(left + columns - 1) % size}/${top + rows - 1}`)
  return columns === size ? { west: -180, south, east: 180, north } : { west, south, east, north }
}

/** @param name - `zoom/column/row` */
export function hasTile({ zoom, left, top, columns, rows }: TileRange, name: string): boolean {
  const [level, column = 0, row = 0] = name.split('/').map(Number)
  const size = 2 ** zoom
  return level === zoom && (column - left + size) % size < columns && row >= top && row < top + rows
}
