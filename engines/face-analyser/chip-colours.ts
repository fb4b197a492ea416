import { chipSize } from './networks/face-descriptor-graph.ts'

/** A region of the aligned chip; `right` and `bottom` are exclusive. */
export interface Patch {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Natural logarithms of red, green and blue: dimmer light subtracts the same from each. */
export type LogColour = readonly [red: number, green: number, blue: number]

/** Added to each value of 0 to 255, since near-black values differ only by noise. */
const floor = 8
const logarithms = Float32Array.from({ length: 256 }, (_, value) => Math.log(value + floor))

const logAt = (chip: Uint8Array, at: number): number => logarithms[chip[at] ?? 0] ?? 0

/** Returns the median per channel, so that a lash or a highlight does not count. */
export function medianColour(chip: Uint8Array, { left, right, top, bottom }: Patch): LogColour {
  const median = (channel: 0 | 1 | 2): number => {
    const values: number[] = []
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) values.push(logAt(chip, (y * chipSize + x) * 3 + channel))
    return Float32Array.from(values).sort()[values.length >> 1] ?? 0
  }
  return [median(0), median(1), median(2)]
}

/** Returns the brightness of each row of a patch (ITU-R BT.601), in natural logarithms. */
export function rowsOf(chip: Uint8Array, { left, right, top, bottom }: Patch): readonly number[] {
  return Array.from({ length: bottom - top }, (_, row) => {
    let sum = 0
    for (let x = left; x < right; x++) {
      const at = ((top + row) * chipSize + x) * 3
      sum += 0.299 * logAt(chip, at) + 0.587 * logAt(chip, at + 1) + 0.114 * logAt(chip, at + 2)
    }
    return sum / (right - left)
  })
}

export const meanBrightness = (chip: Uint8Array, patch: Patch): number => meanOf(rowsOf(chip, patch))

export const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
