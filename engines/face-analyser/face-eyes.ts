import { chipSize } from './networks/face-descriptor-graph.ts'

/** Where the eyes lie on an aligned chip, in pixels, and how far a patch reaches from there to each side. */
const middles = [
  { x: 47, y: 47 },
  { x: 101, y: 47 },
] as const
const reach = { x: 12, y: 8 } as const
/** Pixels that an eye may lie elsewhere on the next chip. */
const shift = 3
const width = 2 * reach.x + 1
const height = 2 * reach.y + 1

/** The grey of the person's right and left eye on the aligned chip, less the mean of each. */
export function eyePatches(chip: Uint8Array): readonly Float32Array[] {
  return middles.map((middle) => {
    const patch = Float32Array.from({ length: width * height }, (_, index) => {
      const [x, y] = [middle.x - reach.x + (index % width), middle.y - reach.y + Math.floor(index / width)]
      const at = (y * chipSize + x) * 3
      return 0.299 * (chip[at] ?? 0) + 0.587 * (chip[at + 1] ?? 0) + 0.114 * (chip[at + 2] ?? 0)
    })
    const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length
    return patch.map((value) => value - mean)
  })
}

/**
 * How alike the eyes of one person are in two pictures: an eye that closed has lost its iris and white. Landmarks do not tell: those of the network
 * here do not follow the lids.
 * @param before - as `eyePatches` gives them   @param after - likewise
 * @returns correlation of the eye that is more alike, where they fit best: 1 for the same picture, about 0 for nothing in common
 */
export function eyesLikeness(before: readonly Float32Array[], after: readonly Float32Array[]): number {
  const each = before.map((eye, side) => likeness(eye, after[side] ?? new Float32Array(eye.length)))
  return Math.max(0, ...each)
}

function likeness(before: Float32Array, after: Float32Array): number {
  let best = 0
  for (let dx = -shift; dx <= shift; dx++)
    for (let dy = -shift; dy <= shift; dy++) best = Math.max(best, correlation(before, after, dx, dy))
  return best
}

function correlation(before: Float32Array, after: Float32Array, dx: number, dy: number): number {
  let [both, own, other] = [0, 0, 0]
  for (let y = shift; y < height - shift; y++) {
    for (let x = shift; x < width - shift; x++) {
      const [a, b] = [before[y * width + x] ?? 0, after[(y + dy) * width + x + dx] ?? 0]
      both += a * b
      own += a * a
      other += b * b
    }
  }
  return own === 0 || other === 0 ? 0 : both / Math.sqrt(own * other)
}
