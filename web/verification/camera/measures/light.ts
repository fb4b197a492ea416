import type { Gray, Region } from './gray.ts'

/** How a part of a picture is lit. */
export interface Light {
  /** 0 black to 255 white */
  readonly mean: number
  /** share of pixels that are white as a reflection is */
  readonly glare: number
  /** the mean of the others: what is light all over has no reflection */
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
