import type { Point } from './rectangle.ts'

/** Corners of a document in pixels of the picture: top left, then clockwise. */
export type Corners = readonly [Point, Point, Point, Point]

/** Minimum share of the picture that a document covers. */
const minArea = 0.1
const maxArea = 0.97
/** Aspect ratios: ID-1 1.59, ID-2 and a passport page 1.42, a portrait on them 1.29; perspective changes the ratio and shows as foreshortening. */
const proportion = { min: 1.33, max: 2, byForeshortening: 1.5 } as const
/** tolerated distance of corners outside the picture, px */
const slack = 1

export const distanceBetween = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

export const areaOf = ([a, b, c, d]: Corners): number => Math.abs((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)) / 2

export const isWithin = (corners: Corners, { x, y }: Point): boolean =>
  corners.every((from, at) => {
    const to = corners[(at + 1) % 4] ?? from
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= 0
  })

/** Scales the corners about their centre. */
export function grown([a, b, c, d]: Corners, by: number): Corners {
  const middle = { x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4 }
  const moved = ({ x, y }: Point): Point => ({ x: middle.x + (x - middle.x) * by, y: middle.y + (y - middle.y) * by })
  return [moved(a), moved(b), moved(c), moved(d)]
}

/** Returns how much shorter the more distant of two opposite sides appears, 0 to 1; 0 seen perpendicularly. */
export function foreshortening([a, b, c, d]: Corners): number {
  const shorter = (one: number, other: number): number => 1 - Math.min(one, other) / Math.max(one, other)
  return Math.max(shorter(distanceBetween(a, b), distanceBetween(d, c)), shorter(distanceBetween(a, d), distanceBetween(b, c)))
}

/** Whether corners are clockwise, inside the picture, and have the size and aspect ratio of a document. */
export function isLikeDocument(corners: Corners, { width, height }: { readonly width: number; readonly height: number }): boolean {
  const [a, b, c, d] = corners
  const outside = ({ x, y }: Point): boolean => x < -slack || y < -slack || x > width + slack || y > height + slack
  if (corners.some(outside)) return false
  if (a.x >= b.x || d.x >= c.x || a.y >= d.y || b.y >= c.y) return false
  const share = areaOf(corners) / (width * height)
  const [wide, high] = [(distanceBetween(a, b) + distanceBetween(d, c)) / 2, (distanceBetween(a, d) + distanceBetween(b, c)) / 2]
  const long = Math.max(wide, high) / Math.min(wide, high)
  const min = proportion.min - proportion.byForeshortening * foreshortening(corners)
  return share > minArea && share < maxArea && long > min && long < proportion.max
}
