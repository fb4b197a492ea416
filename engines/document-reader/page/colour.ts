import type { Pixels } from '../../inference/images/image-format.ts'

/** Edge of the squares in pixels; averages sensor noise and JPEG artefacts. */
const edge = 8
/** Brightness below which a square has no measurable colour. */
const darkest = 48
/** Minimum distance of a square's tint from that of the picture, as a share of its brightness. */
const tinted = 0.12

/** Measures the share of a picture with a colour beyond the tint of paper and light; 0 for a black-and-white copy. */
export function colourShare({ width, height, data }: Pixels): number {
  const squares: { red: number; blue: number }[] = []
  for (let top = 0; top + edge <= height; top += edge) {
    for (let left = 0; left + edge <= width; left += edge) squares.push(tintOf(data, width, left, top))
  }
  if (squares.length === 0) return 0
  const [red, blue] = [middle(squares.map((square) => square.red)), middle(squares.map((square) => square.blue))]
  return squares.filter((square) => Math.abs(square.red - red) + Math.abs(square.blue - blue) > tinted).length / squares.length
}

/** Returns red and blue relative to green, as shares of the brightness. */
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
