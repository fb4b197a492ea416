import { chipSize } from './networks/face-descriptor-graph.ts'

/** Centres of the eyes on an aligned chip and the extent of a patch around them, in pixels. */
const middles = [
  { x: 47, y: 47 },
  { x: 101, y: 47 },
] as const
const reach = { x: 12, y: 8 } as const
/** Maximum displacement of an eye between two chips, px. */
const shift = 3
const width = 2 * reach.x + 1
const height = 2 * reach.y + 1

/** Returns the grey patches of the right and the left eye of the aligned chip, minus their means. */
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
 * Compares the eyes in two pictures of one person: a closed eye shows no iris and white. The landmarks of this network do not follow the lids.
 * @param before - result of `eyePatches`
 * @param after - likewise
 * @returns correlation of the more similar eye at the best displacement: 1 for the same picture, about 0 for unrelated ones
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
