import { type BoundingBox, partsOfBoundingBox } from '../../../foundation/filter/bounding-box.ts'
import { columnOf, heightOf, rowOf } from '../../../foundation/filter/web-mercator.ts'
import { cellBits, deepestZoom, maxRolledZoom, placeBits, placeOf } from './world-grid.ts'

/** Columns and rows of cells of a zoom, both ends included. */
export interface CellRange {
  readonly zoom: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Places from `from` to before `to`; only those inside the box belong to the area. */
export interface PlaceRange {
  readonly from: number
  readonly to: number
  readonly box: BoundingBox
}

/** An area as cells that lie entirely in it and ranges with some places in it. No place occurs twice. */
export interface Cover {
  readonly cells: readonly CellRange[]
  readonly edges: readonly PlaceRange[]
}

export const maxTiles = 64

/** Returns the number of tiles of a zoom that intersect a box; touching its border does not count. */
function tilesOf(box: BoundingBox, zoom: number): number {
  const size = 2 ** zoom
  const across = (from: number, to: number): number =>
    Math.max(1, Math.min(size, Math.ceil(to * size)) - Math.min(size - 1, Math.max(0, Math.floor(from * size))))
  const clamped = (value: number): number => Math.min(1, Math.max(0, value))
  let tiles = 0
  for (const { west, east, north, south } of partsOfBoundingBox(box))
    tiles += across((west + 180) / 360, (east + 180) / 360) * across(clamped(heightOf(north)), clamped(heightOf(south)))
  return tiles
}

/** Returns the deepest zoom, at most `deepest`, at which a box has at most `max` tiles. */
export function zoomFor(box: BoundingBox, deepest: number = deepestZoom, max = maxTiles): number {
  for (let zoom = deepest; zoom > 0; zoom--) if (tilesOf(box, zoom) <= max) return zoom
  return 0
}

/** deepest zoom with an index for columns of cells (roll_up_cell_column) */
const maxColumns = 6

/**
 * Covers a box with cells of a zoom, smaller cells towards its edges, and places along the edges whose positions must be tested.
 * Beyond zoom 9 it consists of places only.
 */
export function coverOf(box: BoundingBox, zoom: number): Cover {
  const parts = partsOfBoundingBox(box).map((part) => coverOfPart(part, zoom))
  return { cells: parts.flatMap(({ cells }) => cells), edges: parts.flatMap(({ edges }) => edges) }
}

function coverOfPart(box: BoundingBox, zoom: number): Cover {
  if (zoom > maxRolledZoom) return { cells: [], edges: rangesOf([outer(box, zoom, zoom)], zoom, box) }
  const deepest = Math.max(zoom, maxColumns)
  const cells: CellRange[] = []
  let whole: CellRange | undefined
  for (let level = zoom; level <= deepest; level++) {
    const next = inner(box, level)
    cells.push(...without(next, whole && finer(whole)))
    whole = next
  }
  const cut = without(outer(box, deepest, deepest + cellBits), whole)
  return { cells, edges: rangesOf(cut, deepest + cellBits, box) }
}

/** Returns all cells that intersect the box. @param bits - bits of a column */
function outer({ west, south, east, north }: BoundingBox, zoom: number, bits: number): CellRange {
  return { zoom, left: columnOf(west, bits), right: columnOf(east, bits), top: rowOf(north, bits), bottom: rowOf(south, bits) }
}

/** Returns the cells that lie entirely in the box, up to the edge of the world; undefined when there are no such cells. */
function inner(box: BoundingBox, zoom: number): CellRange | undefined {
  const bits = zoom + cellBits
  const { left, right, top, bottom } = outer(box, zoom, bits)
  const range = {
    zoom,
    left: box.west <= -180 ? 0 : left + 1,
    right: box.east >= 180 ? 2 ** bits - 1 : right - 1,
    top: box.north >= 90 ? 0 : top + 1,
    bottom: box.south <= -90 ? 2 ** bits - 1 : bottom - 1,
  }
  return range.left <= range.right && range.top <= range.bottom ? range : undefined
}

const finer = ({ zoom, left, right, top, bottom }: CellRange): CellRange => ({
  zoom: zoom + 1,
  left: 2 * left,
  right: 2 * right + 1,
  top: 2 * top,
  bottom: 2 * bottom + 1,
})

/** Subtracts a contained range: returns at most four ranges. */
function without(range: CellRange | undefined, hole: CellRange | undefined): readonly CellRange[] {
  if (range === undefined) return []
  if (hole === undefined) return [range]
  const strips = [
    { ...range, bottom: hole.top - 1 },
    { ...range, top: hole.bottom + 1 },
    { ...range, top: hole.top, bottom: hole.bottom, right: hole.left - 1 },
    { ...range, top: hole.top, bottom: hole.bottom, left: hole.right + 1 },
  ]
  return strips.filter(({ left, right, top, bottom }) => left <= right && top <= bottom)
}

/** Returns the places of the cells, with neighbours merged. @param bits - bits of a column */
function rangesOf(ranges: readonly CellRange[], bits: number, box: BoundingBox): readonly PlaceRange[] {
  const codes: number[] = []
  for (const { left, right, top, bottom } of ranges)
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) codes.push(placeOf(column, row))
  codes.sort((a, b) => a - b)
  const unit = 4 ** (placeBits - bits)
  const intervals: { from: number; to: number; box: BoundingBox }[] = []
  for (const code of codes) {
    const last = intervals.at(-1)
    if (last !== undefined && last.to === code * unit) last.to += unit
    else intervals.push({ from: code * unit, to: (code + 1) * unit, box })
  }
  return intervals
}
