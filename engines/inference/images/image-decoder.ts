import sharp, { type Metadata, type Sharp } from 'sharp'
import { formatAmong, type ImageFormat, isAnimatedPng, isComplete, type Pixels, photographFormats } from './image-format.ts'
import { InvalidImage } from './invalid-image.ts'
import { decodeJpeg2000 } from './jpeg2000.ts'

export interface DecodedImage {
  readonly format: ImageFormat
  /** Pixels of the upright image as sent, before reduction. */
  readonly width: number
  readonly height: number
  readonly pixels: Pixels
}

const maxBytes = 5 * 1024 * 1024
const defaultMaxPixels = 40_000_000
const minEdge = 80
const timeoutSeconds = 10

sharp.cache(false)
sharp.concurrency(1)

/**
 * Decodes a photograph or scan: upright (EXIF), sRGB, 8 bits, transparency on white, at most `maxEdge` pixels long. Size and format are read from
 * the header first; the decoder streams and reduces while reading, so that a picture of 40 megapixels takes at most 50 MB (150 MB for a progressive
 * JPEG).
 * @param formats - accepted formats; default JPEG, PNG and WebP
 * @param maxPixels - default 40 million
 * @throws {InvalidImage} unless it is a complete, still image of such a format, of 80 pixels to `maxPixels` and at most 5 MB
 */
export async function decodeImage(
  image: Uint8Array,
  maxEdge: number,
  formats: readonly ImageFormat[] = photographFormats,
  maxPixels = defaultMaxPixels,
): Promise<DecodedImage> {
  const format = formatAmong(image, formats)
  if (image.length > maxBytes) throw new InvalidImage('image_too_large')
  if (format === 'jpeg2000') {
    const pixels = await decodeJpeg2000(image)
    const { width, height } = pixels
    if (Math.min(width, height) < minEdge) throw new InvalidImage('image_too_small')
    return { format, width, height, pixels: await within(pixels, maxEdge) }
  }
  const damage = (): InvalidImage => new InvalidImage(isComplete(image, format) ? 'damaged_image' : 'truncated')
  const header = await sharp(image, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw damage()
    })
  const { width, height } = sizeOf(header)
  if (width * height > maxPixels) throw new InvalidImage('image_too_large')
  if (Math.min(width, height) < minEdge) throw new InvalidImage('image_too_small')
  if ((header.pages ?? 1) > 1 || (format === 'png' && isAnimatedPng(image))) throw new InvalidImage('animated_image')
  const { data, info } = await sharp(image, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: timeoutSeconds })
    .autoOrient()
    .resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw damage()
    })
  if (info.channels !== 3) throw damage()
  return { format, width, height, pixels: { width: info.width, height: info.height, data } }
}

/** Reduces an image whose longest edge exceeds the limit. */
async function within(pixels: Pixels, maxEdge: number): Promise<Pixels> {
  if (Math.max(pixels.width, pixels.height) <= maxEdge) return pixels
  const small = open(pixels).resize({ width: maxEdge, height: maxEdge, fit: 'inside' }).raw()
  const { data, info } = await small.toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

function sizeOf(header: Metadata): { width: number; height: number } {
  return { width: header.autoOrient.width, height: header.autoOrient.height }
}

/** A part of an image, in its pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Cuts `box` (whole numbers, starting inside) out and fits it into a square of `edge` pixels; the rest is black, including a part of the box beyond
 * the right or lower border.
 */
export async function fitSquare(pixels: Pixels, box: Box, edge: number, position: 'left top' | 'centre'): Promise<Uint8Array> {
  const inside = { width: Math.min(box.width, pixels.width - box.x), height: Math.min(box.height, pixels.height - box.y) }
  const scale = edge / Math.max(box.width, box.height)
  const fitted = (length: number): number => Math.min(edge, Math.max(1, Math.round(length * scale)))
  const [width, height] = [fitted(inside.width), fitted(inside.height)]
  const left = position === 'centre' ? Math.floor((edge - width) / 2) : 0
  const top = position === 'centre' ? Math.floor((edge - height) / 2) : 0
  return open(pixels)
    .extract({ left: box.x, top: box.y, ...inside })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .extend({ left, top, right: edge - width - left, bottom: edge - height - top, background: '#000000' })
    .raw()
    .toBuffer()
}

/** Rotates clockwise. */
export async function turn(pixels: Pixels, degrees: 90 | 180 | 270): Promise<Pixels> {
  const { data, info } = await open(pixels).rotate(degrees).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

function open({ width, height, data }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } })
}
