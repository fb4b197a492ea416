import sharp, { type Sharp } from 'sharp'
import { seededRandom } from '../drawing/seeded-random.ts'
import { type Tilt, tilted } from './perspective.ts'
import { type OnTable, onTable } from './table-top.ts'

/** What happens to a picture between the object and the file. Absent members have no effect. */
export interface Capture {
  /** Degrees clockwise */
  readonly rotate?: number
  /** Pixels of table around the object */
  readonly margin?: number
  readonly background?: string
  /** Lies on a table among other things; applied first */
  readonly onTable?: OnTable
  readonly tilt?: Tilt
  /** Fingertips at the left and right edge: how far they reach in, as a share of the width */
  readonly fingers?: number
  /** Size of the result as a share of the original */
  readonly scale?: number
  /** Factor of every value; 0.3 is dark */
  readonly brightness?: number
  readonly grey?: boolean
  /** Standard deviation in pixels */
  readonly blur?: number
  /** A white reflection: its centre and radius, as shares of width and height */
  readonly glare?: { readonly x: number; readonly y: number; readonly radius: number }
  /** The part that remains when edges are cut off, as shares */
  readonly keep?: { readonly left?: number; readonly top?: number; readonly width?: number; readonly height?: number }
  /** Maximum deviation of a value, 0..255 */
  readonly noise?: number
  readonly noiseSeed?: number
  /** 1..100; absent: lossless PNG */
  readonly jpegQuality?: number
}

/** Degree of wear: as drawn; a flat-bed scan; a steady phone photograph; a blurred phone photograph in poor light. */
export type DamageLevel = 'clean' | 'scan' | 'photo' | 'bad'

const table = '#6b6257'

const levels: Readonly<Record<DamageLevel, Capture>> = {
  clean: {},
  scan: { blur: 0.6, jpegQuality: 80 },
  photo: { rotate: 1.5, margin: 30, background: table, blur: 0.8, brightness: 0.9, noise: 15, jpegQuality: 70 },
  bad: { rotate: 4, margin: 30, background: table, blur: 1.1, brightness: 0.7, noise: 15, jpegQuality: 50 },
}

/** @returns PNG if clean, else JPEG */
export function damage(picture: Uint8Array, level: DamageLevel): Promise<Buffer> {
  return capture(picture, levels[level])
}

/** Applies a capture in physical order: position of the object, light, lens, sensor, file. */
export async function capture(picture: Uint8Array, how: Capture): Promise<Buffer> {
  const steps = [hold, lay, place, tilt, resize, cut, illuminate, focus]
  let image: Buffer = Buffer.from(picture)
  for (const step of steps) image = await step(image, how)
  if (how.noise === undefined) {
    return how.jpegQuality === undefined ? sharp(image).png().toBuffer() : sharp(image).jpeg({ quality: how.jpegQuality }).toBuffer()
  }
  return addNoise(image, how.noise, how)
}

const lossless = (image: Sharp): Promise<Buffer> => image.png({ compressionLevel: 1 }).toBuffer()

async function hold(image: Buffer, { fingers }: Capture): Promise<Buffer> {
  if (fingers === undefined) return image
  const { width, height } = await sharp(image).metadata()
  const tip = (x: number, y: number): string =>
    `<ellipse cx="${x * width}" cy="${y * height}" rx="${fingers * width}" ry="${0.09 * height}" fill="#a9714f"/><ellipse cx="${x * width}" cy="${y * height}" rx="${fingers * width * 0.8}" ry="${0.06 * height}" fill="#bd8662"/>`
  const tips = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${tip(0, 0.45)}${tip(1, 0.3)}</svg>`
  return lossless(sharp(image).composite([{ input: Buffer.from(tips) }]))
}

const lay = (image: Buffer, { onTable: table }: Capture): Promise<Buffer> =>
  table === undefined ? Promise.resolve(image) : onTable(image, table)

const tilt = (image: Buffer, { tilt: how, background = table }: Capture): Promise<Buffer> =>
  how === undefined ? Promise.resolve(image) : tilted(image, how, background)

async function place(image: Buffer, { rotate, margin = 0, background = table }: Capture): Promise<Buffer> {
  if (rotate === undefined && margin === 0) return image
  const turned = await lossless(sharp(image).rotate(rotate ?? 0, { background }))
  const edges = { top: margin, bottom: margin, left: margin, right: margin }
  return lossless(sharp(turned).extend({ ...edges, background }))
}

async function resize(image: Buffer, { scale }: Capture): Promise<Buffer> {
  if (scale === undefined) return image
  const { width } = await sharp(image).metadata()
  return lossless(sharp(image).resize(Math.max(1, Math.round(width * scale))))
}

async function cut(image: Buffer, { keep }: Capture): Promise<Buffer> {
  if (keep === undefined) return image
  const { width, height } = await sharp(image).metadata()
  const left = Math.round((keep.left ?? 0) * width)
  const top = Math.round((keep.top ?? 0) * height)
  const area = {
    left,
    top,
    width: Math.min(width - left, Math.round((keep.width ?? 1) * width)),
    height: Math.min(height - top, Math.round((keep.height ?? 1) * height)),
  }
  return lossless(sharp(image).extract(area))
}

async function illuminate(image: Buffer, { brightness, grey, glare }: Capture): Promise<Buffer> {
  if (brightness === undefined && grey !== true && glare === undefined) return image
  let lit = sharp(image).flatten({ background: table })
  if (brightness !== undefined) lit = lit.linear(brightness, 0)
  if (grey === true) lit = lit.grayscale().toColourspace('srgb')
  if (glare === undefined) return lossless(lit)
  const { width, height } = await sharp(image).metadata()
  return lossless(sharp(await lossless(lit)).composite([{ input: Buffer.from(reflection(glare, width, height)) }]))
}

/** Drawn without text, so that no font is needed. */
function reflection({ x, y, radius }: NonNullable<Capture['glare']>, width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><radialGradient id="glare"><stop offset="0" stop-color="#fff"/><stop offset=".6" stop-color="#fff" stop-opacity=".95"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><ellipse cx="${x * width}" cy="${y * height}" rx="${radius * width}" ry="${radius * width * 0.7}" fill="url(#glare)"/></svg>`
}

async function focus(image: Buffer, { blur }: Capture): Promise<Buffer> {
  return blur === undefined ? image : lossless(sharp(image).blur(blur))
}

async function addNoise(image: Buffer, noise: number, { noiseSeed = 7, jpegQuality }: Capture): Promise<Buffer> {
  const { data, info } = await sharp(image).flatten({ background: table }).raw().toBuffer({ resolveWithObject: true })
  const random = seededRandom(noiseSeed)
  for (let i = 0; i < data.length; i++) {
    const deviation = ((random.next() + random.next() + random.next() - 1.5) / 1.5) * noise
    data[i] = Math.max(0, Math.min(255, Math.round((data[i] ?? 0) + deviation)))
  }
  const noisy = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  return jpegQuality === undefined ? noisy.png().toBuffer() : noisy.jpeg({ quality: jpegQuality }).toBuffer()
}
