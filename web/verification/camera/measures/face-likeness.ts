import { type Gray, meanOf, type Region, within } from './gray.ts'

/** how far a head may be higher or lower than the oval, as shares of its height */
const shifts = [-0.08, -0.04, 0, 0.04, 0.08]
const leastSymmetry = 0

/**
 * What can be said without a face detector: whether light and shade in the oval lie as they do in a face that looks into the camera. Both eyes
 * are darker than forehead and cheeks, the bridge of the nose is lighter than the eyes beside it, and the halves are not unlike.
 * @param oval - the rectangle around it: a face fills it from the brow to the chin
 * @see Viola, Jones, "Robust real-time face detection", IJCV 2004: its first two features
 */
export function resemblesFace(gray: Gray, oval: Region): boolean {
  return shifts.some((shift) => hasShadesOfFace(gray, oval, shift)) && symmetryOf(gray, oval) >= leastSymmetry
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

/** by a twentieth and more: noise makes no shade */
const isDarker = (one: number, other: number): boolean => one < 0.95 * other - 2

const cells = 12

/** How alike the left half is to the right one in a mirror: the correlation of a coarse grid, -1 to 1. */
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
