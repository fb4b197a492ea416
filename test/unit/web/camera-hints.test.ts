import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { hintsOf, measuredSide } from '../../../web/verification/camera/hints.ts'
import { edgesAt } from '../../../web/verification/camera/measures/document-edges.ts'
import { grayOf } from '../../../web/verification/camera/measures/gray.ts'
import { drawnPerson } from '../../support/samples/people.ts'

const view = { width: measuredSide, height: 0.75 * measuredSide }
const table = '#6b6257'

async function measured(scene: Buffer, change: (picture: Sharp) => Sharp = (picture) => picture) {
  const flat = await sharp(scene).removeAlpha().png().toBuffer()
  const { data, info } = await change(sharp(flat)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return grayOf({ width: info.width, height: info.height, data: new Uint8ClampedArray(data) })
}

describe('the camera of the page', () => {
  let selfie: Buffer
  let document: Buffer
  beforeAll(async () => {
    const person = await drawnPerson(5)
    selfie = await sharp(person.selfie)
      .resize({ ...view, fit: 'contain', background: '#a3b1b5' })
      .png()
      .toBuffer()
    const card = await sharp(person.front).resize({ width: 320 }).png().toBuffer()
    document = await sharp({ create: { ...view, channels: 3, background: table } })
      .composite([{ input: card }])
      .png()
      .toBuffer()
  })

  it('gives no hint for a good selfie and a good document', async () => {
    expect(hintsOf(await measured(selfie), 'selfie')).toEqual([])
    expect(hintsOf(await measured(document), 'document')).toEqual([])
    expect(edgesAt(await measured(document), { left: 40, top: 50, width: 320, height: 200 })).toEqual(['top', 'right', 'bottom', 'left'])
  })

  it('reports a blurred or dark picture', async () => {
    expect(hintsOf(await measured(selfie, (picture) => picture.blur(4)), 'selfie')).toEqual(['blurred'])
    expect(hintsOf(await measured(document, (picture) => picture.blur(4)), 'document')).toContain('blurred')
    expect(hintsOf(await measured(selfie, (picture) => picture.linear(0.25, 0)), 'selfie')).toContain('dark')
    expect(hintsOf(await measured(document, (picture) => picture.linear(0.25, 0)), 'document')).toContain('dark')
  })

  it('reports a missing face or document, and uses a face detector if available', async () => {
    const empty = await measured(
      await sharp({ create: { ...view, channels: 3, background: table } })
        .png()
        .toBuffer(),
    )
    expect(hintsOf(empty, 'selfie')[0]).toBe('no-face')
    expect(hintsOf(empty, 'document')[0]).toBe('no-edges')
    expect(hintsOf(await measured(selfie), 'selfie', false)).toEqual(['no-face'])
    expect(hintsOf(empty, 'selfie', true)).not.toContain('no-face')
  })

  it('reports a reflection, but not for an entirely white picture', async () => {
    const spot = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" ${`width="${view.width}" height="${view.height}"`}><circle cx="220" cy="150" r="32" fill="#fff"/></svg>`,
    )
    const lit = await sharp(await sharp(document).linear(0.75, 0).png().toBuffer())
      .composite([{ input: spot }])
      .png()
      .toBuffer()
    expect(hintsOf(await measured(lit), 'document')).toEqual(['glare'])
    const page = await sharp({ create: { ...view, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect(hintsOf(await measured(page), 'document')).not.toContain('glare')
  })
})
