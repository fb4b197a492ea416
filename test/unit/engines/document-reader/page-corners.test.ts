import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../demonstration/drawing/seeded-random.ts'
import { findDocument } from '../../../../engines/document-reader/page/outline/find-document.ts'
import { rectified } from '../../../../engines/document-reader/page/outline/perspective.ts'
import { toGrey } from '../../../../engines/document-reader/page/pixels.ts'
import { type Corners, foreshortening, isWithin } from '../../../../engines/document-reader/page/quadrilateral.ts'
import type { Pixels } from '../../../../engines/inference/images/image-format.ts'

const [width, height] = [720, 540]
const corner = (x: number, y: number) => ({ x, y })

type Colour = readonly [number, number, number]
const grey = (shade: number): Colour => [shade, shade, shade]

function picture(colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at++) data.set(colourAt(at % width, Math.floor(at / width)), at * 3)
  return { width, height, data }
}

const shades = (shade: (x: number, y: number) => number): Pixels => picture((x, y) => grey(shade(x, y)))
const cornersIn = (pixels: Pixels): Corners | undefined => findDocument(pixels, toGrey(pixels))

const straight: Corners = [corner(150, 120), corner(570, 120), corner(570, 400), corner(150, 400)]
const fromBelow: Corners = [corner(190, 110), corner(560, 130), corner(640, 430), corner(110, 400)]
const portrait: Corners = [corner(180, 170), corner(290, 170), corner(290, 310), corner(180, 310)]

function expectNear(detected: Corners | undefined, corners: Corners): void {
  expect(detected).toHaveLength(4)
  for (const [at, { x, y }] of corners.entries()) {
    expect(Math.abs((detected?.[at]?.x ?? 0) - x)).toBeLessThan(width * 0.015)
    expect(Math.abs((detected?.[at]?.y ?? 0) - y)).toBeLessThan(width * 0.015)
  }
}

describe('the corners of a document', () => {
  it.each([
    ['seen from above', straight],
    ['seen from aside', fromBelow],
  ])('are detected when it is %s', (_, corners) => {
    expectNear(cornersIn(shades((x, y) => (isWithin(corners, { x, y }) ? 220 : 90))), corners)
  })

  it('are those of the card, not of the portrait on it', () => {
    const shade = (x: number, y: number): number => (isWithin(portrait, { x, y }) ? 60 : isWithin(straight, { x, y }) ? 220 : 90)
    expectNear(cornersIn(shades(shade)), straight)
  })

  it('are detected on a dark card on a light ground, and through noise', () => {
    const random = seededRandom(4)
    const shade = (x: number, y: number): number => (isWithin(straight, { x, y }) ? 70 : 160) + random.between(-20, 20)
    expectNear(cornersIn(shades(shade)), straight)
  })

  const cloths: Readonly<Record<string, (x: number, y: number) => Colour>> = {
    checked: (x, y) => [220, 180 - (x % 44 < 22 ? 70 : 0) - (y % 44 < 22 ? 70 : 0), 180 - (x % 44 < 22 ? 70 : 0) - (y % 44 < 22 ? 70 : 0)],
    striped: (x, y) => ((x + y) % 50 < 25 ? [60, 110, 75] : [215, 205, 170]),
    dotted: (x, y) => (((x % 40) - 20) ** 2 + ((y % 40) - 20) ** 2 < 90 ? [40, 60, 130] : [200, 190, 120]),
  }
  it.each(Object.entries(cloths).flatMap(([name, cloth]) => [straight, fromBelow].map((corners) => [name, cloth, corners] as const)))(
    'are those of a card on a %s cloth, however clear the edges of its pattern are',
    (_, cloth, corners) => {
      const random = seededRandom(9)
      const noisy = ([red, green, blue]: Colour): Colour => [
        red + random.between(-8, 8),
        green + random.between(-8, 8),
        blue + random.between(-8, 8),
      ]
      // print of any colour on the card
      const card = (x: number, y: number): Colour => (y % 40 < 8 && x % 30 < 20 ? [40, 40, 50] : [228, 236, 246])
      expectNear(cornersIn(picture((x, y) => noisy(isWithin(corners, { x, y }) ? card(x, y) : cloth(x, y)))), corners)
    },
  )

  it('are not detected on a page that fills the picture, with or without a portrait', () => {
    const page = (x: number, y: number): Colour => (x > 300 && y % 50 < 14 && x % 40 < 24 ? [50, 50, 60] : [225, 235, 240])
    const inPortrait = (x: number, y: number): boolean => x > 40 && x < 260 && y > 120 && y < 400
    expect(cornersIn(picture((x, y) => (inPortrait(x, y) ? [120, 80, 60] : page(x, y))))).toBeUndefined()
  })

  it.each([
    ['a uniform sheet', () => 200],
    ['a page that fills the picture', (x: number, y: number) => (x % 90 < 60 && y % 40 < 12 ? 40 : 230)],
    ['a striped cloth', (x: number) => (x % 60 < 30 ? 80 : 220)],
    ['a chequered cloth', (x: number, y: number) => 60 + (x % 60 < 30 ? 80 : 0) + (y % 60 < 30 ? 80 : 0)],
  ])('are not detected on %s', (_, shade) => expect(cornersIn(shades(shade))).toBeUndefined())
})

describe('a document photographed at an angle', () => {
  it('is rectified so that its sides follow the sides of the picture', () => {
    const page = rectified(
      shades((x, y) => (isWithin(fromBelow, { x, y }) ? (x < 370 ? 200 : 120) : 10)),
      fromBelow,
    )
    const at = (x: number, y: number): number => page.data[(Math.round(y * page.height) * page.width + Math.round(x * page.width)) * 3] ?? 0
    expect([at(0.05, 0.05), at(0.95, 0.05), at(0.05, 0.95), at(0.95, 0.95)]).toEqual([200, 120, 200, 120])
    expect([at(0.005, 0.5), at(0.5, 0.005), at(0.994, 0.5)]).toEqual([10, 10, 10])
  })

  it('is shorter at its farther side', () => {
    expect(foreshortening(straight)).toBe(0)
    expect(foreshortening(fromBelow)).toBeCloseTo(0.3, 1)
  })
})
