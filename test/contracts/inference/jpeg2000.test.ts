import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../engines/inference/images/image-decoder.ts'
import { inBoxes, jpeg2000 } from '../../support/chips/jpeg2000.ts'

const accepted = ['jpeg', 'jpeg2000'] as const
const decoded = (image: Uint8Array) => decodeImage(image, 1600, accepted)

/** Byte offsets in the first segment of a code stream. */
const place = { width: 8, height: 12, tileWidth: 24, tileHeight: 28, channels: 40, bits: 42 } as const

describe('an image in JPEG 2000', async () => {
  const pixels = Buffer.from(Uint8Array.from({ length: 120 * 160 * 3 }, (_, at) => (at * 7) % 251))
  const png = await sharp(pixels, { raw: { width: 120, height: 160, channels: 3 } })
    .png()
    .toBuffer()
  const stream = await jpeg2000(png)
  const withNumber = (at: number, value: number): Buffer => {
    const copy = Buffer.from(stream)
    copy.writeUInt32BE(value, at)
    return copy
  }

  it.each([
    ['a code stream', stream],
    ['a file of boxes', inBoxes(stream)],
  ])('is decoded pixel by pixel from %s', async (_, image) => {
    const { format, width, height, pixels: decodedPixels } = await decoded(image)
    expect([format, width, height]).toEqual(['jpeg2000', 120, 160])
    expect(Buffer.compare(Buffer.from(decodedPixels.data), pixels)).toBe(0)
  })

  it('has three channels when it is grey', async () => {
    const grey = await sharp(png).greyscale().toColourspace('b-w').png().toBuffer()
    const { pixels: decodedPixels } = await decoded(await jpeg2000(grey))
    expect(decodedPixels.data.length).toBe(120 * 160 * 3)
    expect([decodedPixels.data[0], decodedPixels.data[1]]).toEqual([decodedPixels.data[2], decodedPixels.data[2]])
  })

  it('is not accepted as a photograph from a client', async () => {
    await expect(decodeImage(stream, 1600)).rejects.toMatchObject({ problem: 'unsupported_format' })
  })

  it.each<[string, Buffer, string]>([
    ['a width beyond the limit', withNumber(place.width, 4_000_000_000), 'image_too_large'],
    [
      'tiles of a pixel',
      Buffer.from(withNumber(place.tileWidth, 1)).fill(Buffer.of(0, 0, 0, 1), place.tileHeight, place.tileHeight + 4),
      'image_too_large',
    ],
    ['tiles of zero width', withNumber(place.tileWidth, 0), 'damaged_image'],
    ['four megapixels and one row', withNumber(place.height, 33_400), 'image_too_large'],
    ['samples of 16 bits', Buffer.from(stream).fill(15, place.bits, place.bits + 1), 'unsupported_format'],
    ['no data after its first marker', stream.subarray(0, 20), 'damaged_image'],
    ['noise as its body', Buffer.concat([stream.subarray(0, 60), Buffer.alloc(5000, 0xa5)]), 'damaged_image'],
    ['16,000 channels', Buffer.from(stream).fill(0x3e, place.channels, place.channels + 1), 'unsupported_format'],
  ])('is refused with %s', async (_, image, problem) => {
    await expect(decoded(image)).rejects.toMatchObject({ problem })
  })

  it('is refused when its parts need more memory than its pixels: twelve million precincts of one sample', async () => {
    const size = Buffer.from(stream.subarray(0, 51))
    for (const at of [place.width, place.height, place.tileWidth, place.tileHeight]) size.writeUInt32BE(2000, at)
    const style = Buffer.from('ff52000d01000001000004040001', 'hex')
    const bomb = Buffer.concat([
      size,
      style,
      Buffer.from('00ff5c00044048ff90000a0000000000000001ff93', 'hex'),
      Buffer.alloc(1000),
      Buffer.of(0xff, 0xd9),
    ])
    await expect(decoded(bomb)).rejects.toMatchObject({ problem: 'damaged_image' })
  })

  it('is decoded at the size that was checked, whatever precedes the code stream', async () => {
    // a small image in an unread box, and a large one after it
    const large = withNumber(place.width, 4_000_000_000)
    const image = await decoded(inBoxes(large, stream))
    expect([image.width, image.height]).toEqual([120, 160])
  })
})
