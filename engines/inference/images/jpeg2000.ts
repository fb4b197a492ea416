import { Worker } from 'node:worker_threads'
import { workerModule } from '../../../foundation/process/build-info.ts'
import type { Pixels } from './image-format.ts'
import { InvalidImage } from './invalid-image.ts'
import type { Jpeg2000Task } from './jpeg2000-thread.ts'

/** Limit of an image: a chip portrait has half a megapixel; this many need 100 MB. */
const maxPixels = 4_000_000
const maxTiles = 256
/** a portrait takes 0.1 s, or 1 s on a busy machine */
const timeoutMs = 20_000

/**
 * Decodes a JPEG 2000 code stream (ISO/IEC 15444-1): grey or colour, 8 bits. The size is checked in the header first. The decoder runs in its own
 * thread with bounded memory and a limit of 20 s, which also bounds files with a misleading header.
 * @throws {InvalidImage} image_too_large, damaged_image, or unsupported_format for other samples
 */
export async function decodeJpeg2000(image: Uint8Array): Promise<Pixels> {
  const { stream, ...size } = codeStream(image)
  const workerData: Jpeg2000Task = { stream, ...size }
  const thread = new Worker(workerModule('jpeg2000-thread', import.meta.url), { workerData, stdout: true, stderr: true })
  try {
    const data = await answerOf(thread)
    if (data === undefined) throw new InvalidImage('damaged_image')
    return { width: size.width, height: size.height, data }
  } finally {
    await thread.terminate()
  }
}

/** @returns undefined if decoding fails or is cancelled */
function answerOf(thread: Worker): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, undefined)
    thread.once('message', (answer: unknown) => resolve(answer instanceof Uint8Array ? answer : undefined))
    thread.once('error', () => resolve(undefined))
    thread.once('exit', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
}

/** Start of a code stream and of its first segment, which contains the size (ISO/IEC 15444-1, A.5.1). */
const opening = Buffer.of(0xff, 0x4f, 0xff, 0x51)
const eightBits = 7

/** Removes the surrounding boxes, so that the size that was checked is the size that is decoded. */
function codeStream(image: Uint8Array): Jpeg2000Task {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const from = bytes.indexOf(opening)
  const header = from < 0 ? bytes.subarray(0, 0) : bytes.subarray(from + opening.length)
  const fixed = 38
  if (header.length < fixed + 9) throw new InvalidImage('damaged_image')
  const [x = 0, y = 0, left = 0, top = 0, tileWidth = 0, tileHeight = 0] = [4, 8, 12, 16, 20, 24].map((at) => header.readUInt32BE(at))
  const [width, height] = [x - left, y - top]
  const channels = header.readUInt16BE(36)
  if (width < 1 || height < 1 || tileWidth < 1 || tileHeight < 1) throw new InvalidImage('damaged_image')
  const tiles = Math.ceil(x / tileWidth) * Math.ceil(y / tileHeight)
  if (width * height > maxPixels || tiles > maxTiles) throw new InvalidImage('image_too_large')
  const samples = header.subarray(fixed, fixed + 3 * channels)
  const isPlain = (channels === 1 || channels === 3) && samples.every((value, at) => value === (at % 3 === 0 ? eightBits : 1))
  if (!isPlain) throw new InvalidImage('unsupported_format')
  return { stream: bytes.subarray(from), width, height, channels }
}
