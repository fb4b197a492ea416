import { describe, expect, it } from 'vitest'
import { colourShare } from '../../../../engines/document-reader/page/colour.ts'

/** Returns black print on paper of one tint, with a quarter of it in another. */
function picture(paper: readonly number[], part: readonly number[] = paper): { width: number; height: number; data: Uint8Array } {
  const [width, height] = [160, 80]
  const data = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const light = x % 16 < 3 ? 0.2 : 1
    const tint = x < width / 2 && y < height / 2 ? part : paper
    for (const [channel, value] of tint.entries()) data[at * 3 + channel] = value * light
  }
  return { width, height, data }
}

describe('the coloured share of a picture', () => {
  it('is 0 for black and white under any light', () => {
    expect(colourShare(picture([240, 240, 240]))).toBe(0)
    expect(colourShare(picture([240, 223, 187]))).toBe(0)
  })

  it('is the share of a coloured portrait or pattern', () => {
    expect(colourShare(picture([230, 238, 246], [200, 150, 120]))).toBeCloseTo(0.25)
    expect(colourShare(picture([240, 223, 187], [122, 160, 200]))).toBeCloseTo(0.25)
  })

  it('is 0 for a picture smaller than the sampled area', () => {
    expect(colourShare({ width: 4, height: 4, data: new Uint8Array(48) })).toBe(0)
  })
})
