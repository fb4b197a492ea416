import { type Gray, meanOf, type Region, within } from './gray.ts'

/** vertical offsets of the head from the oval, as shares of its height */
const shifts = [-0.08, -0.04, 0, 0.04, 0.08]
const minSymmetry = 0

/**
 * Estimates without a face detector whether light and shade in the oval are those of a frontal face: eyes darker than forehead and cheeks,
 * bridge of the nose lighter than the eyes, and similar halves.
 * @param oval - its bounding box, from brow to chin
 * @see Viola, Jones, "Robust real-time face detection", IJCV 2004: its first two features
 */
export function resemblesFace(gray: Gray, oval: Region): boolean {
  return shifts.some((shift) => hasShadesOfFace(gray, oval, shift)) && symmetryOf(gray, oval) >= minSymmetry
}

function hasShadesOfFace(gray: Gray, oval: Region, shift: number): boolean {
  const mean = (x: number, y: number, columns: number, rows: number): number => meanOf(gray, within(oval, x, y + shift, columns, rows))
  const [leftEye, rightEye] = [mean(0.16, 0.36, 0.26, 0.1), mean(0.58, 0.36, 0.26, 0.1)]
  const eyes = (leftEye + rightEye) / 2
  return (
    isDarker(leftEye, mean(0.16, 0.54, 0.22, 0.1)) &&
    isDarker(rightEye, mean(0.62, 0.54, 0.22, 0.1)) &&
    isDarker(eyes, mean(0.25, 0.18, 0.5, 0.1)) &&
    isDarker(eyes, mean(0.44, 0.36, 0.12, 0.12))
  )
}

/** at least 5 %: noise is not shade */
const isDarker = (one: number, other: number): boolean => one < 0.95 * other - 2

const cells = 12

/** Returns the correlation of the left half with the mirrored right one on a coarse grid, -1 to 1. */
function symmetryOf(gray: Gray, oval: Region): number {
  const pairs: [left: number, right: number][] = []
  for (let row = 0; row < cells; row++)
    for (let column = 0; column < cells / 2; column++) {
      const [x, y, side] = [column / cells, row / cells, 1 / cells]
      pairs.push([meanOf(gray, within(oval, x, y, side, side)), meanOf(gray, within(oval, 1 - x - side, y, side, side))])
    }
  const mean = (at: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length
  const [left, right] = [mean(0), mean(1)]
  let [together, alone, beside] = [0, 0, 0]
  for (const pair of pairs) {
    const [a, b] = [pair[0] - left, pair[1] - right]
    together += a * b
    alone += a * a
    beside += b * b
  }
  return alone === 0 || beside === 0 ? 0 : together / Math.sqrt(alone * beside)
}
