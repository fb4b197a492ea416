import { describe, expect, it } from 'vitest'
import { colourShare } from '../../../../engines/document-reader/page/colour.ts'

/** Black print on paper of one tint, with a quarter of it in another. */
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

describe('the share of a picture that has a colour of its own', () => {
  it('is none of what is black and white, under whatever light', () => {
    expect(colourShare(picture([240, 240, 240]))).toBe(0)
    expect(colourShare(picture([240, 223, 187]))).toBe(0)
  })

  it('is that of a portrait or a pattern in colour', () => {
    expect(colourShare(picture([230, 238, 246], [200, 150, 120]))).toBeCloseTo(0.25)
    expect(colourShare(picture([240, 223, 187], [122, 160, 200]))).toBeCloseTo(0.25)
  })

  it('is none of a picture smaller than what is looked at', () => {
    expect(colourShare({ width: 4, height: 4, data: new Uint8Array(48) })).toBe(0)
  })
})
