import type { MultiLineString, MultiPolygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** Content of world-atlas (Natural Earth, public domain). */
export type Atlas = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>

export interface Country {
  /** ISO 3166-1 numeric: "686" */
  readonly number: string
  readonly polygons: readonly (readonly (readonly Position[])[])[]
  /** centre of the largest part, for the name */
  readonly middle: Position
  /** area of that part in square degrees */
  readonly size: number
}

export interface Outlines {
  readonly land: MultiPolygon
  readonly borders: MultiLineString
  /** largest first */
  readonly countries: readonly Country[]
}

export function outlinesOf(atlas: Atlas): Outlines {
  const { countries, land } = atlas.objects
  const each = feature(atlas, countries).features.flatMap(({ id, geometry }): Country[] => {
    const polygons = polygonsOf(geometry)
    return polygons.length === 0 ? [] : [{ number: String(id), polygons, ...labelPlace(polygons) }]
  })
  return {
    land: { type: 'MultiPolygon', coordinates: feature(atlas, land).features.flatMap(({ geometry }) => polygonsOf(geometry)) },
    borders: { type: 'MultiLineString', coordinates: mesh(atlas, countries, (a, b) => a !== b).coordinates.map(unrolled) },
    countries: each.toSorted((a, b) => b.size - a.size),
  }
}

function polygonsOf(geometry: GeoJSON.Geometry | null): Position[][][] {
  if (geometry?.type === 'Polygon') return [geometry.coordinates.map(closed)]
  return geometry?.type === 'MultiPolygon' ? geometry.coordinates.map((rings) => rings.map(closed)) : []
}

/** Unrolls lines: one that crosses the antimeridian continues beyond 180 degrees, so that each can be drawn flat. */
function unrolled(line: readonly Position[]): Position[] {
  let turn = 0
  let before: number | undefined
  return line.map(([lon = 0, lat = 0]) => {
    const step = before === undefined ? 0 : lon - before
    if (step > 180) turn -= 360
    else if (step < -180) turn += 360
    before = lon
    return [lon + turn, lat]
  })
}

/** Unrolls a ring; one around a pole is closed along the pole. */
function closed(ring: readonly Position[]): Position[] {
  const points = unrolled(ring)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return points
  const [[west = 0], [east = 0, lat = 0]] = [first, last]
  if (Math.abs(east - west) > 180) {
    const pole = lat < 0 ? -90 : 90
    points.push([east, pole], [west, pole], [...first])
  }
  return points
}

/** Returns the centre and the area of a country's largest part; larger countries are named first. */
function labelPlace(polygons: readonly (readonly (readonly Position[])[])[]): Pick<Country, 'middle' | 'size'> {
  let best = { size: 0, middle: [0, 0] as Position }
  for (const [ring = []] of polygons) {
    let [area, x, y] = [0, 0, 0]
    for (const [index, [bx = 0, by = 0]] of ring.entries()) {
      const [ax = bx, ay = by] = ring[index - 1] ?? []
      const cross = ax * by - bx * ay
      area += cross
      x += (ax + bx) * cross
      y += (ay + by) * cross
    }
    if (Math.abs(area / 2) > best.size) best = { size: Math.abs(area / 2), middle: [x / (3 * area), y / (3 * area)] }
  }
  return best
}

/** Returns whether a place is in a country, by the even-odd rule. */
export function isInside({ polygons }: Country, lon: number, lat: number): boolean {
  let inside = false
  for (const ring of polygons.flat())
    for (const [index, [bx = 0, by = 0]] of ring.entries()) {
      const [ax = bx, ay = by] = ring[index - 1] ?? []
      if (ay > lat !== by > lat && lon < ax + ((lat - ay) / (by - ay)) * (bx - ax)) inside = !inside
    }
  return inside
}
