import type { Box } from '../document-reader.ts'
import { powerSpectra } from './fourier.ts'
import type { Grey } from './pixels.ts'
import type { Corners } from './quadrilateral.ts'

/** A fine periodic pattern over a picture, caused by the pixels of a screen or the dots of a printer. */
export interface Raster {
  /** strength of its frequency above similar frequencies, in decades */
  readonly strength: number
  /** degrees from the nearer of horizontal and vertical, 0 to 45 */
  readonly angle: number
}

/** edge of the analysed squares, px; a power of two */
const edge = 256
/** Number of squares per side of the document. */
const perSide = 3
/** Cycles per pixel: documents are printed with coarser patterns, sensors cause finer ones. */
const [coarsest, finest] = [0.16, 0.46]
/** JPEG blocks of 8 pixels cause these frequencies and their neighbours. */
const block = edge / 8
const neighbouringBlocks = 2
/** Width of the ring of frequencies used for comparison. */
const ringWidth = 0.02

/**
 * Detects a raster in the document only, since a tablecloth has a fine pattern too: between its corners, or in the centre of the picture if they are
 * unknown.
 * @returns undefined if the document is smaller than a square
 */
export function rasterOf(picture: Grey, corners: Corners | undefined): Raster | undefined {
  const area = corners === undefined ? middleOf(picture) : insideOf(corners)
  if (area.width < edge || area.height < edge) return undefined
  const power = meanSpectrum(picture, area)
  const rings = Array.from({ length: Math.ceil(0.5 / ringWidth) }, (): number[] => [])
  const fine: { readonly across: number; readonly down: number; readonly frequency: number; readonly power: number }[] = []
  for (let y = 0; y < edge; y++) {
    const down = y > edge / 2 ? y - edge : y
    if (ofBlocks(down)) continue
    for (let across = 0; across <= edge / 2; across++) {
      const frequency = Math.sqrt(across * across + down * down) / edge
      if (frequency < coarsest || frequency > finest || ofBlocks(across)) continue
      const value = power[across * edge + y] ?? 0
      rings[Math.floor(frequency / ringWidth)]?.push(value)
      fine.push({ across, down, frequency, power: value })
    }
  }
  const usual = rings.map((ring) => Float64Array.from(ring).sort()[ring.length >> 1] ?? 0)
  let [strength, angle] = [0, 0]
  for (const one of fine) {
    const above = Math.log10(one.power / ((usual[Math.floor(one.frequency / ringWidth)] ?? 0) + minPower))
    if (above <= strength) continue
    const degrees = (Math.atan2(Math.abs(one.down), one.across) * 180) / Math.PI
    ;[strength, angle] = [above, Math.min(degrees, 90 - degrees)]
  }
  return { strength, angle }
}

/** Power of noise of four levels, as of a camera: in a noiseless drawing the faintest harmonic would stand out. */
const minPower = 150_000

const ofBlocks = (frequency: number): boolean => {
  const rest = Math.abs(frequency) % block
  return Math.min(rest, block - rest) <= neighbouringBlocks
}

const middleOf = ({ width, height }: Grey): Box => ({
  left: Math.round(width / 4),
  top: Math.round(height / 4),
  width: Math.floor(width / 2),
  height: Math.floor(height / 2),
})

/** Returns the largest axis-parallel box inside the corners. */
function insideOf([a, b, c, d]: Corners): Box {
  const [left, top] = [Math.ceil(Math.max(a.x, d.x, 0)), Math.ceil(Math.max(a.y, b.y, 0))]
  return { left, top, width: Math.floor(Math.min(b.x, c.x)) - left, height: Math.floor(Math.min(c.y, d.y)) - top }
}

const powerSpectrum = powerSpectra(edge)
/** Hann window. @see Harris, "On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform", 1978 */
const window = Float64Array.from({ length: edge }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / edge))

function meanSpectrum({ width, data }: Grey, area: Box): Float64Array {
  const sum = new Float64Array(edge * (edge / 2 + 1))
  const values = new Float64Array(edge * edge)
  for (let square = 0; square < perSide * perSide; square++) {
    const left = area.left + Math.floor(((area.width - edge) * (square % perSide)) / (perSide - 1))
    const top = area.top + Math.floor(((area.height - edge) * Math.floor(square / perSide)) / (perSide - 1))
    let total = 0
    for (let y = 0; y < edge; y++) {
      const row = (top + y) * width + left
      for (let x = 0; x < edge; x++) total += data[row + x] ?? 0
    }
    const mean = total / (edge * edge)
    for (let y = 0; y < edge; y++) {
      const row = (top + y) * width + left
      const weight = window[y] ?? 0
      for (let x = 0; x < edge; x++) values[y * edge + x] = ((data[row + x] ?? 0) - mean) * (window[x] ?? 0) * weight
    }
    const power = powerSpectrum(values)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (power[at] ?? 0) / (perSide * perSide)
  }
  return sum
}
