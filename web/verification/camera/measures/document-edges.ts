import type { Gray, Region } from './gray.ts'

const sides = ['top', 'right', 'bottom', 'left'] as const
export type Side = (typeof sides)[number]

/** scan lines per side */
const lines = 24
/** scan range on both sides of the frame, as a share of its height */
const reach = 0.12
/** minimum luma step of an edge */
const minStep = 14
/** minimum share of scan lines with the edge near one straight line */
const seenShare = 0.6
/** tolerance of that line, as a share of the frame's height */
const straightness = 0.025

/**
 * Returns the sides of the frame with a straight edge, as a document has. It detects a light card on a dark table, but not a card as light
 * as the table.
 * @param frame - where the document should be
 */
export function edgesAt(gray: Gray, frame: Region): readonly Side[] {
  return sides.filter((side) => isEdgeAt(gray, frame, side))
}

function isEdgeAt(gray: Gray, frame: Region, side: Side): boolean {
  const isUpright = side === 'left' || side === 'right'
  const length = isUpright ? frame.height : frame.width
  const base = { top: frame.top, bottom: frame.top + frame.height, left: frame.left, right: frame.left + frame.width }[side]
  const half = Math.round(reach * frame.height)
  // from outside to inside: the card's edge comes before its print
  const inwards = side === 'left' || side === 'top' ? 1 : -1
  const points: [along: number, across: number][] = []
  for (let line = 0; line < lines; line++) {
    // the corners of a card are round
    const along = Math.round((isUpright ? frame.top : frame.left) + length * (0.08 + (0.84 * line) / (lines - 1)))
    const across = outermostStep(gray, isUpright, along, base - inwards * half, inwards, 2 * half)
    if (across !== undefined) points.push([along, across])
  }
  if (points.length < seenShare * lines) return false
  const lineAt = medianLine(points)
  const near = points.filter(([along, across]) => Math.abs(across - lineAt(along)) <= Math.max(1.5, straightness * frame.height))
  return near.length >= seenShare * lines
}

/** Returns the first position with at least half the steepest luma step; undefined without a sufficient step. */
function outermostStep(
  { width, height, luma }: Gray,
  isUpright: boolean,
  along: number,
  from: number,
  inwards: 1 | -1,
  count: number,
): number | undefined {
  const at = (across: number): number | undefined => {
    const [x, y] = isUpright ? [across, along] : [along, across]
    return x < 0 || y < 0 || x >= width || y >= height ? undefined : luma[y * width + x]
  }
  const steps: number[] = []
  for (let index = 0; index <= count; index++) {
    const across = from + inwards * index
    const [before, after] = [at(across - 1), at(across + 1)]
    steps.push(before === undefined || after === undefined ? 0 : Math.abs(after - before))
  }
  const steepest = Math.max(...steps)
  return steepest < minStep ? undefined : from + inwards * steps.findIndex((step) => step >= steepest / 2)
}

/** Fits a line through points with many outliers. @see Theil-Sen estimator */
function medianLine(points: readonly (readonly [number, number])[]): (along: number) => number {
  const slopes: number[] = []
  for (const [index, [x, y]] of points.entries())
    for (const [otherX, otherY] of points.slice(index + 1)) if (otherX !== x) slopes.push((otherY - y) / (otherX - x))
  const slope = median(slopes)
  const offset = median(points.map(([x, y]) => y - slope * x))
  return (along) => slope * along + offset
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
