import type { Box } from '../document-reader.ts'
import { isDoubtful, type Level, levelled, turned } from '../page/level.ts'
import type { Grey } from '../page/pixels.ts'
import type { Direction } from '../page/skew.ts'
import { type MrzShapes, mrzShapes } from './read-mrz.ts'
import { clear, findMrzRows, type MrzRows } from './rows.ts'

/** A machine-readable zone on a page that is the right way up. */
export interface FoundZone {
  readonly rows: MrzRows
  readonly shapes: MrzShapes
}

export interface ZonedLevel {
  readonly level: Level
  readonly zone?: FoundZone
}

/** The lines that were found may be of something beside the document: then its machine-readable zone stands level with the picture. */
export function findZone(picture: Grey, { turn, level }: Direction): ZonedLevel {
  const along = withZone(levelled(picture, turn, level))
  if (along.zone !== undefined || !isDoubtful({ turn, degrees: level })) return along
  const plain = withZone(levelled(picture, 0, 0))
  return plain.zone === undefined ? along : plain
}

/** The machine-readable zone's rows, and the page the right way up if its fillers say that it was not. */
export function withZone(lines: Level): ZonedLevel {
  const { level, rows } = clearest(lines)
  if (rows === undefined) return { level }
  const shapes = mrzShapes(level.page, rows)
  if (!shapes.upsideDown) return { level, zone: { rows, shapes } }
  const other = turned(level, 180)
  const otherRows = findMrzRows(other.page)
  return otherRows === undefined ? { level } : { level: other, zone: { rows: otherRows, shapes: mrzShapes(other.page, otherRows) } }
}

/** Degrees that the level of the lines may be wrong by, where the paper's pattern or edges outweigh them. */
const corrections = [0.8, -0.8, 1.6, -1.6] as const

/** Rows that are there but unclear may only be askew. */
function clearest(level: Level): { level: Level; rows: MrzRows | undefined } {
  let best = { level, rows: findMrzRows(level.page) }
  if (best.rows === undefined || best.rows.clearness > clear) return best
  for (const correction of corrections) {
    const other = levelled(level.picture, level.turn, level.degrees + correction)
    const rows = findMrzRows(other.page)
    if (rows !== undefined && rows.clearness > (best.rows?.clearness ?? 0)) best = { level: other, rows }
    if ((best.rows?.clearness ?? 0) > clear) break
  }
  return best
}

export const boxesOf = ({ rows, columns }: MrzRows): Box[] =>
  rows.map(({ left, middle, height, pitch }) => ({ left, top: middle - height / 2, width: pitch * columns, height }))

/** The page with the machine-readable zone painted over, so that it is not read again as text. */
export function withoutZone({ width, height, data }: Grey, { rows, columns }: MrzRows, scale: number): Grey {
  const painted = new Uint8Array(data)
  for (const { left, middle, slope, height: tall, pitch } of rows) {
    for (let x = Math.max(0, Math.round((left - pitch) * scale)); x < Math.min(width, (left + pitch * (columns + 1)) * scale); x++) {
      const centre = (middle + slope * (x / scale - left)) * scale
      const top = Math.round(centre - tall * scale * 0.7)
      const paper = data[Math.max(0, Math.min(height - 1, top - 1)) * width + x] ?? 255
      for (let y = Math.max(0, top); y < Math.min(height, centre + tall * scale * 0.7); y++) painted[y * width + x] = paper
    }
  }
  return { width, height, data: painted }
}
