import type { BoundingBox, Position } from '../../../foundation/filter/bounding-box.ts'

/** A line segment in the plane of longitude and latitude (RFC 7946). */
export interface Edge {
  readonly from: Position
  readonly to: Position
}

/** The edges of all rings of an area, including holes. */
export type Outline = readonly Edge[]

/** @param rings - closed rings of [longitude, latitude], whose last position is the first */
export function outlineOf(rings: readonly (readonly (readonly [lon: number, lat: number])[])[]): Outline {
  return rings.flatMap((ring) =>
    ring.slice(1).map(([lon, lat], index): Edge => {
      const [fromLon, fromLat] = ring[index] ?? [lon, lat]
      return { from: { lon: fromLon, lat: fromLat }, to: { lon, lat } }
    }),
  )
}

/**
 * Returns whether a position is inside, by the even-odd rule. A position on a shared border belongs to exactly one area.
 * @see Shimrat, "Algorithm 112: Position of point relative to polygon", 1962
 */
export function contains(outline: Outline, { lat, lon }: Position): boolean {
  let isInside = false
  for (const { from, to } of outline) {
    if (from.lat > lat === to.lat > lat) continue
    if (lon < from.lon + ((lat - from.lat) / (to.lat - from.lat)) * (to.lon - from.lon)) isInside = !isInside
  }
  return isInside
}

/**
 * Returns whether an edge intersects a box, including its border.
 * @see Liang and Barsky, "A new concept and method for line clipping", 1984
 */
export function touches({ from, to }: Edge, { west, south, east, north }: BoundingBox): boolean {
  const [across, up] = [to.lon - from.lon, to.lat - from.lat]
  let [first, last] = [0, 1]
  for (const [step, room] of [
    [-across, from.lon - west],
    [across, east - from.lon],
    [-up, from.lat - south],
    [up, north - from.lat],
  ] as const) {
    if (step === 0) {
      if (room < 0) return false
    } else if (step < 0) first = Math.max(first, room / step)
    else last = Math.min(last, room / step)
  }
  return first <= last
}
