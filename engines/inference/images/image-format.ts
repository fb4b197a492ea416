import { InvalidImage } from './invalid-image.ts'

/** Red, green and blue bytes of each pixel, row by row from the top left. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'jpeg2000'

/** Formats of cameras and scanners. */
export const photographFormats = ['jpeg', 'png', 'webp'] as const satisfies readonly ImageFormat[]
export type PhotographFormat = (typeof photographFormats)[number]

const latin1 = (image: Uint8Array, from: number, to: number): string => Buffer.from(image.subarray(from, to)).toString('latin1')

/** Leading bytes of known formats that are not accepted: GIF, TIFF, BMP, ISO media (HEIC, AVIF), JPEG XL, PDF. */
const foreign: readonly { readonly at: number; readonly bytes: string }[] = [
  { at: 0, bytes: 'GIF8' },
  { at: 0, bytes: 'II*\0' },
  { at: 0, bytes: 'MM\0*' },
  { at: 0, bytes: 'BM' },
  { at: 4, bytes: 'ftyp' },
  { at: 0, bytes: '\xff\x0a' },
  { at: 4, bytes: 'JXL ' },
  { at: 0, bytes: '%PDF' },
]

/**
 * Determines the format by the leading bytes alone, so that only accepted formats reach a decoder (SVG, for example, may refer to other files).
 * @throws {InvalidImage} not_an_image or unsupported_format
 */
export function formatAmong<Format extends ImageFormat>(image: Uint8Array, accepted: readonly Format[]): Format {
  const head = latin1(image, 0, 1024)
  const detected = knownFormat(head)
  const format = accepted.find((each) => each === detected)
  if (format !== undefined) return format
  throw new InvalidImage(detected !== undefined || isForeign(head) ? 'unsupported_format' : 'not_an_image')
}

/** As `formatAmong`, for photographs and scans. @throws {InvalidImage} */
export const formatOf = (image: Uint8Array): PhotographFormat => formatAmong(image, photographFormats)

function knownFormat(head: string): ImageFormat | undefined {
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'webp'
  // a JP2 file or a bare code stream
  if (head.startsWith('jP  ', 4) || head.startsWith('\xff\x4f\xff\x51')) return 'jpeg2000'
  return undefined
}

const isForeign = (head: string): boolean => foreign.some(({ at, bytes }) => head.startsWith(bytes, at)) || head.includes('<svg')

/** Whether the end of the format is present: end-of-image marker, IEND chunk, or the length in the RIFF header. */
export function isComplete(image: Uint8Array, format: PhotographFormat): boolean {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  if (format === 'jpeg') return bytes.lastIndexOf(Buffer.of(0xff, 0xd9)) > 0
  if (format === 'png') return bytes.lastIndexOf('IEND') > 0
  return bytes.length >= 12 && bytes.readUInt32LE(4) + 8 <= bytes.length
}

/** Whether it is an animated PNG (an animation control chunk before the image data); decoders show only its first frame. */
export function isAnimatedPng(image: Uint8Array): boolean {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const maxChunks = 1000
  let at = 8
  for (let seen = 0; seen < maxChunks && at + 8 <= bytes.length; seen++) {
    const kind = bytes.toString('latin1', at + 4, at + 8)
    if (kind === 'acTL') return true
    if (kind === 'IDAT') return false
    at += 12 + bytes.readUInt32BE(at)
  }
  return false
}
