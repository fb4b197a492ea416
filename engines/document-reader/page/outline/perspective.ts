import type { Pixels } from '../../../inference/images/image-format.ts'
import { type Corners, distanceBetween } from '../quadrilateral.ts'

/** Margin around the document as a share of its size: corners are accurate to one or two pixels of a small picture. */
const margin = 0.02

/** Rectifies the document at the resolution of its nearer sides, with a small margin. */
export function rectified(pixels: Pixels, corners: Corners): Pixels {
  const [a, b, c, d] = corners
  const [wide, high] = [Math.max(distanceBetween(a, b), distanceBetween(d, c)), Math.max(distanceBetween(a, d), distanceBetween(b, c))]
  const [width, height] = [Math.round(wide * (1 + 2 * margin)), Math.round(high * (1 + 2 * margin))]
  const { across, down, depth } = fromUnitSquare(corners)
  const data = new Uint8Array(width * height * 3)
  const spread = 1 + 2 * margin
  for (let y = 0, at = 0; y < height; y++) {
    const v = ((y + 0.5) / height) * spread - margin
    for (let x = 0; x < width; x++, at += 3) {
      const u = ((x + 0.5) / width) * spread - margin
      const far = depth.u * u + depth.v * v + 1
      const x0 = (across.u * u + across.v * v + across.from) / far
      const y0 = (down.u * u + down.v * v + down.from) / far
      copyColour(pixels, x0 - 0.5, y0 - 0.5, data, at)
    }
  }
  return { width, height, data }
}

/**
 * Returns the projective map of the unit square onto four corners. @see Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989, 2.2.3
 */
function fromUnitSquare([p0, p1, p2, p3]: Corners) {
  const [dx1, dx2, sx] = [p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x]
  const [dy1, dy2, sy] = [p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y]
  const whole = dx1 * dy2 - dx2 * dy1
  const [g, h] = [(sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole]
  const [a, b, d, e] = [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y]
  return { across: { u: a, v: b, from: p0.x }, down: { u: d, v: e, from: p0.y }, depth: { u: g, v: h } }
}

/** Copies the colour at a sub-pixel position, bilinearly interpolated; outside, that of the nearest edge. */
function copyColour({ width, height, data }: Pixels, x: number, y: number, to: Uint8Array, at: number): void {
  const left = Math.min(width - 1, Math.max(0, x))
  const top = Math.min(height - 1, Math.max(0, y))
  const x0 = Math.floor(left)
  const y0 = Math.floor(top)
  const fx = left - x0
  const fy = top - y0
  const across = x0 + 1 < width ? 3 : 0
  const down = y0 + 1 < height ? width * 3 : 0
  const from = (y0 * width + x0) * 3
  for (let channel = 0; channel < 3; channel++) {
    const here = from + channel
    const above = (data[here] ?? 0) * (1 - fx) + (data[here + across] ?? 0) * fx
    const below = (data[here + down] ?? 0) * (1 - fx) + (data[here + down + across] ?? 0) * fx
    // adds 0.5 because the assignment truncates
    to[at + channel] = above * (1 - fy) + below * fy + 0.5
  }
}
