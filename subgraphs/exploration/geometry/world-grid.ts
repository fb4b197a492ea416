import type { Position } from '../../../foundation/filter/bounding-box.ts'
import { columnOf, rowOf } from '../../../foundation/filter/web-mercator.ts'

/*
 * The world as a square (Web Mercator, EPSG:3857), divided like map tiles: zoom z has 2^z columns and rows of tiles, and each tile has
 * 8 x 8 cells, so that the cells of zoom z are the tiles of z + 3. Latitudes beyond 85.05 degrees belong to the first and last row.
 */

/** bits of column and row in a place: one more than in cells of the deepest zoom */
export const placeBits = 26
/** deepest zoom with roll-ups */
export const maxRolledZoom = 9
export const deepestZoom = 22
/** bits of the cells of zoom 0 */
export const cellBits = 3

/** Returns the latitude of a height from 0 to 1: the inverse of `heightOf`. */
export const latitudeOf = (height: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * height))) * 180) / Math.PI

/** Interleaves column and row into one number (Morton, 1966): each cell of a coarser grid is a range of such numbers. */
export function placeOf(column: number, row: number): number {
  return spread(column) + 2 * spread(row)
}

export const placeOfPosition = ({ lat, lon }: Position): number => placeOf(columnOf(lon, placeBits), rowOf(lat, placeBits))

/** The inverse of `placeOf`. */
export function cellOfPlace(place: number): readonly [column: number, row: number] {
  const half = 2 ** placeBits
  const [low, high] = [place % half, Math.floor(place / half)]
  return [gather(low) + gather(high) * 2 ** (placeBits / 2), gather(low >>> 1) + gather(high >>> 1) * 2 ** (placeBits / 2)]
}

const halfBits = placeBits / 2
const halfMask = 2 ** halfBits - 1

/** Inserts a zero bit between bits; 26 bits become 52, which a double represents exactly. */
function spread(value: number): number {
  return spreadHalf(value & halfMask) + spreadHalf((value >>> halfBits) & halfMask) * 2 ** placeBits
}

function spreadHalf(value: number): number {
  let bits = value
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

function gather(value: number): number {
  let bits = value & 0x55555555
  bits = (bits | (bits >>> 1)) & 0x33333333
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f
  bits = (bits | (bits >>> 4)) & 0x00ff00ff
  return (bits | (bits >>> 8)) & 0x0000ffff
}
