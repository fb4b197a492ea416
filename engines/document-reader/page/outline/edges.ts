import type { Grey } from '../pixels.ts'
import type { Point } from '../rectangle.ts'

/** The edge pixels of a picture with their gradient directions. */
export interface Edges {
  readonly width: number
  readonly height: number
  /** indices of the edge pixels */
  readonly places: readonly number[]
  /** direction of increasing brightness of each edge pixel, in radians */
  readonly direction: Float32Array
  /** the same as a unit vector to the right and downwards */
  readonly across: Float64Array
  readonly down: Float64Array
  readonly isEdge: Uint8Array
}

/** Minimum brightness step over three pixels, in grey levels. */
const minStep = 14
/** Maximum share of pixels taken as edges; the strongest are kept. */
const maxPixels = 0.14

/** Detects edges with the Sobel operator. */
export function findEdges({ width, height, data }: Grey): Edges {
  const across = new Float64Array(width * height)
  const down = new Float64Array(width * height)
  const strength = new Float32Array(width * height)
  const at = (place: number): number => data[place] ?? 0
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const here = y * width + x
      const above = here - width
      const below = here + width
      const dx = at(above + 1) + 2 * at(here + 1) + at(below + 1) - at(above - 1) - 2 * at(here - 1) - at(below - 1)
      const dy = at(below - 1) + 2 * at(below) + at(below + 1) - at(above - 1) - 2 * at(above) - at(above + 1)
      across[here] = dx
      down[here] = dy
      strength[here] = Math.sqrt(dx * dx + dy * dy) / 4
    }
  }
  const threshold = Math.max(minStep, Float32Array.from(strength).sort()[Math.floor(strength.length * (1 - maxPixels))] ?? 0)
  const places: number[] = []
  const direction = new Float32Array(strength.length)
  const isEdge = new Uint8Array(strength.length)
  for (let place = 0; place < strength.length; place++) {
    if ((strength[place] ?? 0) < threshold) continue
    places.push(place)
    direction[place] = Math.atan2(down[place] ?? 0, across[place] ?? 0)
    isEdge[place] = 1
    const turn = direction[place] ?? 0
    across[place] = Math.cos(turn)
    down[place] = Math.sin(turn)
  }
  return { width, height, places, direction, across, down, isEdge }
}

/** A straight line: the points with x cos(normal) + y sin(normal) = distance. */
export interface StraightLine {
  /** radians */
  readonly normal: number
  /** distance from the top left corner, px */
  readonly distance: number
}

const degree = Math.PI / 180
/** Maximum angle between the normal of a line and the gradient of a pixel on it, degrees. */
const tolerance = 4
/** Lines closer than this are merged. */
const oneLine = { degrees: 4, distance: 5 } as const
/** Maximum deviation of lines from horizontal or vertical, degrees. */
const maxTurn = 30

/**
 * Finds the lines with the most edge pixels near horizontal (`normal` 90 degrees) or vertical (0), strongest first. @see Duda and Hart, "Use of the
 * Hough Transformation", 1972
 */
export function straightLines(
  { width, places, direction }: Edges,
  near: 0 | 90,
  maxLines: number,
  longest: number,
): readonly StraightLine[] {
  const reach = Math.ceil(longest)
  const angles = 2 * maxTurn + 1
  const votes = new Uint32Array(angles * (2 * reach + 1))
  const cosines = Float64Array.from({ length: angles }, (_, at) => Math.cos((near + at - maxTurn) * degree))
  const sines = Float64Array.from({ length: angles }, (_, at) => Math.sin((near + at - maxTurn) * degree))
  for (const place of places) {
    const turn = direction[place] ?? 0
    const off = Math.round(turn / degree) - near
    // a line has two normals
    const middle = off - 180 * Math.round(off / 180)
    const x = place % width
    const y = Math.floor(place / width)
    const last = Math.min(maxTurn, middle + tolerance)
    for (let degrees = Math.max(-maxTurn, middle - tolerance); degrees <= last; degrees++) {
      const at = degrees + maxTurn
      const distance = Math.floor(x * (cosines[at] ?? 0) + y * (sines[at] ?? 0) + 0.5) + reach
      const cell = at * (2 * reach + 1) + distance
      votes[cell] = (votes[cell] ?? 0) + 1
    }
  }
  const ranked = Array.from(votes.keys())
    .filter((cell) => (votes[cell] ?? 0) > longest / 12)
    .sort((a, b) => (votes[b] ?? 0) - (votes[a] ?? 0))
  const peaks: { readonly degrees: number; readonly distance: number }[] = []
  for (const cell of ranked) {
    if (peaks.length === maxLines) break
    const one = { degrees: Math.floor(cell / (2 * reach + 1)) - maxTurn + near, distance: (cell % (2 * reach + 1)) - reach }
    const isNew = peaks.every(
      ({ degrees, distance }) => Math.abs(degrees - one.degrees) > oneLine.degrees || Math.abs(distance - one.distance) > oneLine.distance,
    )
    if (isNew) peaks.push(one)
  }
  return peaks.map(({ degrees, distance }) => ({ normal: degrees * degree, distance }))
}

/** @returns undefined if the lines are parallel */
export function crossing(a: StraightLine, b: StraightLine): Point | undefined {
  const whole = Math.sin(b.normal - a.normal)
  if (Math.abs(whole) < 1e-6) return undefined
  return {
    x: (a.distance * Math.sin(b.normal) - b.distance * Math.sin(a.normal)) / whole,
    y: (b.distance * Math.cos(a.normal) - a.distance * Math.cos(b.normal)) / whole,
  }
}
