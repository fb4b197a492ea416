export interface Point {
  readonly x: number
  readonly y: number
}

/** A rotated rectangle: `width` runs along `angle`, in radians clockwise from the right, between -pi/4 and pi/4. */
export interface Rectangle {
  readonly centre: Point
  readonly width: number
  readonly height: number
  readonly angle: number
}

/** Returns the convex hull, clockwise (Andrew's monotone chain, 1979). */
export function convexHull(points: readonly Point[]): readonly Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  const chain = (along: readonly Point[]): Point[] => {
    const hull: Point[] = []
    for (const point of along) {
      while (hull.length > 1 && turn(hull.at(-2), hull.at(-1), point) <= 0) hull.pop()
      hull.push(point)
    }
    hull.pop()
    return hull
  }
  return [...chain(sorted), ...chain(sorted.reverse())]
}

/** Positive if a, b, c turn clockwise, with y downwards. */
function turn(a: Point = origin, b: Point = origin, c: Point = origin): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

const origin: Point = { x: 0, y: 0 }
/** px²; less is a rounding error */
const minArea = 1e-6

/** Returns the minimum-area rectangle around the points, which shares a side with their hull. @returns undefined for collinear points */
export function smallestRectangle(points: readonly Point[]): Rectangle | undefined {
  const hull = convexHull(points)
  let best: Rectangle | undefined
  for (const [at, from] of hull.entries()) {
    const to = hull[(at + 1) % hull.length] ?? from
    const candidate = rectangleAlong(hull, Math.atan2(to.y - from.y, to.x - from.x))
    if (best === undefined || candidate.width * candidate.height < best.width * best.height) best = candidate
  }
  return best === undefined || best.width * best.height < minArea ? undefined : best
}

function rectangleAlong(points: readonly Point[], direction: number): Rectangle {
  // of the four equivalent directions, takes the one nearest to level
  const angle = direction - Math.round(direction / (Math.PI / 2)) * (Math.PI / 2)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = points.map(({ x, y }) => x * cos + y * sin)
  const across = points.map(({ x, y }) => y * cos - x * sin)
  const [left, right, top, bottom] = [Math.min(...along), Math.max(...along), Math.min(...across), Math.max(...across)]
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  return { centre: { x: u * cos - v * sin, y: u * sin + v * cos }, width: right - left, height: bottom - top, angle }
}
