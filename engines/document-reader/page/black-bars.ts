import type { Grey } from './pixels.ts'

/** Grey levels; a camera never records such an even black. */
const black = 3

/**
 * Measures black bars at the edges, as in a screenshot: their share of the height or width, whichever is larger.
 * @returns 0 to 1; 0 for an entirely black picture
 */
export function blackBars({ width, height, data }: Grey): number {
  const isBlack = (from: number, step: number, count: number): boolean => {
    for (let at = 0; at < count; at++) if ((data[from + at * step] ?? 0) > black) return false
    return true
  }
  const row = (y: number): boolean => isBlack(y * width, 1, width)
  const column = (x: number): boolean => isBlack(x, width, height)
  return Math.max(atBothEnds(height, row) / height, atBothEnds(width, column) / width)
}

function atBothEnds(count: number, isBar: (at: number) => boolean): number {
  let first = 0
  while (first < count && isBar(first)) first++
  let last = 0
  while (first + last < count && isBar(count - 1 - last)) last++
  return first === count ? 0 : first + last
}
