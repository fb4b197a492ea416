import type { Box } from '../document-reader.ts'
import { isDoubtful, type Level, levelled, turned } from '../page/level.ts'
import type { Grey } from '../page/pixels.ts'
import type { Direction } from '../page/skew.ts'
import { type MrzShapes, mrzShapes } from './read-mrz.ts'
import { findMrzRows, type MrzRows, sufficientClearness } from './rows.ts'

/** A machine-readable zone on an upright page. */
export interface DetectedZone {
  readonly rows: MrzRows
  readonly shapes: MrzShapes
}

export interface ZonedLevel {
  readonly level: Level
  readonly zone?: DetectedZone
}

/** Finds the zone. The detected text lines may belong to something beside the document; the zone may then be level with the picture. */
export function findZone(picture: Grey, { turn, level }: Direction): ZonedLevel {
  const along = withZone(levelled(picture, turn, level))
  if (along.zone !== undefined || !isDoubtful({ turn, degrees: level })) return along
  const plain = withZone(levelled(picture, 0, 0))
  return plain.zone === undefined ? along : plain
}

/** Finds the rows of the zone and turns the page if its fillers are upside down. */
export function withZone(lines: Level): ZonedLevel {
  const { level, rows } = clearest(lines)
  if (rows === undefined) return { level }
  const shapes = mrzShapes(level.page, rows)
  if (!shapes.upsideDown) return { level, zone: { rows, shapes } }
  const other = turned(level, 180)
  const otherRows = findMrzRows(other.page)
  return otherRows === undefined ? { level } : { level: other, zone: { rows: otherRows, shapes: mrzShapes(other.page, otherRows) } }
}

/** Corrections of the line angle, in degrees, when the pattern or the edges of the paper distort it. */
const corrections = [0.8, -0.8, 1.6, -1.6] as const

/** Tries the corrections for rows that were found but are unclear. */
function clearest(level: Level): { level: Level; rows: MrzRows | undefined } {
  let best = { level, rows: findMrzRows(level.page) }
  if (best.rows === undefined || best.rows.clearness > sufficientClearness) return best
  for (const correction of corrections) {
    const other = levelled(level.picture, level.turn, level.degrees + correction)
    const rows = findMrzRows(other.page)
    if (rows !== undefined && rows.clearness > (best.rows?.clearness ?? 0)) best = { level: other, rows }
    if ((best.rows?.clearness ?? 0) > sufficientClearness) break
  }
  return best
}

export const boxesOf = ({ rows, columns }: MrzRows): Box[] =>
  rows.map(({ left, middle, height, pitch }) => ({ left, top: middle - height / 2, width: pitch * columns, height }))

/** Paints the machine-readable zone over, so that it is not read again as text. */
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
