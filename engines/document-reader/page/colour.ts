import type { Pixels } from '../../inference/images/pixels.ts'

/** Pixels on a side of the squares that are looked at: what a sensor's noise and a JPEG put in evens out. */
const edge = 8
/** Darker squares have no colour to speak of. */
const darkest = 48
/** Distance of a square's tint from the picture's own, as a share of its light. */
const tinted = 0.12

/**
 * How much of a picture has a colour of its own, beyond the tint that paper and light give to all of it. A copy in black and white has none, whatever the light.
 * @returns 0 to 1, a share of the picture
 */
export function colourShare({ width, height, data }: Pixels): number {
  const squares: { red: number; blue: number }[] = []
  for (let top = 0; top + edge <= height; top += edge) {
    for (let left = 0; left + edge <= width; left += edge) squares.push(tintOf(data, width, left, top))
  }
  if (squares.length === 0) return 0
  const [red, blue] = [middle(squares.map((square) => square.red)), middle(squares.map((square) => square.blue))]
  return squares.filter((square) => Math.abs(square.red - red) + Math.abs(square.blue - blue) > tinted).length / squares.length
}

/** How much more red and blue than green there is, as shares of the light. */
function tintOf(data: Uint8Array, width: number, left: number, top: number): { red: number; blue: number } {
  let red = 0
  let green = 0
  let blue = 0
  for (let y = top; y < top + edge; y++) {
    for (let at = (y * width + left) * 3, end = at + edge * 3; at < end; at += 3) {
      red += data[at] ?? 0
      green += data[at + 1] ?? 0
      blue += data[at + 2] ?? 0
    }
  }
  const light = Math.max((red + green + blue) / 3, darkest * edge * edge)
  return { red: (red - green) / light, blue: (blue - green) / light }
}

const middle = (values: readonly number[]): number => Float64Array.from(values).sort()[values.length >> 1] ?? 0
