import type { Grey } from '../pixels.ts'
import { convexHull, type Point } from '../rectangle.ts'
import { areaOf, between, type Corners, isLikeDocument, isWithin } from './quadrilateral.ts'
import { besideSide, refined } from './straight-sides.ts'

/** Points of the hull that are looked at: more are bumps of its sides. */
const maxHull = 28
/** Share of a side's length that its points may lie beside it. */
const beside = 0.06
/** Share of what is between the corners that is white, and of what is white that is between them. */
const leastShared = 0.9

/** The corners of a white shape with four straight sides, however uneven these are. @returns undefined where it has no such sides */
export function cornersOfShape(shape: Grey): Corners | undefined {
  const rim = rimOf(shape)
  const rough = largestCorners(thinned(convexHull(rim)))
  if (rough === undefined) return undefined
  const corners = refined(rough, (from, to) => besideSide(rim, from, to, beside * between(from, to)))
  return corners && isLikeDocument(corners, shape) && sharedBy(shape, corners) > leastShared ? corners : undefined
}

/** The first and last white pixel of each row and of each column. */
function rimOf({ width, height, data }: Grey): readonly Point[] {
  const [rows, columns] = [new Map<number, { from: number; to: number }>(), new Map<number, { from: number; to: number }>()]
  const meet = (ends: Map<number, { from: number; to: number }>, line: number, at: number): void => {
    const found = ends.get(line)
    if (found === undefined) ends.set(line, { from: at, to: at })
    else ends.set(line, { from: Math.min(found.from, at), to: Math.max(found.to, at) })
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x] === 0) continue
      meet(rows, y, x)
      meet(columns, x, y)
    }
  }
  // a shape ends half a pixel beyond the middle of its last one
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

/** The four points of a hull, in its order, that have most area between them; the first is nearest to the left top. */
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

/** What is white between the corners, as a share of all that is white or between them. */
function sharedBy({ width, data }: Grey, corners: Corners): number {
  let [both, either] = [0, 0]
  for (const [place, value] of data.entries()) {
    const within = isWithin(corners, { x: place % width, y: Math.floor(place / width) })
    if (within && value > 0) both++
    if (within || value > 0) either++
  }
  return both / Math.max(1, either)
}
