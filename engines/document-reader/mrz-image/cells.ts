import type { Grey } from '../page/pixels.ts'
import { cell } from './rows.ts'

/** The shape of a cell: a filler, an upside-down filler, any other character, or blank. */
export type CellShape = '<' | '>' | 'character' | 'blank'

const inkBelow = 140

/**
 * Classifies a cell by shape: in a filler each row has one short stroke, at the right above and below and at the left in the middle. Text readers
 * drop and double fillers in long runs; the shape is unambiguous.
 */
export function cellShape(strip: Grey, column: number): CellShape {
  const strokes: { middle: number; width: number }[] = []
  let broken = 0
  for (let y = 2; y < cell.height - 2; y++) {
    const stroke = strokeOf(strip, column, y)
    if (stroke === undefined) continue
    if (stroke.parts > 1) broken++
    strokes.push(stroke)
  }
  if (strokes.length < cell.height / 5) return 'blank'
  const widths = strokes.map(({ width }) => width)
  const [left, right] = [Math.min(...strokes.map((s) => s.middle - s.width / 2)), Math.max(...strokes.map((s) => s.middle + s.width / 2))]
  const span = right - left
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
  // broken rows have two strokes; a filler has few
  if (span < cell.width * 0.3 || broken > strokes.length * 0.15 || mean(widths) > span * 0.6) return 'character'
  const at = (from: number, to: number): number => {
    const part = strokes.slice(
      Math.floor(strokes.length * from),
      Math.max(Math.floor(strokes.length * from) + 1, Math.ceil(strokes.length * to)),
    )
    return (mean(part.map(({ middle }) => middle)) - left) / span
  }
  const [top, quarter, half, threeQuarters, bottom] = [at(0, 0.14), at(0.2, 0.35), at(0.43, 0.57), at(0.65, 0.8), at(0.86, 1)]
  // straight strokes shift from row to row; the back of a C or G stays at the left
  const opens = (one: number, two: number, three: number, four: number, five: number): boolean =>
    one > 0.6 && five > 0.6 && three < 0.4 && Math.min(two, four) > three + 0.15 && one > two + 0.05 && five > four + 0.05
  if (opens(top, quarter, half, threeQuarters, bottom)) return '<'
  if (opens(1 - top, 1 - quarter, 1 - half, 1 - threeQuarters, 1 - bottom)) return '>'
  return 'character'
}

/** Returns the ink range of a row of the cell; undefined without ink. */
function strokeOf({ width, data }: Grey, column: number, y: number): { middle: number; width: number; parts: number } | undefined {
  let [first, last, parts, inside] = [-1, -1, 0, false]
  for (let x = 1; x < cell.width - 1; x++) {
    const ink = (data[y * width + column * cell.width + x] ?? 255) < inkBelow
    if (ink) {
      if (first < 0) first = x
      last = x
      if (!inside) parts++
    }
    inside = ink
  }
  return first < 0 ? undefined : { middle: (first + last) / 2, width: last - first + 1, parts }
}

/** A position in the machine-readable zone. */
export interface CellPlace {
  readonly line: number
  readonly column: number
}

/** Cells copied from their strips into one line for the reader, with the pixel range of each cell. */
export interface CellLine {
  readonly image: Grey
  readonly cells: readonly (CellPlace & { readonly from: number; readonly to: number })[]
}

const margin = 12
/** width of the gap between cells that are not neighbours, in cells */
const gap = 1

/** @param places - in reading order; a gap separates cells that are not neighbours */
export function copyCells(strips: readonly Grey[], places: readonly CellPlace[]): CellLine {
  const positions: (CellPlace & { from: number; to: number })[] = []
  let x = margin
  for (const [at, place] of places.entries()) {
    const before = places[at - 1]
    if (before !== undefined && !(before.line === place.line && before.column === place.column - 1)) x += gap * cell.width
    positions.push({ ...place, from: x, to: x + cell.width })
    x += cell.width
  }
  const [width, height] = [x + margin, cell.height + 2 * margin]
  const data = new Uint8Array(width * height).fill(255)
  for (const { line, column, from } of positions) {
    const strip = strips[line]
    if (strip === undefined) continue
    for (let y = 0; y < cell.height; y++) {
      const start = y * strip.width + column * cell.width
      data.set(strip.data.subarray(start, start + cell.width), (y + margin) * width + from)
    }
  }
  return { image: { width, height, data }, cells: positions }
}
