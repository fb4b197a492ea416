import type { BoundingBox } from '../../../foundation/filter/bounding-box.ts'
import type { CellRange } from '../geometry/area.ts'
import { cellBits, latitudeOf, maxRolledZoom, placeBits, placeOf } from '../geometry/world-grid.ts'
import { contains, type Outline, touches } from './outline.ts'

/** A cell of the roll-ups. */
export interface RolledCell {
  readonly zoom: number
  readonly column: number
  readonly row: number
}

/**
 * A district as cells that lie entirely in it, and ranges of places whose positions are tested against its outline. They do not overlap.
 */
export interface DistrictCover {
  readonly cells: readonly RolledCell[]
  readonly border: readonly { readonly from: number; readonly to: number }[]
}

/** a cell and the edges that intersect it */
interface Cell {
  readonly bits: number
  readonly column: number
  readonly row: number
  readonly edges: Outline
}

/** maximum of border cells; cells on the border are divided up to this number */
const maxBorderCells = 400
/** about 300 m at the equator; smaller cells save nothing */
const maxBits = 17

export function coverOfDistrict(outline: Outline): DistrictCover {
  const inside: Cell[] = []
  let border: Cell[] = [{ bits: 0, column: 0, row: 0, edges: outline }]
  for (let bits = 1; bits <= maxBits && border.length * 2 <= maxBorderCells; bits++) {
    const next: Cell[] = []
    for (const part of border.flatMap(quartersOf)) {
      if (part.edges.length > 0) next.push(part)
      else if (contains(outline, middleOf(boxOf(part)))) inside.push(part)
    }
    border = next
  }
  const isRolled = ({ bits }: Cell): boolean => bits >= cellBits && bits <= maxRolledZoom + cellBits
  const cells = inside.filter(isRolled).map(({ bits, column, row }) => ({ zoom: bits - cellBits, column, row }))
  return { cells, border: stretchesOf([...border, ...inside.filter((cell) => !isRolled(cell))]) }
}

function quartersOf({ bits, column, row, edges }: Cell): readonly Cell[] {
  return [0, 1].flatMap((down) =>
    [0, 1].map((right) => {
      const part = { bits: bits + 1, column: 2 * column + right, row: 2 * row + down }
      const box = boxOf(part)
      return { ...part, edges: edges.filter((edge) => touches(edge, box)) }
    }),
  )
}

/** Latitudes beyond 85.05 degrees belong to the first and last row. */
function boxOf({ bits, column, row }: Omit<Cell, 'edges'>): BoundingBox {
  const size = 2 ** bits
  return {
    west: (column / size) * 360 - 180,
    east: ((column + 1) / size) * 360 - 180,
    north: row === 0 ? 90 : latitudeOf(row / size),
    south: row === size - 1 ? -90 : latitudeOf((row + 1) / size),
  }
}

const middleOf = ({ west, south, east, north }: BoundingBox) => ({ lat: (south + north) / 2, lon: (west + east) / 2 })

/** Returns distinct cells as ranges, with neighbours of a row merged. */
export function rangesOfCells(cells: readonly RolledCell[]): readonly CellRange[] {
  const sorted = cells.toSorted((a, b) => a.zoom - b.zoom || a.row - b.row || a.column - b.column)
  const ranges: { zoom: number; left: number; right: number; top: number; bottom: number }[] = []
  for (const { zoom, column, row } of sorted) {
    const last = ranges.at(-1)
    if (last?.zoom === zoom && last.top === row && last.right >= column - 1) last.right = column
    else ranges.push({ zoom, left: column, right: column, top: row, bottom: row })
  }
  return ranges
}

/** Returns the places of the cells, with neighbours merged. */
function stretchesOf(cells: readonly Cell[]): DistrictCover['border'] {
  const all = cells
    .map(({ bits, column, row }) => {
      const unit = 4 ** (placeBits - bits)
      const from = placeOf(column, row) * unit
      return { from, to: from + unit }
    })
    .sort((a, b) => a.from - b.from)
  const intervals: { from: number; to: number }[] = []
  for (const { from, to } of all) {
    const last = intervals.at(-1)
    if (last?.to === from) last.to = to
    else intervals.push({ from, to })
  }
  return intervals
}
