import { type Point, type Rectangle, smallestRectangle } from '../page/rectangle.ts'

/** A text line. Its rectangle is in pixels of the page, the long side along the text. */
export interface TextRegion extends Rectangle {
  /** 0 to 1 */
  readonly confidence: number
}

interface ProbabilityMap {
  readonly width: number
  readonly height: number
  /** probability of each pixel to belong to the core of a line, 0 to 1 */
  readonly data: Float32Array
}

/** Published threshold of this network. */
const minTextProbability = 0.2
const minConfidence = 0.45
/** Growth factor (area over circumference): the network detects only the core of lines. */
const unclip = 1.4
/** minimum edge in pixels of the map; smaller regions are specks */
const minEdge = 3
const maxRegions = 300

/**
 * Extracts regions from a probability map. @param scale - page pixels per map pixel
 * @see Liao et al., "Real-time Scene Text Detection with Differentiable Binarization", AAAI 2020, 3.5
 */
export function regionsOf(map: ProbabilityMap, scale: { readonly x: number; readonly y: number }): readonly TextRegion[] {
  const seen = new Uint8Array(map.data.length)
  const regions: TextRegion[] = []
  for (let start = 0; start < map.data.length && regions.length < maxRegions; start++) {
    if (seen[start] === 1 || (map.data[start] ?? 0) < minTextProbability) continue
    const { rim, confidence } = connectedRegion(start, map, seen)
    if (confidence < minConfidence) continue
    const core = smallestRectangle(rim)
    if (core === undefined || Math.min(core.width, core.height) < minEdge) continue
    const growth = (core.width * core.height * unclip) / (core.width + core.height)
    regions.push({ ...onPage({ ...core, width: core.width + growth, height: core.height + growth }, scale), confidence })
  }
  return regions.sort((a, b) => a.centre.y - b.centre.y)
}

const onPage = ({ centre, width, height, angle }: Rectangle, scale: { readonly x: number; readonly y: number }): Rectangle => ({
  centre: { x: centre.x * scale.x, y: centre.y * scale.y },
  // the scales differ only by rounding to the stride of the network
  width: width * Math.hypot(Math.cos(angle) * scale.x, Math.sin(angle) * scale.y),
  height: height * Math.hypot(Math.sin(angle) * scale.x, Math.cos(angle) * scale.y),
  angle: Math.atan2(Math.sin(angle) * scale.y, Math.cos(angle) * scale.x),
})

/** Returns the connected text pixels: the ends of each row, which include every corner, and their mean probability. */
function connectedRegion(
  start: number,
  { width, height, data }: ProbabilityMap,
  seen: Uint8Array,
): { rim: readonly Point[]; confidence: number } {
  const pixels = [start]
  seen[start] = 1
  const ends = new Map<number, { from: number; to: number }>()
  let sum = 0
  for (let next = 0; next < pixels.length; next++) {
    const place = pixels[next] ?? 0
    const [x, y] = [place % width, Math.floor(place / width)]
    sum += data[place] ?? 0
    const row = ends.get(y)
    if (row === undefined) ends.set(y, { from: x, to: x })
    else if (x < row.from) row.from = x
    else if (x > row.to) row.to = x
    const neighbours = [x > 0 ? place - 1 : -1, x < width - 1 ? place + 1 : -1, place - width, y < height - 1 ? place + width : -1]
    for (const other of neighbours) {
      if (other < 0 || seen[other] === 1 || (data[other] ?? 0) < minTextProbability) continue
      seen[other] = 1
      pixels.push(other)
    }
  }
  const rim = [...ends].flatMap(([y, { from, to }]) => [
    { x: from, y },
    { x: to + 1, y },
    { x: from, y: y + 1 },
    { x: to + 1, y: y + 1 },
  ])
  return { rim, confidence: sum / pixels.length }
}
