import { type Grey, inkMask, quarterTurn, shrink } from './pixels.ts'

/** maximum skew that is detected, in degrees */
const maxSkew = 15
/** longer side of the image that is analysed, in pixels */
const analysedSide = 480
/** maximum length of a horizontal run of ink within a letter, in pixels of that image; longer runs are edges, rulings or the grain of a table */
const maxRun = 24

export interface Direction {
  /** clockwise rotation that makes text lines roughly horizontal; they may still be upside down */
  readonly turn: 0 | 90
  /** remaining clockwise rotation after `turn` that makes the lines exactly horizontal, in degrees */
  readonly level: number
}

/** Finds the direction of text lines: the amount of ink per pixel row varies most when the rows run along the lines. */
export function textDirection(grey: Grey): Direction {
  const reduced = shrink(grey, Math.round((analysedSide * grey.width) / Math.max(grey.width, grey.height)))
  const upright = bestAngle(reduced)
  const turned = bestAngle(quarterTurn(reduced, 90))
  return turned.score > upright.score * 1.15 ? { turn: 90, level: turned.angle } : { turn: 0, level: upright.angle }
}

function bestAngle(grey: Grey): { angle: number; score: number } {
  const { width, height, data } = inkMask(grey, { radius: 8, share: 0.85 })
  const points: number[] = []
  // skips the margin of the image, where page edges are
  for (let y = 6; y < height - 6; y++) {
    for (let x = 6; x < width - 6; ) {
      const start = x
      while (x < width - 6 && data[y * width + x] === 1) x++
      if (x - start <= maxRun) for (let at = start; at < x; at++) points.push(at, y)
      x++
    }
  }
  const score = (angle: number): number => {
    const slope = Math.tan((angle * Math.PI) / 180)
    const offset = Math.ceil(Math.abs(slope) * width) + 1
    const profile = new Float64Array(height + 2 * offset)
    for (let at = 0; at < points.length; at += 2) {
      const row = Math.round((points[at + 1] ?? 0) + (points[at] ?? 0) * slope) + offset
      profile[row] = (profile[row] ?? 0) + 1
    }
    let sum = 0
    for (let row = 1; row < profile.length; row++) sum += ((profile[row] ?? 0) - (profile[row - 1] ?? 0)) ** 2
    return sum
  }
  const search = (from: number, to: number, step: number): { angle: number; score: number } => {
    let best = { angle: 0, score: score(0) }
    for (let angle = from; angle <= to + 1e-9; angle += step) {
      const candidate = score(angle)
      if (candidate > best.score) best = { angle, score: candidate }
    }
    return best
  }
  const coarse = search(-maxSkew, maxSkew, 1)
  const fine = search(coarse.angle - 1, coarse.angle + 1, 0.2)
  return { angle: fine.angle, score: fine.score / Math.max(1, points.length) }
}
