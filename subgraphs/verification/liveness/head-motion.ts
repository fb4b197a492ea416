/** A position in an image, in pixels. */
export interface Place {
  readonly x: number
  readonly y: number
}

/**
 * Motion of a head between two images, measured so that a flat picture that is moved, rotated, tilted, squeezed or enlarged shows a change
 * of size only.
 */
export interface HeadMotion {
  /** movement of the nose tip relative to eyes and mouth to the person's left, in distances of the outer eye corners */
  readonly left: number
  /** the same, upwards */
  readonly up: number
  /** growth factor of the face */
  readonly size: number
}

/** Of the 68 landmarks: the corners of eyes and mouth, which are nearly coplanar, and the tip and base of the nose, which are not. */
const plane = [36, 39, 42, 45, 48, 54] as const
const nose = [30, 33] as const

/**
 * Compares the landmarks of a face in two images. The corners of eyes and mouth determine the best affine map (least squares): flat points
 * follow it, a protruding nose does not (motion parallax).
 * @param before - 68 landmarks as in `DetectedFace` @param after - likewise
 * @returns undefined when the corners do not span a plane, or the eyes coincide
 */
export function headMotion(before: readonly Place[], after: readonly Place[]): HeadMotion | undefined {
  const map = affineMap(placesAt(before, plane), placesAt(after, plane))
  if (map === undefined) return undefined
  const [right, left] = [after[36], after[45]]
  if (right === undefined || left === undefined) return undefined
  const [dx, dy] = [left.x - right.x, left.y - right.y]
  const wide = Math.hypot(dx, dy)
  if (!(wide > 0)) return undefined
  const [still, now] = [apply(map, centre(placesAt(before, nose))), centre(placesAt(after, nose))]
  const [u, v] = [now.x - still.x, now.y - still.y]
  return {
    left: (u * dx + v * dy) / wide ** 2,
    up: (u * dy - v * dx) / wide ** 2,
    size: Math.sqrt(Math.abs(map.a * map.e - map.b * map.d)),
  }
}

/** (x, y) becomes (a x + b y + c, d x + e y + f). */
interface AffineMap {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
}

const apply = ({ a, b, c, d, e, f }: AffineMap, { x, y }: Place): Place => ({ x: a * x + b * y + c, y: d * x + e * y + f })

function affineMap(from: readonly Place[], to: readonly Place[]): AffineMap | undefined {
  const [own, other] = [centre(from), centre(to)]
  let [xx, xy, yy, xu, yu, xv, yv] = [0, 0, 0, 0, 0, 0, 0]
  for (const [index, place] of from.entries()) {
    const target = to[index] ?? other
    const [x, y, u, v] = [place.x - own.x, place.y - own.y, target.x - other.x, target.y - other.y]
    xx += x * x
    xy += x * y
    yy += y * y
    xu += x * u
    yu += y * u
    xv += x * v
    yv += y * v
  }
  const determinant = xx * yy - xy * xy
  if (!(determinant > 0)) return undefined
  const [a, b] = [(xu * yy - yu * xy) / determinant, (yu * xx - xu * xy) / determinant]
  const [d, e] = [(xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant]
  return { a, b, c: other.x - a * own.x - b * own.y, d, e, f: other.y - d * own.x - e * own.y }
}

const origin: Place = { x: 0, y: 0 }
const placesAt = (landmarks: readonly Place[], indices: readonly number[]): readonly Place[] =>
  indices.map((index) => landmarks[index] ?? origin)

function centre(places: readonly Place[]): Place {
  const mean = (sum: (place: Place) => number): number => places.reduce((total, place) => total + sum(place), 0) / places.length
  return { x: mean(({ x }) => x), y: mean(({ y }) => y) }
}
