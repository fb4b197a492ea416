import type { Tile } from './source.ts'

const mostTiles = 256

/** The same area with each tile once; as larger tiles where there would be too many. */
export function mergedTiles(tiles: readonly Tile[]): readonly Tile[] {
  let merged = distinct(tiles)
  while (merged.length > mostTiles)
    merged = distinct(merged.map((tile) => (tile.z === 0 ? tile : { z: tile.z - 1, x: tile.x >> 1, y: tile.y >> 1 })))
  return merged
}

function distinct(tiles: readonly Tile[]): readonly Tile[] {
  return [...new Map(tiles.map(({ z, x, y }) => [`${z}/${x}/${y}`, { z, x, y }])).values()]
}
