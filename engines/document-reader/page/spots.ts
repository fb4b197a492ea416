import type { Grey } from './pixels.ts'

/** Returns the connected pixels from `start`. @param seen - visited pixels are marked */
export function spotFrom(
  start: number,
  { width, data }: Pick<Grey, 'width' | 'data'>,
  isIn: (value: number) => boolean,
  seen: Uint8Array,
): readonly number[] {
  const spot = [start]
  seen[start] = 1
  for (let next = 0; next < spot.length; next++) {
    const place = spot[next] ?? 0
    const x = place % width
    for (const other of [x > 0 ? place - 1 : -1, x < width - 1 ? place + 1 : -1, place - width, place + width]) {
      if (other < 0 || other >= data.length || seen[other] === 1 || !isIn(data[other] ?? 0)) continue
      seen[other] = 1
      spot.push(other)
    }
  }
  return spot
}

/** Returns only the largest white spot, on black. */
export function largestSpot(shape: Grey): Grey {
  const [largest = []] = spotsOf(shape, 255).toSorted((a, b) => b.length - a.length)
  const data = new Uint8Array(shape.data.length)
  for (const place of largest) data[place] = 255
  return { ...shape, data }
}

/** Fills black spots that do not touch the edge. */
export function withoutHoles(shape: Grey): Grey {
  const { width, height } = shape
  const data = Uint8Array.from(shape.data)
  const atEdge = (place: number): boolean =>
    place < width || place >= width * (height - 1) || place % width === 0 || place % width === width - 1
  for (const spot of spotsOf(shape, 0)) if (!spot.some(atEdge)) for (const place of spot) data[place] = 255
  return { width, height, data }
}

function spotsOf(shape: Grey, ink: number): readonly (readonly number[])[] {
  const seen = new Uint8Array(shape.data.length)
  const spots: (readonly number[])[] = []
  for (const [start, value] of shape.data.entries())
    if (value === ink && seen[start] !== 1) spots.push(spotFrom(start, shape, (other) => other === ink, seen))
  return spots
}
