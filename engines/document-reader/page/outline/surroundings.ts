import type { Pixels } from '../../../inference/images/pixels.ts'
import { boxDeviation, boxMean, type Grey } from '../pixels.ts'
import { largestSpot, withoutHoles } from '../spots.ts'

/** px of the longer edge that is looked at */
const analysed = 180
/** Share of the width that a pattern is looked at in: a few of its squares or stripes. */
const patternReach = 0.045
/** Pixels at the rim of the picture that stand for what lies around the document. */
const rimSamples = 250
/** px */
const rimWidth = 4
/** Levels by which a pixel may differ from all of the rim: the noise of a camera. */
const noise = { colour: 6, pattern: 5 } as const
/** What is so many times as far from the rim as the rim is from itself is something else. */
const unlikeFrom = 1.3
/** px: a speck is smaller */
const [speck, bump] = [2, 4] as const
/** A pattern is told more by how uneven it is than by its mean. */
const unevenness = 1.5

/**
 * The largest thing in the picture that has another colour or another pattern than its rim: a document on a cloth, whose own edges outweigh the document's.
 * @returns white there, black elsewhere; the longer edge is 180 px
 */
export function unlikeSurroundings(pixels: Pixels): Grey {
  const colours = coloursOf(pixels)
  const { width, height } = colours[1]
  const reach = Math.round(patternReach * Math.max(width, height))
  const byColour = unlikeRim(
    colours.map((plane) => boxMean(plane, 1)),
    rimOf(width, height, 0, rimWidth),
    noise.colour,
  )
  const uneven = mapped(boxDeviation(colours[1], reach), (value) => Math.min(255, value * unevenness))
  const byPattern = unlikeRim([...colours.map((plane) => boxMean(plane, reach)), uneven], rimOf(width, height, reach, 1), noise.pattern)
  // a square that holds some of both is like neither: what lies in any square that is like the rim belongs to it
  const pattern = everywhere(byPattern, reach)
  const either = mapped(byColour, (value, at) => value | (pattern.data[at] ?? 0))
  const largest = withoutHoles(largestSpot(mostly(either, speck)))
  return anywhere(everywhere(largest, bump), bump)
}

/** Red, green and blue, made smaller by averaging. */
function coloursOf({ width, height, data }: Pixels): readonly [Grey, Grey, Grey] {
  const by = Math.max(1, Math.max(width, height) / analysed)
  const [wide, high] = [Math.ceil(width / by), Math.ceil(height / by)]
  const sums = (): Uint32Array => new Uint32Array(wide * high)
  const [red, green, blue, counts] = [sums(), sums(), sums(), sums()]
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.floor(x / by))
  for (let y = 0, from = 0; y < height; y++) {
    const row = Math.floor(y / by) * wide
    for (let x = 0; x < width; x++, from += 3) {
      const to = row + (columns[x] ?? 0)
      counts[to] = (counts[to] ?? 0) + 1
      red[to] = (red[to] ?? 0) + (data[from] ?? 0)
      green[to] = (green[to] ?? 0) + (data[from + 1] ?? 0)
      blue[to] = (blue[to] ?? 0) + (data[from + 2] ?? 0)
    }
  }
  const plane = (sum: Uint32Array): Grey => {
    const mean = new Uint8Array(wide * high)
    for (let at = 0; at < mean.length; at++) mean[at] = (sum[at] ?? 0) / Math.max(1, counts[at] ?? 1)
    return { width: wide, height: high, data: mean }
  }
  return [plane(red), plane(green), plane(blue)]
}

/** Places spread over the rim, which begins `depth` px from the edge. */
function rimOf(width: number, height: number, depth: number, thick: number): readonly number[] {
  const within = (x: number, y: number, by: number): boolean => x >= by && y >= by && x < width - by && y < height - by
  const places: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (within(x, y, depth) && !within(x, y, depth + thick)) places.push(y * width + x)
  const count = Math.min(rimSamples, places.length)
  return Array.from({ length: count }, (_, at) => places[Math.floor((at * places.length) / count)] ?? 0)
}

/** White where a pixel is like none of the rim. @param planes - what is known of each pixel */
function unlikeRim(planes: readonly Grey[], rim: readonly number[], least: number): Grey {
  const [first] = planes
  if (first === undefined) throw new Error('unreachable: there are planes')
  const known = planes.length
  const all = new Float32Array(first.data.length * known)
  for (const [from, { data }] of planes.entries())
    for (let place = 0, at = from; place < data.length; place++, at += known) all[at] = data[place] ?? 0
  const near = (unlikeFrom * Math.max(least, spreadOf(all, known, rim))) ** 2
  // by rising first value: a pixel can be like those alone that are near in it
  const samples = rim.toSorted((a, b) => (all[a * known] ?? 0) - (all[b * known] ?? 0))
  const firsts = Float32Array.from(samples, (place) => all[place * known] ?? 0)
  const isLike = (place: number, at: number): boolean => squaredDistance(all, known, place, samples[at] ?? 0) < near
  // pixels side by side are mostly like the same one of the rim
  let last = 0
  return mapped(first, (_, place) => {
    if (last < firsts.length && isLike(place, last)) return 0
    const value = all[place * known] ?? 0
    for (let at = firstWithin(firsts, value, near); at < firsts.length; at++) {
      const above = (firsts[at] ?? 0) - value
      if (above > 0 && above * above >= near) break
      if (isLike(place, at)) {
        last = at
        return 0
      }
    }
    return 255
  })
}

/** The first of rising values that is not too far below one: the square of what it lies below is less than `near`. */
function firstWithin(rising: Float32Array, value: number, near: number): number {
  let [from, to] = [0, rising.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const below = value - (rising[middle] ?? 0)
    if (below > 0 && below * below >= near) from = middle + 1
    else to = middle
  }
  return from
}

/** What nine tenths of the rim are nearer than to a place of it that is not beside them. */
function spreadOf(all: Float32Array, known: number, rim: readonly number[]): number {
  const nearest = rim.map((one, at) => {
    let least = Number.POSITIVE_INFINITY
    for (let other = 0; other < rim.length; other++)
      if (Math.abs(at - other) > 3) least = Math.min(least, squaredDistance(all, known, one, rim[other] ?? 0))
    return Math.sqrt(least)
  })
  return nearest.sort((a, b) => a - b)[Math.floor(nearest.length * 0.9)] ?? 0
}

function squaredDistance(all: Float32Array, known: number, one: number, other: number): number {
  let sum = 0
  for (let at = 0; at < known; at++) {
    const apart = (all[one * known + at] ?? 0) - (all[other * known + at] ?? 0)
    sum += apart * apart
  }
  return sum
}

const mapped = ({ width, height, data }: Grey, value: (value: number, at: number) => number): Grey => ({
  width,
  height,
  data: data.map(value),
})

const inverse = (shape: Grey): Grey => mapped(shape, (value) => 255 - value)

/** White where all of the square around a pixel is, most of it, any of it. */
const everywhere = (shape: Grey, radius: number): Grey => mapped(boxMean(shape, radius), (value) => (value === 255 ? 255 : 0))
const mostly = (shape: Grey, radius: number): Grey => mapped(boxMean(shape, radius), (value) => (value > 127 ? 255 : 0))
const anywhere = (shape: Grey, radius: number): Grey => inverse(everywhere(inverse(shape), radius))
