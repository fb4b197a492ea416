import type { BoundingBox } from '../../../foundation/filter/bounding-box.ts'
import type { Tile } from './source.ts'

const maxTiles = 256

/** Returns the same area with distinct tiles, merged into larger ones above the limit. */
export function mergedTiles(tiles: readonly Tile[]): readonly Tile[] {
  let merged = distinct(tiles)
  while (merged.length > maxTiles)
    merged = distinct(merged.map((tile) => (tile.z === 0 ? tile : { z: tile.z - 1, x: tile.x >> 1, y: tile.y >> 1 })))
  return merged
}

/** Returns whether a tile of the Web Mercator pyramid intersects a box; the outermost rows reach the poles. */
export function touches({ west, south, east, north }: BoundingBox, { z, x, y }: Tile): boolean {
  const across = 2 ** z
  const longitude = (column: number): number => (column / across) * 360 - 180
  const latitude = (row: number): number => {
    if (row === 0) return 90
    return row === across ? -90 : (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / across))) * 180) / Math.PI
  }
  if (latitude(y) < south || latitude(y + 1) > north) return false
  const [left, right] = [longitude(x), longitude(x + 1)]
  return west <= east ? right >= west && left <= east : right >= west || left <= east
}

function distinct(tiles: readonly Tile[]): readonly Tile[] {
  return [...new Map(tiles.map(({ z, x, y }) => [`${z}/${x}/${y}`, { z, x, y }])).values()]
}
