import type { Pixels } from '../../inference/images/image-format.ts'

/** Brightness of each pixel, row by row from the top left; 0 black to 255 white. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** One byte per pixel: 1 for ink. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Converts to grey (ITU-R BT.601). */
export function toGrey({ width, height, data }: Pixels): Grey {
  const grey = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < grey.length; at++, from += 3) {
    grey[at] = (299 * (data[from] ?? 0) + 587 * (data[from + 1] ?? 0) + 114 * (data[from + 2] ?? 0)) / 1000
  }
  return { width, height, data: grey }
}

/** Number of white pixels whose sum fits into 32 bits. */
const largestOf32 = 2 ** 32 / 256

/** Computes a summed-area table, one row and column larger than the image. */
function integral({
  width,
  height,
  data,
}: {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint16Array
}): Float64Array | Uint32Array {
  // 32-bit sums take half of the memory
  const size = (width + 1) * (height + 1)
  const sums = data instanceof Uint8Array && size < largestOf32 ? new Uint32Array(size) : new Float64Array(size)
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  return sums
}

/** Reduces by averaging; never enlarges. */
export function shrink(grey: Grey, width: number): Grey {
  if (width >= grey.width) return grey
  const factor = grey.width / width
  const height = Math.max(1, Math.round(grey.height / factor))
  const sums = integral(grey)
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const y0 = Math.floor(y * factor)
    const y1 = Math.min(grey.height, Math.max(Math.floor((y + 1) * factor), y0 + 1))
    for (let x = 0; x < width; x++) {
      const x0 = Math.floor(x * factor)
      const x1 = Math.min(grey.width, Math.max(Math.floor((x + 1) * factor), x0 + 1))
      data[y * width + x] = meanOf(sums, grey.width, x0, y0, x1, y1)
    }
  }
  return { width, height, data }
}

/** Returns the mean brightness of a rectangle in constant time. */
function meanOf(sums: Float64Array | Uint32Array, width: number, x0: number, y0: number, x1: number, y1: number): number {
  const above = y0 * (width + 1)
  const below = y1 * (width + 1)
  const sum = (sums[below + x1] ?? 0) - (sums[above + x1] ?? 0) - (sums[below + x0] ?? 0) + (sums[above + x0] ?? 0)
  return sum / Math.max(1, (x1 - x0) * (y1 - y0))
}

/** Returns for each pixel the mean of its neighbourhood of `radius`, clipped to the page. */
export function boxMean(grey: Grey, radius: number): Grey {
  const sums = integral(grey)
  return inSquares(grey, radius, (x0, y0, x1, y1) => meanOf(sums, grey.width, x0, y0, x1, y1))
}

/** Returns for each pixel the standard deviation of its neighbourhood. */
export function boxDeviation(grey: Grey, radius: number): Grey {
  const sums = integral(grey)
  const squares = integral({ ...grey, data: Uint16Array.from(grey.data, (value) => value * value) })
  return inSquares(grey, radius, (x0, y0, x1, y1) =>
    Math.sqrt(Math.max(0, meanOf(squares, grey.width, x0, y0, x1, y1) - meanOf(sums, grey.width, x0, y0, x1, y1) ** 2)),
  )
}

function inSquares({ width, height }: Grey, radius: number, value: (x0: number, y0: number, x1: number, y1: number) => number): Grey {
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const y0 = Math.max(0, y - radius)
    const y1 = Math.min(height, y + radius + 1)
    for (let x = 0; x < width; x++) data[y * width + x] = value(Math.max(0, x - radius), y0, Math.min(width, x + radius + 1), y1)
  }
  return { width, height, data }
}

/** The definition of ink: pixels darker than their neighbourhood. */
export interface Ink {
  /** radius of the neighbourhood, px */
  readonly radius: number
  /** minimum difference, as a share of the mean of the neighbourhood */
  readonly share: number
  /** whether to average neighbouring pixels first, against noise */
  readonly soft?: boolean
}

