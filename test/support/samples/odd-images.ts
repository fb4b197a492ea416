import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Files that are not photographs, or unusual ones. */

function chunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function header(width: number, height: number, colour: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, colour], 8)
  return chunk('IHDR', data)
}

/** A few kilobytes that declare `width` times `height` black pixels, with rows of zeros that compress a thousand to one. At most 6,000 rows are present. */
export function bomb(width: number, height: number): Buffer {
  const row = Buffer.alloc(width + 1)
  const rows = Buffer.concat(Array.from({ length: Math.min(height, 6000) }, () => row))
  return Buffer.concat([
    signature,
    header(width, height, 0),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An animated image: its first frame with the animation chunk (APNG). */
export async function animatedPng(still: Uint8Array): Promise<Buffer> {
  const png = await sharp(still).png().toBuffer()
  const control = Buffer.alloc(8)
  control.writeUInt32BE(2, 0)
  const firstChunkEnds = 8 + 25
  return Buffer.concat([png.subarray(0, firstChunkEnds), chunk('acTL', control), png.subarray(firstChunkEnds)])
}

/** Two frames (WebP). */
export async function animatedWebp(still: Uint8Array): Promise<Buffer> {
  const frame = await sharp(still).resize(300, 200, { fit: 'fill' }).flatten().raw().toBuffer()
  const other = Buffer.from(frame.map((value) => 255 - value))
  return sharp(Buffer.concat([frame, other]), { raw: { width: 300, height: 400, channels: 3, pageHeight: 200 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
}

/** The same image with CMYK channels, as for printers. */
export const cmyk = (still: Uint8Array): Promise<Buffer> => sharp(still).flatten().toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer()

/** Sixteen bits per channel. */
export const deep = (still: Uint8Array): Promise<Buffer> => sharp(still).flatten().toColourspace('rgb16').png().toBuffer()

/** The maximum size: forty million pixels, still under five megabytes. */
export const huge = (still: Uint8Array): Promise<Buffer> =>
  sharp(still).flatten().resize(8000, 5000, { fit: 'fill' }).jpeg({ quality: 40 }).toBuffer()

/** Two images side by side in one. */
export async function sideBySide(a: Uint8Array, b: Uint8Array): Promise<Buffer> {
  const { width, height } = await sharp(a).metadata()
  const right = await sharp(b).flatten().resize(width, height, { fit: 'fill' }).toBuffer()
  return sharp(a)
    .flatten()
    .extend({ right: width + 40, background: '#6b6257' })
    .composite([{ input: right, left: width + 40, top: 0 }])
    .jpeg({ quality: 88 })
    .toBuffer()
}
