import sharp from 'sharp'

/** A camera that is not perpendicular: the most distant edge, and how much shorter it appears, 0 to 0.4. */
export interface Tilt {
  readonly far: 'top' | 'right' | 'bottom' | 'left'
  readonly by: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Returns the picture as seen by the tilted camera, with the background around it. @returns PNG */
export async function tilted(picture: Uint8Array, { far, by }: Tilt, background: string): Promise<Buffer> {
  const { data, info } = await sharp(picture).flatten({ background }).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const toSource = inverse(fromUnitSquare(cornersOf(far, by)))
  const warped = await sharp({ create: { width, height, channels: 3, background } })
    .raw()
    .toBuffer()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = project(toSource, { x: (x + 0.5) / width, y: (y + 0.5) / height })
      if (from.x < 0 || from.y < 0 || from.x > 1 || from.y > 1) continue
      const [sx, sy] = [Math.max(0, from.x * width - 0.5), Math.max(0, from.y * height - 0.5)]
      const [left, top] = [Math.min(width - 2, Math.floor(sx)), Math.min(height - 2, Math.floor(sy))]
      const [fx, fy] = [Math.min(1, sx - left), Math.min(1, sy - top)]
      for (let channel = 0; channel < 3; channel++) {
        const at = (px: number, py: number): number => data[(py * width + px) * channels + channel] ?? 0
        const above = at(left, top) * (1 - fx) + at(left + 1, top) * fx
        const below = at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx
        warped[(y * width + x) * 3 + channel] = Math.round(above * (1 - fy) + below * fy)
      }
    }
  }
  return sharp(warped, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Returns the corners of the picture (top left, then clockwise), as shares of its size. */
function cornersOf(far: Tilt['far'], by: number): readonly [Point, Point, Point, Point] {
  const [narrow, short] = [by / 2, by / 3]
  switch (far) {
    case 'top':
      return [{ x: narrow, y: short }, { x: 1 - narrow, y: short }, { x: 1, y: 1 }, { x: 0, y: 1 }] // biome-ignore format: one corner after the other
    case 'bottom':
      return [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1 - narrow, y: 1 - short }, { x: narrow, y: 1 - short }] // biome-ignore format: as above
    case 'left':
      return [{ x: short, y: narrow }, { x: 1, y: 0 }, { x: 1, y: 1 }, { x: short, y: 1 - narrow }] // biome-ignore format: as above
    case 'right':
      return [{ x: 0, y: 0 }, { x: 1 - short, y: narrow }, { x: 1 - short, y: 1 - narrow }, { x: 0, y: 1 }] // biome-ignore format: as above
  }
}

/** A projective map of the plane, row by row. */
type Matrix = readonly [number, number, number, number, number, number, number, number, number]

/** @see Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989, 2.2.3 */
function fromUnitSquare([p0, p1, p2, p3]: readonly [Point, Point, Point, Point]): Matrix {
  const [dx1, dx2, sx] = [p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x]
  const [dy1, dy2, sy] = [p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y]
  const whole = dx1 * dy2 - dx2 * dy1
  const [g, h] = [(sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole]
  return [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x, p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y, g, h, 1]
}

/** Up to a factor, which does not change a projective map. */
function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ]
}

function project([a, b, c, d, e, f, g, h, i]: Matrix, { x, y }: Point): Point {
  const depth = g * x + h * y + i
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth }
}