export const inkMask = (grey: Grey, ink: Ink): Mask => inkMasks(grey)(ink)

/** Creates a function that computes ink masks of one picture for several definitions. */
export function inkMasks(grey: Grey): (ink: Ink) => Mask {
  const { width, height, data } = grey
  const sums = integral(grey)
  return ({ radius, share, soft = false }) => {
    const mask = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) {
      const y0 = Math.max(0, y - radius)
      const y1 = Math.min(height, y + radius + 1)
      for (let x = 0; x < width; x++) {
        const around = meanOf(sums, width, Math.max(0, x - radius), y0, Math.min(width, x + radius + 1), y1)
        const here = soft
          ? meanOf(sums, width, Math.max(0, x - 1), Math.max(0, y - 1), Math.min(width, x + 2), Math.min(height, y + 2))
          : (data[y * width + x] ?? 0)
        // at least 8 levels, so that even paper next to black is not ink
        if (here < around * share && around - here > 8) mask[y * width + x] = 1
      }
    }
    return { width, height, data: mask }
  }
}

/** Returns the interpolated brightness; outside, that of the nearest edge. */
export function sample({ width, height, data }: Grey, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, x))
  const top = Math.min(height - 1, Math.max(0, y))
  const x0 = Math.floor(left)
  const y0 = Math.floor(top)
  const here = y0 * width + x0
  const across = x0 + 1 < width ? 1 : 0
  const down = y0 + 1 < height ? width : 0
  const fx = left - x0
  const fy = top - y0
  const above = (data[here] ?? 0) * (1 - fx) + (data[here + across] ?? 0) * fx
  const below = (data[here + down] ?? 0) * (1 - fx) + (data[here + down + across] ?? 0) * fx
  return above * (1 - fy) + below * fy
}

/** Enlarges with interpolation. @param by - factor of at least 1 */
export function enlarged(grey: Grey, by: number): Grey {
  if (by <= 1) return grey
  const [width, height] = [Math.round(grey.width * by), Math.round(grey.height * by)]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = sample(grey, (x + 0.5) / by - 0.5, (y + 0.5) / by - 0.5)
  return { width, height, data }
}

/** Rotates clockwise by a multiple of 90 degrees. */
export function quarterTurn(grey: Grey, degrees: 0 | 90 | 180 | 270): Grey {
  if (degrees === 0) return grey
  const { width, height, data } = grey
  const turned = new Uint8Array(data.length)
  const [w, h] = degrees === 180 ? [width, height] : [height, width]
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const from =
        degrees === 90 ? (height - 1 - x) * width + y : degrees === 180 ? data.length - 1 - (y * w + x) : x * width + (width - 1 - y)
      turned[y * w + x] = data[from] ?? 0
    }
  }
  return { width: w, height: h, data: turned }
}

const minTurn = 0.05

/** Returns the size of a page after `rotate`. */
export function rotatedSize({ width, height }: { readonly width: number; readonly height: number }, degrees: number) {
  if (Math.abs(degrees) < minTurn) return { width, height }
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  return { width: Math.ceil(width * cos + height * sin), height: Math.ceil(width * sin + height * cos) }
}

/** Rotates clockwise by a few degrees about the centre; the page grows so that no corner is lost. */
export function rotate(grey: Grey, degrees: number): Grey {
  if (Math.abs(degrees) < minTurn) return grey
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const { width, height } = rotatedSize(grey, degrees)
  const data = new Uint8Array(width * height)
  const [cx, cy] = [grey.width / 2, grey.height / 2]
  for (let y = 0; y < height; y++) {
    const dy = y - height / 2
    for (let x = 0; x < width; x++) {
      const dx = x - width / 2
      data[y * width + x] = sample(grey, cx + dx * cos + dy * sin, cy - dx * sin + dy * cos)
    }
  }
  return { width, height, data }
}

/** Encodes as portable grey map (Netpbm P5), which needs no compression. */
export function toPgm({ width, height, data }: Grey): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data])
}
