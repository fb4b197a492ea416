import type { Grey } from '../pixels.ts'
import { areaOf, type Corners, distanceBetween, isLikeDocument, isWithin } from '../quadrilateral.ts'
import { convexHull, type Point } from '../rectangle.ts'
import { besideSide, refined } from './straight-sides.ts'

/** Maximum number of hull points; more are irregularities of the sides. */
const maxHull = 28
/** Maximum distance of points from their side, as a share of its length. */
const beside = 0.06
/** Minimum overlap of the shape and its four-sided outline (intersection over union). */
const minShared = 0.9

/** Finds the corners of a white shape with four roughly straight sides. @returns undefined if it has no such sides */
export function cornersOfShape(shape: Grey): Corners | undefined {
  const rim = rimOf(shape)
  const rough = largestCorners(thinned(convexHull(rim)))
  if (rough === undefined) return undefined
  const corners = refined(rough, (from, to) => besideSide(rim, from, to, beside * distanceBetween(from, to)))
  return corners && isLikeDocument(corners, shape) && sharedBy(shape, corners) > minShared ? corners : undefined
}

/** Returns the first and last white pixel of each row and column. */
function rimOf({ width, height, data }: Grey): readonly Point[] {
  const [rows, columns] = [new Map<number, { from: number; to: number }>(), new Map<number, { from: number; to: number }>()]
  const meet = (ends: Map<number, { from: number; to: number }>, line: number, at: number): void => {
    const previous = ends.get(line)
    if (previous === undefined) ends.set(line, { from: at, to: at })
    else ends.set(line, { from: Math.min(previous.from, at), to: Math.max(previous.to, at) })
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x] === 0) continue
      meet(rows, y, x)
      meet(columns, x, y)
    }
  }
  // a shape ends half a pixel beyond the centre of its last pixel
  const level = [...rows].flatMap(([y, { from, to }]) => [
    { x: from - 0.5, y },
    { x: to + 0.5, y },
  ])
  const upright = [...columns].flatMap(([x, { from, to }]) => [
    { x, y: from - 0.5 },
    { x, y: to + 0.5 },
  ])
  return [...level, ...upright]
}

const thinned = (hull: readonly Point[]): readonly Point[] =>
  hull.length <= maxHull
    ? hull
    : Array.from({ length: maxHull }, (_, at) => hull[Math.floor((at * hull.length) / maxHull)] ?? { x: 0, y: 0 })

/** Returns the four hull points that enclose the largest area, from the top left. */
function largestCorners(hull: readonly Point[]): Corners | undefined {
  let best: { readonly corners: Corners; readonly area: number } | undefined
  for (const [first, a] of hull.entries()) {
    for (let second = first + 1; second < hull.length; second++) {
      for (let third = second + 1; third < hull.length; third++) {
        for (const d of hull.slice(third + 1)) {
          const [b, c] = [hull[second] ?? a, hull[third] ?? a]
          const area = areaOf([a, b, c, d])
          if (best === undefined || area > best.area) best = { corners: [a, b, c, d], area }
        }
      }
    }
  }
  if (best === undefined) return undefined
  const sums = best.corners.map(({ x, y }) => x + y)
  const start = sums.indexOf(Math.min(...sums))
  const [a, b, c, d] = [...best.corners.slice(start), ...best.corners.slice(0, start)]
  return a && b && c && d && [a, b, c, d]
}

/** Returns the overlap of the shape and the outline (intersection over union). */
function sharedBy({ width, data }: Grey, corners: Corners): number {
  let [both, either] = [0, 0]
  for (const [place, value] of data.entries()) {
    const within = isWithin(corners, { x: place % width, y: Math.floor(place / width) })
    if (within && value > 0) both++
    if (within || value > 0) either++
  }
  return both / Math.max(1, either)
}
