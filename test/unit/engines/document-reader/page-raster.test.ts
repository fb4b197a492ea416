import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../demonstration/drawing/seeded-random.ts'
import { blackBars } from '../../../../engines/document-reader/page/black-bars.ts'
import type { Grey } from '../../../../engines/document-reader/page/pixels.ts'
import type { Corners } from '../../../../engines/document-reader/page/quadrilateral.ts'
import { rasterOf } from '../../../../engines/document-reader/page/raster.ts'

const [width, height] = [800, 600]

function picture(shade: (x: number, y: number) => number): Grey {
  const random = seededRandom(9)
  const noisy = (at: number): number => shade(at % width, Math.floor(at / width)) + random.between(-6, 6)
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, at) => Math.max(0, Math.min(255, noisy(at)))) }
}

/** Lines of print with strokes of varying width and distance. */
const strokes = Array.from({ length: 40 }, (_, row) => {
  const random = seededRandom(100 + row)
  const ink = new Uint8Array(width)
  for (let x = 10; x < width - 20; x += random.between(5, 18)) ink.fill(1, x, x + random.between(2, 6))
  return ink
})
/** Print on a printed wave pattern. */
const print = (x: number, y: number): number =>
  (y % 23 < 12 && strokes[Math.floor(y / 23)]?.[x] === 1 ? 60 : 195) + 12 * Math.sin((x + y) / 5)
/** @param degrees - angle of the dot rows */
const points = (x: number, y: number, period: number, degrees: number): number => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const wave = (along: number): number => 8 * Math.cos((2 * Math.PI * along) / period)
  return wave(x * cos + y * sin) + wave(y * cos - x * sin)
}

describe('the print raster of a document', () => {
  it('is absent on printed paper with any wave pattern', () => {
    expect(rasterOf(picture(print), undefined)?.strength).toBeLessThan(2.5)
    expect(
      rasterOf(
        picture(() => 128),
        undefined,
      )?.strength,
    ).toBeLessThan(2.5)
  })

  it.each([
    ['the rows of a screen', 3.3, 3],
    ['the dots of a printer', 3.7, 45],
  ])('classifies %s by its angle and period', (_, period, degrees) => {
    const raster = rasterOf(
      picture((x, y) => print(x, y) + points(x, y, period, degrees)),
      undefined,
    )
    expect(raster?.strength).toBeGreaterThan(3)
    expect(Math.abs((raster?.angle ?? 0) - degrees)).toBeLessThan(6)
  })

  it('ignores the surface around the document', () => {
    const card: Corners = [
      { x: 150, y: 120 },
      { x: 650, y: 120 },
      { x: 650, y: 480 },
      { x: 150, y: 480 },
    ]
    const isOnCard = (x: number, y: number): boolean => x > 150 && x < 650 && y > 120 && y < 480
    const cloth = picture((x, y) => print(x, y) + (isOnCard(x, y) ? 0 : points(x, y, 3.3, 3)))
    expect(rasterOf(cloth, card)?.strength).toBeLessThan(2.5)
  })

  it('cannot be measured on a document that is too small', () => {
    const small = { width: 400, height: 300, data: new Uint8Array(400 * 300) }
    expect(rasterOf(small, undefined)).toBeUndefined()
  })
})

describe('black bars at the edges of a picture', () => {
  const barred = (isBar: (x: number, y: number) => boolean): Grey => {
    const { data } = picture(() => 180)
    return { width, height, data: data.map((value, at) => (isBar(at % width, Math.floor(at / width)) ? 0 : value)) }
  }

  it('are measured above and below a screenshot, or beside it', () => {
    expect(blackBars(barred((_, y) => y < 60 || y >= 480))).toBeCloseTo(0.3)
    expect(blackBars(barred((x) => x < 80))).toBeCloseTo(0.1)
  })

  it('are absent in a dark photograph, for black print on a document, and in an entirely black picture', () => {
    expect(blackBars(picture(() => 8))).toBe(0)
    expect(blackBars(barred((x, y) => y < 60 && x > 20))).toBe(0)
    expect(blackBars(barred(() => true))).toBe(0)
  })
})
