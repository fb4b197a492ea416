import type { Gray, Region } from './gray.ts'

/**
 * Returns the sharpness of a part of a picture: the variance of its Laplacian. Compare pictures of equal width only.
 * @returns 0 for one colour, several hundred for clear edges
 * @see Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", ICPR 2000
 */
export function sharpnessOf({ width, height, luma }: Gray, region: Region): number {
  const at = (x: number, y: number): number => luma[y * width + x] ?? 0
  const [left, top] = [Math.max(1, region.left), Math.max(1, region.top)]
  const [right, bottom] = [Math.min(width - 1, region.left + region.width), Math.min(height - 1, region.top + region.height)]
  let [count, sum, squares] = [0, 0, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const laplacian = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y)
      count++
      sum += laplacian
      squares += laplacian * laplacian
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2
}
