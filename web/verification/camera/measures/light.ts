import type { Gray, Region } from './gray.ts'

/** Light in a part of a picture. */
export interface Light {
  /** 0 black to 255 white */
  readonly mean: number
  /** share of pixels as white as a reflection */
  readonly glare: number
  /** mean of the other pixels: a picture that is bright everywhere has no reflection */
  readonly beside: number
}

const white = 250

export function lightOf({ width, luma }: Gray, { left, top, width: columns, height: rows }: Region): Light {
  let [sum, glaring, beside] = [0, 0, 0]
  for (let y = top; y < top + rows; y++)
    for (let x = left; x < left + columns; x++) {
      const value = luma[y * width + x] ?? 0
      sum += value
      if (value >= white) glaring++
      else beside += value
    }
  const count = Math.max(1, rows * columns)
  return { mean: sum / count, glare: glaring / count, beside: glaring >= count ? white : beside / (count - glaring) }
}
