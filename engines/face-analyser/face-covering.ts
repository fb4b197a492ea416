import { type LogColour, meanBrightness, meanOf, medianColour, type Patch, rowsOf } from './chip-colours.ts'
import type { FaceCovering } from './face-analyser.ts'

const patch = (left: number, right: number, top: number, bottom: number): Patch => ({ left, right, top, bottom })

/** Regions of the aligned chip per eye: the eye with its lids, the skin below it, its upper part, and the cheek. */
const eyes = [
  { eye: patch(36, 58, 42, 52), below: patch(36, 58, 53, 67), rim: patch(36, 58, 54, 62), cheek: patch(36, 56, 80, 95) },
  { eye: patch(92, 114, 42, 52), below: patch(92, 114, 53, 67), rim: patch(92, 114, 54, 62), cheek: patch(94, 114, 80, 95) },
] as const
/** Skin that a mask leaves uncovered: between the brows, on the bridge of the nose, on the lower lids. */
const brows = patch(66, 84, 26, 44)
const free = [brows, patch(68, 82, 44, 58), patch(38, 58, 54, 60), patch(92, 112, 54, 60)] as const
/** Skin that a mask covers: upper and lower cheeks, base of the nose, lips, chin. */
const hidden = [
  patch(36, 54, 84, 96),
  patch(96, 114, 84, 96),
  patch(42, 56, 98, 110),
  patch(94, 108, 98, 110),
  patch(66, 84, 88, 97),
  patch(58, 92, 102, 114),
  patch(60, 90, 122, 134),
] as const
const mouth = patch(60, 90, 88, 128)
/** rows of the chip above and below the line between the lips */
const lips = 7

/** Measures coverings by colours within one aligned face, so that neither light nor skin colour matters. */
export const faceCovering = (chip: Uint8Array): FaceCovering => ({ eyes: glasses(chip), mouth: mask(chip) })

/**
 * Skin below an eye has the colour of the cheek and is lighter than the eye; dark glasses continue below it. Thin or clear glasses have no effect.
 */
function glasses(chip: Uint8Array): number {
  const each = eyes.map(({ eye, below, rim, cheek }) => {
    const lighter = meanBrightness(chip, rim) - Math.min(...rowsOf(chip, eye))
    return distance(medianColour(chip, below), medianColour(chip, cheek)) - 0.4 * lighter
  })
  return meanOf(each)
}

/** A mask has another hue and no line between the lips. A single region may have another hue on an uncovered face, too: lips, a beard, a shadow. */
function mask(chip: Uint8Array): number {
  const skins = free.map((part) => medianColour(chip, part))
  const parts = hidden.map((part) => medianColour(chip, part))
  const browColour = medianColour(chip, brows)
  const fromBrows = parts.map((part) => hueBetween(part, browColour)).sort(ascending)
  const fromSkin = parts.map((part) => skins.map((skin) => hueBetween(part, skin)).sort(ascending)[1] ?? 0)
  return (fromBrows[1] ?? 0) + 2.5 * Math.min(...fromSkin) - 0.75 * mouthLine(rowsOf(chip, mouth))
}

const ascending = (a: number, b: number): number => a - b

/** root of the mean square */
const distance = (a: LogColour, b: LogColour): number => Math.sqrt(meanOf(a.map((value, channel) => (value - (b[channel] ?? 0)) ** 2)))

/** of the colours alone, however bright they are */
const hueBetween = ([red, green, blue]: LogColour, [r, g, b]: LogColour): number =>
  Math.max(Math.abs(red - green - (r - g)), Math.abs(blue - green - (b - g)))

/** Returns how much darker the darkest row is than those above and below it. */
const mouthLine = (rows: readonly number[]): number =>
  Math.max(...rows.slice(lips, -lips).map((row, at) => ((rows[at] ?? row) + (rows[at + 2 * lips] ?? row)) / 2 - row))
