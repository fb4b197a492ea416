import type { PageQuality } from '../document-reader.ts'
import { type Grey, inkMask, type Mask, shrink } from './pixels.ts'
import { spotFrom } from './spots.ts'

/** Measures everything except cut sides, which need the word positions. @param page - upright, with text as large as on a card 1000 px wide */
export function pageQuality(page: Grey): Omit<PageQuality, 'cutSides'> {
  const ink = inkMask(page, { radius: 12, share: 0.8 })
  const paper = paperBrightness(page)
  return {
    // normalised to white paper, since edges are proportional to brightness
    sharpness: sharpness(page, ink.data) * (255 / Math.max(8, paper)) ** 2,
    brightness: paper / 255,
    glare: glare(page),
    ink: shareOf(ink),
  }
}

function shareOf({ data }: Mask): number {
  let sum = 0
  for (let at = 0; at < data.length; at++) sum += data[at] ?? 0
  return sum / data.length
}

/** Returns the 90th percentile of brightness, that of the paper regardless of the background. */
function paperBrightness({ data }: Grey): number {
  const counts = new Uint32Array(256)
  for (let at = 0; at < data.length; at++) counts[data[at] ?? 0] = (counts[data[at] ?? 0] ?? 0) + 1
  let rest = data.length * 0.1
  let level = 255
  while (level > 0 && rest > (counts[level] ?? 0)) rest -= counts[level--] ?? 0
  return level
}

/** Returns the variance of the Laplacian over ink and its rim after averaging 2 x 2 pixels, which removes most sensor noise. */
function sharpness(page: Grey, ink: Uint8Array): number {
  const { width, height, data } = page
  let sum = 0
  let squares = 0
  let count = 0
  const at = (place: number): number =>
    ((data[place] ?? 0) + (data[place + 1] ?? 0) + (data[place + width] ?? 0) + (data[place + width + 1] ?? 0)) / 4
  for (let y = 8; y < height - 10; y++) {
    for (let place = y * width + 8, end = (y + 1) * width - 10; place < end; place++) {
      if (ink[place] !== 1) continue
      const edge = 4 * at(place) - at(place - 2) - at(place + 2) - at(place - 2 * width) - at(place + 2 * width)
      sum += edge
      squares += edge * edge
      count++
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2
}

const burnt = 250
const isBurnt = (value: number): boolean => value >= burnt
/** Minimum size of a spot, as a share of the page. */
const minSpot = 0.003

/** Returns the share of the page in overexposed spots with a soft rim (glare); white fields have a sharp one. */
function glare(page: Grey): number {
  const small = shrink(page, 200)
  const { width, height, data } = small
  const seen = new Uint8Array(data.length)
  const at = (x: number, y: number): number | undefined => (x < 0 || y < 0 || x >= width || y >= height ? undefined : data[y * width + x])
  let total = 0
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || (data[start] ?? 0) < burnt) continue
    const spot = spotFrom(start, small, isBurnt, seen)
    if (spot.length < data.length * minSpot) continue
    let [soft, rim] = [0, 0]
    for (const place of spot) {
      const [x, y] = [place % width, Math.floor(place / width)]
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        if ((at(x + dx, y + dy) ?? 255) >= burnt) continue
        const [near, far] = [at(x + 2 * dx, y + 2 * dy), at(x + 7 * dx, y + 7 * dy)]
        if (near === undefined || far === undefined || far >= burnt - 4) continue
        rim++
        if ((near - far) / (255 - far) > 0.3) soft++
      }
    }
    if (rim > 0 && soft / rim > 0.4) total += spot.length
  }
  return total / data.length
}
