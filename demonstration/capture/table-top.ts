import sharp from 'sharp'
import { renderPng } from '../drawing/drawing.ts'
import { seededRandom } from '../drawing/seeded-random.ts'

/** A document in a larger picture. */
export interface OnTable {
  /** Width of the document as a share of the picture's, 0 to 1 */
  readonly share: number
  readonly seed?: number
  /** Degrees clockwise */
  readonly rotate?: number
  /** A checked cloth instead of wood */
  readonly cloth?: boolean
}

/** Draws a wooden table with a cup, a pen, a sheet of paper and coins, and the document on it. @returns PNG, 4:3 */
export async function onTable(picture: Uint8Array, { share, seed = 1, rotate = 0, cloth = false }: OnTable): Promise<Buffer> {
  const turned = await sharp(picture).ensureAlpha().rotate(rotate, { background: '#0000' }).png({ compressionLevel: 1 }).toBuffer()
  const size = await sharp(turned).metadata()
  const width = Math.max(Math.round(size.width / share), Math.round((size.height * 4) / 3) + 60)
  const height = Math.round(width * 0.75)
  const random = seededRandom(seed)
  const left = Math.round((width - size.width) * random.between(0.3, 0.7))
  const top = Math.round((height - size.height) * random.between(0.3, 0.7))
  return sharp(await renderPng(cloth ? checkedCloth(width, height) : table(width, height, seed), width))
    .composite([{ input: turned, left, top }])
    .flatten({ background: '#6b6257' })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

function table(width: number, height: number, seed: number): string {
  const random = seededRandom(seed)
  const { between } = random
  const grain = Array.from({ length: 90 }, () => {
    const y = between(0, height)
    const bend = () => between(-14, 14)
    return `<path d="M0,${y} C${width * 0.3},${y + bend()} ${width * 0.6},${y + bend()} ${width},${y + bend()}" stroke="#4d3a28" stroke-width="${between(0.5, 3)}" opacity="${between(0.15, 0.5)}" fill="none"/>`
  }).join('')
  const boards = [0.33, 0.67].map((share) => `<rect y="${height * share}" width="${width}" height="3" fill="#2c2016"/>`).join('')
  const unit = height / 10
  const cup = `<circle cx="${width * 0.05}" cy="${height * 0.06}" r="${unit * 1.4}" fill="#e9e4da"/><circle cx="${width * 0.05}" cy="${height * 0.06}" r="${unit * 1.1}" fill="#3b2213"/>`
  const pen = `<g transform="rotate(-58 ${width * 0.95} ${height * 0.8})"><rect x="${width * 0.95 - unit * 2}" y="${height * 0.8}" width="${unit * 4}" height="${unit * 0.22}" rx="${unit * 0.1}" fill="#16254d"/></g>`
  const coins = Array.from(
    { length: 3 },
    (_, i) =>
      `<circle cx="${unit * (0.9 + i * 1.1)}" cy="${height - unit * 0.7}" r="${unit * 0.45}" fill="#b8923f" stroke="#7a5d1f" stroke-width="3"/>`,
  ).join('')
  const sheet = `<g transform="rotate(12 ${width} 0)"><rect x="${width - unit * 2.2}" y="${-unit}" width="${unit * 4}" height="${unit * 3}" fill="#f4f2ec"/>${Array.from({ length: 6 }, (_, i) => `<rect x="${width - unit * 2}" y="${unit * (0.2 + i * 0.3)}" width="${unit * 1.7}" height="${unit * 0.08}" fill="#8a8a8a"/>`).join('')}</g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#8a6a48"/>${grain}${boards}${sheet}${cup}${pen}${coins}</svg>`
}

/** Red and white squares with a woven thread, at least as wide as a line of print. */
function checkedCloth(width: number, height: number): string {
  const edge = Math.round(height / 24)
  const squares = `<pattern id="squares" width="${2 * edge}" height="${2 * edge}" patternUnits="userSpaceOnUse"><rect width="${2 * edge}" height="${2 * edge}" fill="#f1ece4"/><rect width="${edge}" height="${2 * edge}" fill="#b23a3a" opacity=".6"/><rect width="${2 * edge}" height="${edge}" fill="#b23a3a" opacity=".6"/></pattern>`
  const threads = `<pattern id="threads" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0,0L6,6M6,0L0,6" stroke="#5a2020" stroke-width=".8" opacity=".35"/></pattern>`
  const whole = (fill: string): string => `<rect width="${width}" height="${height}" fill="url(#${fill})"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${squares}${threads}</defs>${whole('squares')}${whole('threads')}</svg>`
}
