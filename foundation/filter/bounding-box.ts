/** Degrees, WGS 84. */
export interface Position {
  readonly lat: number
  readonly lon: number
}

/** Edges of an area in degrees, inclusive; west greater than east crosses the antimeridian. */
export interface BoundingBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export const wholeWorld: BoundingBox = { west: -180, south: -90, east: 180, north: 90 }

/** Parses `[west, south, east, north]` (RFC 7946 order). @returns undefined unless the edges are four finite numbers */
export function boundingBoxOf(edges: readonly unknown[]): BoundingBox | undefined {
  const [west, south, east, north] = edges
  return edges.length === 4 && isNumber(west) && isNumber(south) && isNumber(east) && isNumber(north)
    ? { west, south, east, north }
    : undefined
}

const isNumber = (edge: unknown): edge is number => typeof edge === 'number' && Number.isFinite(edge)

/** A longitude beyond 180 degrees, a latitude beyond 90, or a south above its north. */
export type BoundingBoxProblem = 'longitude' | 'latitude' | 'order'

/** Returns the first rule that the edges break, or undefined. Each protocol has its own message for it. */
export function problemOfBoundingBox({ west, south, east, north }: BoundingBox): BoundingBoxProblem | undefined {
  const isBeyond = (limit: number) => (degrees: number) => !(Math.abs(degrees) <= limit)
  if ([west, east].some(isBeyond(180))) return 'longitude'
  if ([south, north].some(isBeyond(90))) return 'latitude'
  return south > north ? 'order' : undefined
}

export function isInBoundingBox({ west, south, east, north }: BoundingBox, { lat, lon }: Position): boolean {
  return lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east)
}

/** Splits a box at the antimeridian. */
export function partsOfBoundingBox(box: BoundingBox): readonly BoundingBox[] {
  if (box.west <= box.east) return [box]
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ]
}
