import type { Pixels } from '../../../inference/images/image-format.ts'
import { boxDeviation, boxMean, type Grey } from '../pixels.ts'
import { largestSpot, withoutHoles } from '../spots.ts'

/** length of the longer edge that is analysed, px */
const analysed = 180
/** Size of the neighbourhood for pattern measurement, as a share of the width: a few squares or stripes. */
const patternReach = 0.045
/** Number of rim pixels that represent the background. */
const rimSamples = 250
/** width of the rim, px */
const rimWidth = 4
/** Tolerated grey-level differences from the rim: camera noise. */
const noise = { colour: 6, pattern: 5 } as const
/** A pixel belongs to the object if it is this many times as far from the rim as rim pixels are from each other. */
const unlikeFrom = 1.3
/** radii for removing specks and smoothing bumps, px */
const [speck, bump] = [2, 4] as const
/** Weight of local variation relative to the mean in a pattern. */
const unevenness = 1.5

/**
 * Finds the largest object whose colour or pattern differs from the rim of the picture: a document on a cloth whose edges are stronger than those of
 * the document.
 * @returns the object in white on black; the longer edge is 180 px
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
  // a mixed square resembles neither: pixels of any square that resembles the rim belong to the rim
  const pattern = everywhere(byPattern, reach)
  const either = mapped(byColour, (value, at) => value | (pattern.data[at] ?? 0))
  const largest = withoutHoles(largestSpot(mostly(either, speck)))
  return anywhere(everywhere(largest, bump), bump)
}

/** Returns red, green and blue, reduced by averaging. */
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

/** Returns positions spread over the rim, which begins `depth` px from the edge. */
function rimOf(width: number, height: number, depth: number, thick: number): readonly number[] {
  const within = (x: number, y: number, by: number): boolean => x >= by && y >= by && x < width - by && y < height - by
  const places: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (within(x, y, depth) && !within(x, y, depth + thick)) places.push(y * width + x)
  const count = Math.min(rimSamples, places.length)
  return Array.from({ length: count }, (_, at) => places[Math.floor((at * places.length) / count)] ?? 0)
}

/** Marks the pixels that resemble no pixel of the rim in white. @param planes - features of each pixel */
function unlikeRim(planes: readonly Grey[], rim: readonly number[], minSpread: number): Grey {
  const [first] = planes
  if (first === undefined) throw new Error('unreachable: there are planes')
  const planeCount = planes.length
  const all = new Float32Array(first.data.length * planeCount)
  for (const [from, { data }] of planes.entries())
    for (let place = 0, at = from; place < data.length; place++, at += planeCount) all[at] = data[place] ?? 0
  const near = (unlikeFrom * Math.max(minSpread, spreadOf(all, planeCount, rim))) ** 2
  // sorted by the first value, so that only rim pixels close in it need comparison
  const samples = rim.toSorted((a, b) => (all[a * planeCount] ?? 0) - (all[b * planeCount] ?? 0))
  const firsts = Float32Array.from(samples, (place) => all[place * planeCount] ?? 0)
  const isLike = (place: number, at: number): boolean => squaredDistance(all, planeCount, place, samples[at] ?? 0) < near
  // adjacent pixels usually resemble the same rim pixel
  let last = 0
  return mapped(first, (_, place) => {
    if (last < firsts.length && isLike(place, last)) return 0
    const value = all[place * planeCount] ?? 0
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

/** Returns the index of the first of ascending values within `near` (squared distance) below a value. */
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

/** Returns the 90th percentile of distances between a rim position and those not next to it. */
function spreadOf(all: Float32Array, planeCount: number, rim: readonly number[]): number {
  const nearest = rim.map((one, at) => {
    let nearestSquare = Number.POSITIVE_INFINITY
    for (let other = 0; other < rim.length; other++)
      if (Math.abs(at - other) > 3) nearestSquare = Math.min(nearestSquare, squaredDistance(all, planeCount, one, rim[other] ?? 0))
    return Math.sqrt(nearestSquare)
  })
  return nearest.sort((a, b) => a - b)[Math.floor(nearest.length * 0.9)] ?? 0
}

function squaredDistance(all: Float32Array, planeCount: number, one: number, other: number): number {
  let sum = 0
  for (let at = 0; at < planeCount; at++) {
    const difference = (all[one * planeCount + at] ?? 0) - (all[other * planeCount + at] ?? 0)
    sum += difference * difference
  }
  return sum
}

const mapped = ({ width, height, data }: Grey, value: (value: number, at: number) => number): Grey => ({
  width,
  height,
  data: data.map(value),
})

const inverse = (shape: Grey): Grey => mapped(shape, (value) => 255 - value)

/** Filters by neighbourhood: white if all of it, most of it, or any of it is white. */
const everywhere = (shape: Grey, radius: number): Grey => mapped(boxMean(shape, radius), (value) => (value === 255 ? 255 : 0))
const mostly = (shape: Grey, radius: number): Grey => mapped(boxMean(shape, radius), (value) => (value > 127 ? 255 : 0))
const anywhere = (shape: Grey, radius: number): Grey => inverse(everywhere(inverse(shape), radius))
