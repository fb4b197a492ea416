import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../demonstration/seeded-random.ts'
import { type Corners, findCorners } from '../../../../subgraphs/engines/document-reader/page/corners.ts'
import { foreshortening, rectified } from '../../../../subgraphs/engines/document-reader/page/perspective.ts'
import type { Grey } from '../../../../subgraphs/engines/document-reader/page/pixels.ts'

const [width, height] = [720, 540]
const corner = (x: number, y: number) => ({ x, y })

/** Whether a point is inside a shape whose corners go round clockwise. */
function isInside(corners: Corners, x: number, y: number): boolean {
  return corners.every((from, at) => {
    const to = corners[(at + 1) % 4] ?? from
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= 0
  })
}

function picture(shade: (x: number, y: number) => number): Grey {
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, at) => shade(at % width, Math.floor(at / width))) }
}

const straight: Corners = [corner(150, 120), corner(570, 120), corner(570, 400), corner(150, 400)]
const fromBelow: Corners = [corner(190, 110), corner(560, 130), corner(640, 430), corner(110, 400)]
const portrait: Corners = [corner(180, 170), corner(290, 170), corner(290, 310), corner(180, 310)]

function expectNear(found: Corners | undefined, corners: Corners): void {
  expect(found).toHaveLength(4)
  for (const [at, { x, y }] of corners.entries()) {
    expect(Math.abs((found?.[at]?.x ?? 0) - x)).toBeLessThan(width * 0.015)
    expect(Math.abs((found?.[at]?.y ?? 0) - y)).toBeLessThan(width * 0.015)
  }
}

describe('the corners of a document', () => {
  it.each([
    ['seen from above', straight],
    ['seen from aside', fromBelow],
  ])('are found when it is %s', (_, corners) => {
    expectNear(findCorners(picture((x, y) => (isInside(corners, x, y) ? 220 : 90))), corners)
  })

  it('are those of the card, not of the portrait on it', () => {
    const shade = (x: number, y: number): number => (isInside(portrait, x, y) ? 60 : isInside(straight, x, y) ? 220 : 90)
    expectNear(findCorners(picture(shade)), straight)
  })

  it('are found on a dark card in the light, and through noise', () => {
    const random = seededRandom(4)
    const shade = (x: number, y: number): number => (isInside(straight, x, y) ? 70 : 160) + random.between(-20, 20)
    expectNear(findCorners(picture(shade)), straight)
  })

  it.each([
    ['an even sheet', () => 200],
    ['a page that fills the picture', (x: number, y: number) => (x % 90 < 60 && y % 40 < 12 ? 40 : 230)],
    ['stripes of a cloth', (x: number) => (x % 60 < 30 ? 80 : 220)],
    ['squares of a cloth', (x: number, y: number) => 60 + (x % 60 < 30 ? 80 : 0) + (y % 60 < 30 ? 80 : 0)],
  ])('are none on %s', (_, shade) => expect(findCorners(picture(shade))).toBeUndefined())
})

describe('a document seen from aside', () => {
  it('is made as from straight above: its sides lie where the picture has its corners', () => {
    const shades = picture((x, y) => (isInside(fromBelow, x, y) ? (x < 370 ? 200 : 120) : 10))
    const pixels = { width, height, data: Uint8Array.from({ length: width * height * 3 }, (_, at) => shades.data[Math.floor(at / 3)] ?? 0) }
    const page = rectified(pixels, fromBelow)
    const at = (x: number, y: number): number => page.data[(Math.round(y * page.height) * page.width + Math.round(x * page.width)) * 3] ?? 0
    expect([at(0.05, 0.05), at(0.95, 0.05), at(0.05, 0.95), at(0.95, 0.95)]).toEqual([200, 120, 200, 120])
    expect([at(0.005, 0.5), at(0.5, 0.005), at(0.994, 0.5)]).toEqual([10, 10, 10])
  })

  it('looks shorter at its farther side', () => {
    expect(foreshortening(straight)).toBe(0)
    expect(foreshortening(fromBelow)).toBeCloseTo(0.3, 1)
  })
})
