import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readImageHeader } from '../../../web/verification/photographs/image-header.ts'

const picture = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#467' } })

describe('the header of a photograph', () => {
  it.each([1, 3, 6, 8])('contains the orientation of the camera: %i', async (orientation) => {
    const bytes = await picture().jpeg().withMetadata({ orientation }).toBuffer()
    expect(readImageHeader(bytes)).toEqual({ type: 'image/jpeg', orientation, pixels: 2400 })
  })

  it('contains the size of a progressive JPEG and of one without Exif', async () => {
    const bytes = await picture().jpeg({ progressive: true }).toBuffer()
    expect(readImageHeader(bytes)).toEqual({ type: 'image/jpeg', orientation: 1, pixels: 2400 })
  })

  it('is recognised for PNG and WebP, and for no other format', async () => {
    expect(readImageHeader(await picture().png().toBuffer())).toEqual({ type: 'image/png', orientation: 1, pixels: 2400 })
    expect(readImageHeader(await picture().webp().toBuffer()).type).toBe('image/webp')
    expect(readImageHeader(await picture().tiff().toBuffer()).type).toBeUndefined()
    expect(readImageHeader(Buffer.from('GIF89a and more than a few bytes'))).toEqual({ type: undefined, orientation: 1, pixels: undefined })
  })

  it('is read without an error from a file truncated at any position', async () => {
    const bytes = await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer()
    for (let length = 0; length < bytes.length; length += 7)
      expect([1, 6]).toContain(readImageHeader(bytes.subarray(0, length)).orientation)
    const lying = Buffer.from(bytes)
    // a directory beyond the end of the file
    lying.writeUInt32BE(0x7fffffff, bytes.indexOf('Exif') + 10)
    expect(readImageHeader(lying).orientation).toBe(1)
  })
})
