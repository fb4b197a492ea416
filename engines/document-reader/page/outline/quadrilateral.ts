import type { Point } from '../rectangle.ts'

/** Of a document in a picture, in its pixels: left top, then clockwise. */
export type Corners = readonly [Point, Point, Point, Point]

/** Share of the picture that a document takes. */
const leastArea = 0.1
const maxArea = 0.97
/** ID-1 is 1.59 times as long as high, ID-2 and a page of a passport 1.42, a portrait on them 1.29; a camera that looks from aside changes that, and shows it. */
const proportion = { least: 1.33, most: 2, byForeshortening: 1.5 } as const
/** px that corners may lie outside the picture */
const slack = 1

export const between = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

export const areaOf = ([a, b, c, d]: Corners): number => Math.abs((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)) / 2

export const isWithin = (corners: Corners, { x, y }: Point): boolean =>
  corners.every((from, at) => {
    const to = corners[(at + 1) % 4] ?? from
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= 0
  })

/** Each corner from the middle so many times as far. */
export function grown([a, b, c, d]: Corners, by: number): Corners {
  const middle = { x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4 }
  const moved = ({ x, y }: Point): Point => ({ x: middle.x + (x - middle.x) * by, y: middle.y + (y - middle.y) * by })
  return [moved(a), moved(b), moved(c), moved(d)]
}

/** How much shorter the farther of two opposite sides looks, 0 to 1: 0 from straight above. */
export function foreshortening([a, b, c, d]: Corners): number {
  const shorter = (one: number, other: number): number => 1 - Math.min(one, other) / Math.max(one, other)
  return Math.max(shorter(between(a, b), between(d, c)), shorter(between(a, d), between(b, c)))
}

/** Clockwise, inside the picture, as large and as long as a document. */
export function isLikeDocument(corners: Corners, { width, height }: { readonly width: number; readonly height: number }): boolean {
  const [a, b, c, d] = corners
  const outside = ({ x, y }: Point): boolean => x < -slack || y < -slack || x > width + slack || y > height + slack
  if (corners.some(outside)) return false
  if (a.x >= b.x || d.x >= c.x || a.y >= d.y || b.y >= c.y) return false
  const share = areaOf(corners) / (width * height)
  const [wide, high] = [(between(a, b) + between(d, c)) / 2, (between(a, d) + between(b, c)) / 2]
  const long = Math.max(wide, high) / Math.min(wide, high)
  const least = proportion.least - proportion.byForeshortening * foreshortening(corners)
  return share > leastArea && share < maxArea && long > least && long < proportion.most
}
