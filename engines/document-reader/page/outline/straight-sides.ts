import { type Corners, distanceBetween } from '../quadrilateral.ts'
import type { Point } from '../rectangle.ts'
import { crossing, type StraightLine } from './edges.ts'

/** Share at either end of a side that is ignored: corners are round. */
const roundEnd = 0.1
/** Share of the points of a side that is used; the rest are outliers. */
const counted = 0.7
const minPoints = 12

/**
 * Refines corners as intersections of lines fitted to the sides. @param pointsOf - returns the points on a side
 * @returns undefined if a side has too few points
 */
export function refined(rough: Corners, pointsOf: (from: Point, to: Point) => readonly Point[]): Corners | undefined {
  const [top, right, bottom, left] = rough.map((from, at) => lineAlong(pointsOf(from, rough[(at + 1) % 4] ?? from)))
  if (!top || !right || !bottom || !left) return undefined
  const [a, b, c, d] = [crossing(left, top), crossing(top, right), crossing(right, bottom), crossing(bottom, left)]
  return a && b && c && d && [a, b, c, d]
}

/** Returns the points at most `reach` px from a side, without its ends. */
export function besideSide(points: readonly Point[], from: Point, to: Point, reach: number): readonly Point[] {
  const length = distanceBetween(from, to)
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  return points.filter(({ x, y }) => {
    const way = (x - from.x) * along.x + (y - from.y) * along.y
    const off = (x - from.x) * along.y - (y - from.y) * along.x
    return way > length * roundEnd && way < length * (1 - roundEnd) && Math.abs(off) < reach
  })
}

/** Fits a line twice, the second time without the most distant points. */
function lineAlong(points: readonly Point[]): StraightLine | undefined {
  if (points.length < minPoints) return undefined
  const first = fitted(points)
  const offOf = ({ x, y }: Point): number => Math.abs(x * Math.cos(first.normal) + y * Math.sin(first.normal) - first.distance)
  return fitted(points.toSorted((a, b) => offOf(a) - offOf(b)).slice(0, Math.ceil(points.length * counted)))
}

/** Fits a line by orthogonal least squares. */
function fitted(points: readonly Point[]): StraightLine {
  const [mx, my] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))]
  let [xx, xy, yy] = [0, 0, 0]
  for (const { x, y } of points) {
    xx += (x - mx) ** 2
    xy += (x - mx) * (y - my)
    yy += (y - my) ** 2
  }
  const normal = Math.atan2(2 * xy, xx - yy) / 2 + Math.PI / 2
  return { normal, distance: mx * Math.cos(normal) + my * Math.sin(normal) }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
