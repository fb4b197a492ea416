import openJpeg from '@cornerstonejs/codec-openjpeg/wasmjs'
import sharp from 'sharp'

/** An image as JPEG 2000: the code stream only, lossless. */
export async function jpeg2000(image: Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { J2KEncoder } = await openJpeg({ print: () => undefined, printErr: () => undefined })
  const encoder = new J2KEncoder()
  const { width, height, channels: componentCount } = info
  encoder
    .getDecodedBuffer({ width, height, bitsPerSample: 8, componentCount, isSigned: false, isUsingColorTransform: componentCount === 3 })
    .set(data)
  encoder.setQuality(true, 0)
  encoder.encode()
  return Buffer.from(encoder.getEncodedBuffer())
}

/** The same as a JP2 file, which is more common on chips. @param before - content of an ignored box ahead of the image */
export function inBoxes(stream: Uint8Array, before: Uint8Array = Buffer.alloc(0)): Buffer {
  const box = (name: string, content: Uint8Array): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + content.length, 0)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  return Buffer.concat([
    box('jP  ', Buffer.of(0x0d, 0x0a, 0x87, 0x0a)),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ')),
    box('free', before),
    box('jp2c', stream),
  ])
}
