/** A greyscale picture: luma from 0 to 255, row by row. */
export interface Gray {
  readonly width: number
  readonly height: number
  readonly luma: Uint8ClampedArray
}

/** A rectangle in pixels. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** @param rgba - four bytes per pixel, as in a canvas   @see ITU-R BT.601 */
export function grayOf({
  width,
  height,
  data,
}: {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}): Gray {
  const luma = new Uint8ClampedArray(width * height)
  for (let at = 0; at < luma.length; at++)
    luma[at] = 0.299 * (data[4 * at] ?? 0) + 0.587 * (data[4 * at + 1] ?? 0) + 0.114 * (data[4 * at + 2] ?? 0)
  return { width, height, luma }
}

/** Returns the mean luma of a rectangle. */
export function meanOf({ width, luma }: Gray, { left, top, width: columns, height: rows }: Region): number {
  let sum = 0
  for (let y = top; y < top + rows; y++) for (let x = left; x < left + columns; x++) sum += luma[y * width + x] ?? 0
  return sum / Math.max(1, rows * columns)
}

/** Returns a rectangle by shares of another one: `within(frame, 0.5, 0, 0.5, 1)` is its right half. */
export function within({ left, top, width, height }: Region, x: number, y: number, columns: number, rows: number): Region {
  return {
    left: Math.round(left + x * width),
    top: Math.round(top + y * height),
    width: Math.max(1, Math.round(columns * width)),
    height: Math.max(1, Math.round(rows * height)),
  }
}
